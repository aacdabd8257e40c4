import PureAttest
import PureAttestStoreTesting
import Synchronization
import Testing

@testable import PureAttestServer

@Suite struct StoreConformanceTests {
    @Test func inMemoryStoreConforms() async {
        let violations = await StoreConformance { InMemoryStore() }.violations()
        #expect(violations == [])
    }

    /// Each mistake that a store can make is found, by the rules that it breaks and no others.
    @Test(arguments: BrokenStore.Mistake.allCases)
    func mistakesAreFound(_ mistake: BrokenStore.Mistake) async {
        let violations = await StoreConformance(rounds: 4) { BrokenStore(mistake) }.violations()
        #expect(Set(violations.map(\.rule)).isSuperset(of: mistake.brokenRules), "\(violations)")
        #expect(mistake.breaksNothing == violations.isEmpty)
        #expect(violations.allSatisfy { $0.unexpectedError == (mistake == .throwsAlways) })
    }

    @Test func storeErrorsAreNotRefusals() async throws {
        let party = RelyingParty(
            verifier: verifier(), store: BrokenStore(.throwsAlways), sessionKeys: SessionKeys(current: sessionKey))
        await #expect(throws: AttestServerError<BrokenStore.Failure>.store(BrokenStore.OutOfOrder())) {
            try await party.issueChallenge(purpose: .assertion, keyID: [UInt8](repeating: 1, count: 32), at: now)
        }
    }

    @Test func aFullInMemoryStoreForgetsNothing() async throws {
        let store = InMemoryStore(capacity: InMemoryStore.Capacity(challenges: 1, keys: 1, tokens: 1))
        let party = relyingParty(store: store)
        let first = Client()
        try await first.register(with: party)
        await #expect(throws: AttestServerError<InMemoryStoreFull>.store(InMemoryStoreFull())) {
            try await Client(makeDevice(seed: 8)).register(with: party)
        }
        #expect(try store.denyToken([1], until: time(1)))
        #expect(try !store.denyToken([1], until: time(1)))
        #expect(throws: InMemoryStoreFull()) { try store.denyToken([2], until: time(1)) }
        #expect(store.isTokenDenied([1]))
        store.removeExpired(at: time(1))
        #expect(try store.denyToken([2], until: time(2)))
    }

    /// About 5 KB a key, whatever devices send: a receipt is not proved, and can be as long as its attestation.
    @Test func receiptsInMemoryAreCapped() async throws {
        let store = InMemoryStore()
        let genuine = try await Client().register(with: relyingParty(store: store)).record
        #expect(store.key(genuine.key.keyID) == genuine && !genuine.unverifiedReceipt.isEmpty)
        let limit = InMemoryStore.maximumReceiptByteCount
        for (seed, length, kept) in [(8, limit, limit), (9, limit + 1, 0), (10, 60_000, 0)] as [(UInt64, Int, Int)] {
            let key = try await Client(makeDevice(seed: seed)).register(with: relyingParty()).record.key
            let record = KeyRecord(
                key: key, account: AccountID("user"), unverifiedReceipt: [UInt8](repeating: 1, count: length),
                registeredAt: now, revokedAt: nil)
            #expect(try store.insertKey(record) == nil)
            let stored = try #require(store.key(key.keyID))
            #expect(stored.unverifiedReceipt.count == kept)
            #expect(stored.key == key && stored.account == record.account && stored.registeredAt == now)
        }
    }
}

/// A store with one mistake, on top of a good one.
final class BrokenStore: RelyingPartyStore {
    struct OutOfOrder: Error, Hashable {}
    typealias Failure = OutOfOrder

    enum Mistake: CaseIterable {
        case none
        /// Reads and removes in two steps.
        case consumesInTwoSteps
        /// Gives out the challenge, and puts it back where the task was cancelled.
        case undoesConsumptionWhenCancelled
        /// Leaves the challenge for the next.
        case neverConsumes
        /// Forgets the account.
        case dropsAccount
        /// Looks, then inserts over what is there by then.
        case insertsKeyInTwoSteps
        /// Says that the key is new, and takes it out again where the task was cancelled.
        case undoesInsertionWhenCancelled
        /// A new registration replaces the old one.
        case replacesKey
        /// Compares, then sets.
        case advancesInTwoSteps
        /// Says that the counter is advanced, and sets it back where the task was cancelled.
        case undoesAdvanceWhenCancelled
        /// Sets without comparing.
        case advancesAlways
        /// Compares the counters' order only.
        case ignoresRevocation
        case deniesInTwoSteps
        /// Says that the token is listed, and forgets it where the task was cancelled.
        case undoesDenialWhenCancelled
        case neverDenies
        case removesEverything
        /// Takes the last minute for the end.
        case removesEarly
        /// Keeps nothing longer than the longest session.
        case keepsDenialsForADay
        /// Forgets, whenever a token is listed, those with an earlier end.
        case removesWhenListing
        /// Drops revoked keys with what has expired.
        case removesRevokedKeys
        case throwsAlways

        var breaksNothing: Bool { self == .none }

        var brokenRules: Set<StoreViolation.Rule> {
            switch self {
            case .none: []
            case .consumesInTwoSteps: [.challengeIsConsumedOnce]
            case .undoesConsumptionWhenCancelled: [.challengeIsConsumedOnceUnderCancellation]
            case .neverConsumes: [.challengeIsConsumedOnce, .challengeIsKept]
            case .dropsAccount: [.challengeIsKept, .keyIsKept]
            case .insertsKeyInTwoSteps: [.keyIsInsertedOnce]
            case .undoesInsertionWhenCancelled: [.keyIsInsertedOnceUnderCancellation]
            case .replacesKey: [.insertionKeepsExisting]
            case .advancesInTwoSteps: [.counterAdvancesOnce, .counterLosesNothing]
            case .undoesAdvanceWhenCancelled: [.counterAdvancesOnceUnderCancellation]
            case .advancesAlways: [.counterAdvancesOnce, .counterNeverGoesBack]
            case .ignoresRevocation: [.revocationHolds]
            case .deniesInTwoSteps: [.tokenIsDeniedOnce]
            case .undoesDenialWhenCancelled: [.tokenIsDeniedOnceUnderCancellation]
            case .neverDenies: [.tokenIsListed]
            case .removesEverything, .removesEarly, .keepsDenialsForADay, .removesWhenListing: [.unexpiredIsKept]
            case .removesRevokedKeys: [.revocationHolds]
            case .throwsAlways: Set(StoreViolation.Rule.allCases)
            }
        }
    }

    private struct State {
        var challenges: [[UInt8]: Challenge] = [:]
        var keys: [[UInt8]: KeyRecord] = [:]
        var tokens: [[UInt8]: UnixTime] = [:]
    }

    private let mistake: Mistake
    private let state = Mutex(State())

    init(_ mistake: Mistake) { self.mistake = mistake }

    /// Lets other tasks in between two steps.
    private func pause() async {
        for _ in 0..<8 { await Task.yield() }
    }

    private func isCancelled(_ mistake: Mistake) -> Bool { self.mistake == mistake && Task.isCancelled }

    private func work() throws(OutOfOrder) {
        if mistake == .throwsAlways { throw OutOfOrder() }
    }

    func insertChallenge(_ challenge: Challenge) async throws(OutOfOrder) {
        try work()
        state.withLock { state in
            state.challenges[challenge.id] =
                mistake != .dropsAccount
                ? challenge
                : Challenge(
                    id: challenge.id, value: challenge.value, purpose: challenge.purpose, keyID: challenge.keyID,
                    account: nil, issuedAt: challenge.issuedAt, expiresAt: challenge.expiresAt)
        }
    }

    func consumeChallenge(_ id: [UInt8]) async throws(OutOfOrder) -> Challenge? {
        try work()
        if mistake == .neverConsumes { return state.withLock { $0.challenges[id] } }
        if mistake == .consumesInTwoSteps {
            let found = state.withLock { $0.challenges[id] }
            await pause()
            state.withLock { $0.challenges[id] = nil }
            return found
        }
        return state.withLock { state in
            let found = state.challenges.removeValue(forKey: id)
            if isCancelled(.undoesConsumptionWhenCancelled) { state.challenges[id] = found }
            return found
        }
    }

    func removeExpired(at time: UnixTime) async throws(OutOfOrder) {
        try work()
        let time = mistake == .removesEarly ? time.advanced(by: 60) : time
        state.withLock { state in
            state.challenges = state.challenges.filter { $0.value.expiresAt > time && mistake != .removesEverything }
            state.tokens = state.tokens.filter { $0.value > time && mistake != .removesEverything }
            if mistake == .removesRevokedKeys { state.keys = state.keys.filter { $0.value.revokedAt == nil } }
        }
    }

    func insertKey(_ record: KeyRecord) async throws(OutOfOrder) -> KeyRecord? {
        try work()
        let record = mistake == .dropsAccount ? record.with(account: nil) : record
        let keyID = record.key.keyID
        if mistake == .insertsKeyInTwoSteps || mistake == .replacesKey {
            let existing = state.withLock { $0.keys[keyID] }
            if mistake == .insertsKeyInTwoSteps {
                await pause()
                if let existing { return existing }
            }
            state.withLock { $0.keys[keyID] = record }
            return existing
        }
        return state.withLock { state in
            if let existing = state.keys[keyID] { return existing }
            if !isCancelled(.undoesInsertionWhenCancelled) { state.keys[keyID] = record }
            return nil
        }
    }

    func key(_ keyID: [UInt8]) async throws(OutOfOrder) -> KeyRecord? {
        try work()
        return state.withLock { $0.keys[keyID] }
    }

    func advanceCounter(from current: AttestedKey, to advanced: AttestedKey) async throws(OutOfOrder) -> Bool {
        try work()
        func mayAdvance(_ record: KeyRecord?) -> Bool {
            guard let record else { return false }
            return (record.key == current || mistake == .advancesAlways)
                && (record.revokedAt == nil || mistake == .ignoresRevocation)
        }
        if mistake == .advancesInTwoSteps {
            guard mayAdvance(state.withLock { $0.keys[current.keyID] }) else { return false }
            await pause()
            state.withLock { $0.keys[current.keyID] = $0.keys[current.keyID]?.with(key: advanced) }
            return true
        }
        return state.withLock { state in
            guard mayAdvance(state.keys[current.keyID]) else { return false }
            guard !isCancelled(.undoesAdvanceWhenCancelled) else { return true }
            state.keys[current.keyID] = state.keys[current.keyID]?.with(key: advanced)
            return true
        }
    }

    func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(OutOfOrder) -> Bool {
        try work()
        return state.withLock { state in
            guard let record = state.keys[keyID], record.revokedAt == nil else { return false }
            state.keys[keyID] = KeyRecord(
                key: record.key, account: record.account, unverifiedReceipt: record.unverifiedReceipt,
                registeredAt: record.registeredAt, revokedAt: time)
            return true
        }
    }

    func denyToken(_ id: [UInt8], until: UnixTime) async throws(OutOfOrder) -> Bool {
        try work()
        if mistake == .neverDenies { return true }
        if mistake == .deniesInTwoSteps {
            guard state.withLock({ $0.tokens[id] == nil }) else { return false }
            await pause()
        }
        return state.withLock { state in
            guard state.tokens[id] == nil || mistake == .deniesInTwoSteps else { return false }
            guard !isCancelled(.undoesDenialWhenCancelled) else { return true }
            if mistake == .removesWhenListing { state.tokens = state.tokens.filter { $0.value >= until } }
            let day = RelyingPartyConfiguration.maximumSessionLifetime
            state.tokens[id] = mistake == .keepsDenialsForADay ? min(until, now.advanced(by: day)) : until
            return true
        }
    }

    func isTokenDenied(_ id: [UInt8]) async throws(OutOfOrder) -> Bool {
        try work()
        return state.withLock { $0.tokens[id] != nil }
    }
}

extension KeyRecord {
    fileprivate func with(key: AttestedKey? = nil) -> KeyRecord {
        KeyRecord(
            key: key ?? self.key, account: account, unverifiedReceipt: unverifiedReceipt, registeredAt: registeredAt,
            revokedAt: revokedAt)
    }

    fileprivate func with(account: AccountID?) -> KeyRecord {
        KeyRecord(
            key: key, account: account, unverifiedReceipt: unverifiedReceipt, registeredAt: registeredAt,
            revokedAt: revokedAt)
    }
}
