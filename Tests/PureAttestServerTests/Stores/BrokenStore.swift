import Foundation
import PureAttest
import PureAttestServer
@testable import PureAttestStoreTesting
import PureBytes
import Synchronization

/// A store that is correct except for one chosen mistake.
final class BrokenStore: RelyingPartyStore {
    struct OutOfOrder: Error, Hashable {}
    typealias Failure = OutOfOrder

    struct State {
        var keys: [[UInt8]: KeyRecord] = [:]
        var consumed: [[UInt8]: UnixTime] = [:]
        var budgets: [BudgetPeriod: (requests: Int64, units: Int64)] = [:]
    }

    /// The state that several stores can share, like processes with one database.
    final class Database: Sendable {
        private let state = Mutex(State())

        func withLock<R: Sendable>(_ body: (inout State) -> R) -> R { state.withLock { body(&$0) } }
    }

    let mistake: Mistake
    let database: Database
    /// The cached records and consumed tokens of this instance, for the mistakes that use them.
    private let own = Mutex(State())

    init(_ mistake: Mistake, sharing database: Database = Database()) {
        self.mistake = mistake
        self.database = database
    }

    /// Lets other tasks run, even on a busy machine.
    func pause() async {
        for _ in 0..<8 { await Task.yield() }
        try? await Task.sleep(for: .milliseconds(2))
    }

    func isCancelled(_ mistake: Mistake) -> Bool { self.mistake == mistake && Task.isCancelled }

    func work() throws(OutOfOrder) {
        if mistake == .throwsAlways { throw OutOfOrder() }
    }

    private func identifier(_ id: [UInt8]) -> [UInt8] {
        mistake == .comparesTokensWithoutCase ? Array(base64EncodedString(id).lowercased().utf8) : id
    }
    private func identified(_ token: ConsumedToken) -> ConsumedToken {
        ConsumedToken(id: identifier(token.id), until: token.until)
    }

    private var ignoresChallenges: Bool {
        mistake == .neverConsumesChallenges || mistake == .consumesChallengeInTwoSteps
    }
    private func consumeLater(_ token: ConsumedToken) async {
        guard mistake == .consumesChallengeInTwoSteps else { return }
        await pause()
        database.withLock { $0.consumed[token.id] = token.until }
    }

    func key(_ keyID: [UInt8]) async throws(OutOfOrder) -> KeyRecord? {
        try work()
        guard mistake == .cachesKeys else { return database.withLock { $0.keys[keyID] } }
        if let cached = own.withLock({ $0.keys[keyID] }) { return cached }
        let record = database.withLock { $0.keys[keyID] }
        own.withLock { $0.keys[keyID] = record }
        return record
    }

    /// Returns a record that other calls may change before the caller writes it back, or `nil` without this mistake.
    private func staleRecord(_ keyID: [UInt8], _ mistake: Mistake) async -> KeyRecord? {
        guard self.mistake == mistake else { return nil }
        let record = database.withLock { $0.keys[keyID] }
        await pause()
        return record
    }

    func insertKey(_ record: KeyRecord, consuming token: ConsumedToken) async throws(OutOfOrder) -> KeyInsertion {
        try work()
        let record =
            switch mistake {
            case .dropsAccount: record.with(account: nil)
            case .truncatesAccounts: record.with(account: record.account.map { AccountID(bytes: $0.bytes.prefix(64)) })
            case .dropsFieldsOfKey: record.withoutFields
            case .dropsReceiptTime: record.replacingReceipt(with: record.receipt, dueAt: nil)
            default: record
            }
        let (keyID, token) = (record.key.keyID, identified(token))
        if mistake == .insertsKeyInTwoSteps {
            let existing = database.withLock { state in
                state.consumed[token.id] = token.until
                return state.keys[keyID]
            }
            await pause()
            if let existing { return .existing(existing) }
            database.withLock { $0.keys[keyID] = record }
            return .inserted
        }
        let isConsumed = database.withLock { $0.consumed[token.id] != nil }
        if mistake == .consumesChallengeInTwoSteps, isConsumed { return .alreadyConsumed }
        let insertion: KeyInsertion = database.withLock { state in
            if mistake == .insertsBeforeConsuming, state.keys[keyID] == nil { state.keys[keyID] = record }
            guard ignoresChallenges || state.consumed[token.id] == nil else { return .alreadyConsumed }
            if let existing = state.keys[keyID], mistake != .insertsBeforeConsuming {
                if mistake != .consumesOnlyForNewKeys, !ignoresChallenges { state.consumed[token.id] = token.until }
                if mistake == .replacesKey { state.keys[keyID] = record }
                return .existing(existing)
            }
            if !ignoresChallenges { state.consumed[token.id] = token.until }
            if !isCancelled(.undoesInsertionWhenCancelled) { state.keys[keyID] = record }
            return .inserted
        }
        await consumeLater(token)
        return insertion
    }

    func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) async throws(OutOfOrder) -> KeyUse {
        try work()
        guard mistake != .neverAdvances else { return .keyChanged }
        let token = identified(token)
        own.withLock { $0.keys[current.keyID] = nil }
        let stale = await staleRecord(current.keyID, .usesStaleRecord)
        func mayAdvance(_ record: KeyRecord?) -> Bool {
            guard let record, mistake != .wantsLargerCounter || next != current else { return false }
            if mistake == .comparesCounters, record.key.counter != nil, record.key.counter == current.counter {
                return record.revokedAt == nil
            }
            return (record.key == current || mistake == .advancesAlways)
                && (record.revokedAt == nil || mistake == .ignoresRevocation)
        }
        if mistake == .advancesInTwoSteps {
            guard mayAdvance(database.withLock { $0.keys[current.keyID] }) else { return .keyChanged }
            await pause()
        }
        let isConsumed = database.withLock { $0.consumed[token.id] != nil }
        if mistake == .consumesChallengeInTwoSteps, isConsumed { return .alreadyConsumed }
        let outcome: KeyUse = database.withLock { state in
            let record = state.keys[current.keyID]
            // A stale record overwrites a revocation if the key in the row is still the same.
            let compared = stale?.key == record?.key ? stale : record
            let matches = mayAdvance(compared) || (mistake == .advancesInTwoSteps && record != nil)
            if mistake == .advancesBeforeConsuming, matches {
                state.keys[current.keyID] = record?.used(at: time, as: next)
            }
            guard ignoresChallenges || state.consumed[token.id] == nil else { return .alreadyConsumed }
            if mistake == .consumesBeforeComparing { state.consumed[token.id] = token.until }
            guard matches else { return .keyChanged }
            if !ignoresChallenges { state.consumed[token.id] = token.until }
            if isCancelled(.losesAdvanceWhenCancelled) { return .keyChanged }
            guard !isCancelled(.undoesAdvanceWhenCancelled) else { return .recorded }
            let written = stale ?? record
            state.keys[current.keyID] =
                mistake == .dropsLastUse
                ? written?.used(at: now, as: next) : written?.used(at: time, as: next)
            return .recorded
        }
        await consumeLater(token)
        return outcome
    }

    func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(OutOfOrder) -> Bool {
        try work()
        let stale = await staleRecord(keyID, .revokesStaleRecord)
        return database.withLock { state in
            guard let record = stale ?? state.keys[keyID], state.keys[keyID]?.revokedAt == nil else { return false }
            state.keys[keyID] = record.revoked(at: time)
            return true
        }
    }

    private func isEqual(_ stored: AccountID?, _ account: AccountID) -> Bool {
        guard let stored else { return false }
        return switch mistake {
        case .truncatesAccounts: stored.bytes.elementsEqual(account.bytes.prefix(64))
        // Base64 in a column with a collation that ignores case.
        case .comparesAccountsWithoutCase:
            base64EncodedString(stored.bytes).lowercased() == base64EncodedString(account.bytes).lowercased()
        default: stored == account
        }
    }

    func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) async throws(OutOfOrder) -> [KeyRecord] {
        try work()
        return database.withLock { state in
            var records = state.keys.values.filter { isEqual($0.account, account) }
            if mistake != .listsInNoOrder {
                records.sort { $0.key.keyID.lexicographicallyPrecedes($1.key.keyID) }
            }
            if let keyID {
                records = records.filter {
                    keyID.lexicographicallyPrecedes($0.key.keyID)
                        || (mistake == .repeatsKeysOfPages && keyID == $0.key.keyID)
                }
            }
            return Array(records.prefix(limit))
        }
    }

    func revokeKeys(of account: AccountID, at time: UnixTime) async throws(OutOfOrder) -> Int {
        try work()
        return database.withLock { state in
            var revoked = state.keys.values.filter {
                $0.revokedAt == nil
                    && (isEqual($0.account, account) || (mistake == .revokesKeysOfAll && $0.account == nil))
            }
            if mistake == .revokesOnePage { revoked = Array(revoked.prefix(5)) }
            for record in revoked { state.keys[record.key.keyID] = record.revoked(at: time) }
            return revoked.count
        }
    }

    func claimDueReceipts(
        of scope: ReceiptScope, at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws(OutOfOrder) -> [KeyRecord] {
        try work()
        func due(_ state: State) -> [KeyRecord] {
            let due = state.keys.values.filter {
                $0.receiptDueAt.map { $0 <= time } ?? false
                    && ($0.revokedAt == nil || mistake == .claimsReceiptsOfRevokedKeys)
                    && (scope.contains($0.key) || mistake == .claimsReceiptsOfAll)
            }
            return due.sorted { ($0.receiptDueAt ?? time) < ($1.receiptDueAt ?? time) }.prefix(limit)
                .map { $0.replacingReceipt(with: $0.receipt, dueAt: postponed) }
        }
        var claimed = database.withLock { due($0) }
        if mistake == .claimsInTwoSteps { await pause() }
        database.withLock { state in
            if mistake != .claimsInTwoSteps { claimed = due(state) }
            for record in claimed { state.keys[record.key.keyID] = record }
        }
        return claimed
    }

    func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(OutOfOrder) -> Bool {
        try work()
        let stale = await staleRecord(keyID, .replacesReceiptOfStaleRecord)
        return database.withLock { state in
            guard let record = state.keys[keyID], record.receipt == current || mistake == .replacesAnyReceipt else {
                return false
            }
            state.keys[keyID] = (stale ?? record).replacingReceipt(with: receipt, dueAt: dueAt)
            return true
        }
    }

    func consume(_ token: ConsumedToken) async throws(OutOfOrder) -> Bool {
        try work()
        if mistake == .neverSpends { return true }
        if mistake == .consumesPerInstance {
            guard own.withLock({ $0.consumed.updateValue(token.until, forKey: token.id) == nil }) else { return false }
            database.withLock { $0.consumed[token.id] = token.until }
            return true
        }
        let token = identified(token)
        if mistake == .consumesInTwoSteps {
            guard database.withLock({ $0.consumed[token.id] == nil }) else { return false }
            await pause()
        }
        return database.withLock { state in
            guard state.consumed[token.id] == nil || mistake == .consumesInTwoSteps else { return false }
            guard !isCancelled(.undoesConsumingWhenCancelled) else { return true }
            if mistake == .removesWhenConsuming { state.consumed = state.consumed.filter { $0.value >= token.until } }
            let day = UnixTime(
                secondsSince1970: PureAttestStoreTesting.now.secondsSince1970
                    + RelyingPartyConfiguration.maximumSessionLifetime)
            state.consumed[token.id] = mistake == .keepsConsumedForADay ? min(token.until, day) : token.until
            return true
        }
    }

    func isConsumed(_ id: [UInt8]) async throws(OutOfOrder) -> Bool {
        try work()
        let id = identifier(id)
        let (until, clock) = (database.withLock { $0.consumed[id] }, Date().timeIntervalSince1970)
        return until.map { mistake != .removesByItsClock || Double($0.secondsSince1970) > clock } ?? false
    }

    func removeExpired(at time: UnixTime) async throws(OutOfOrder) {
        try work()
        let time =
            mistake == .removesEarly ? UnixTime(secondsSince1970: time.secondsSince1970 + 60) : time
        database.withLock { state in
            state.consumed = state.consumed.filter { $0.value > time && mistake != .removesEverything }
            if mistake == .removesRevokedKeys { state.keys = state.keys.filter { $0.value.revokedAt == nil } }
        }
    }
}

extension KeyRecord {
    /// The record with the key's version 1 serialization, which has no fields.
    fileprivate var withoutFields: KeyRecord {
        guard key.appAttest != nil else { return self }
        let key = try! RegisteredKey(serialized: [1] + key.serialized[1..<111])
        return KeyRecord(
            key: key, account: account, receipt: receipt, receiptDueAt: receiptDueAt, registeredAt: registeredAt)
    }

    func with(account: AccountID?) -> KeyRecord {
        KeyRecord(
            key: key, account: account, receipt: receipt, receiptDueAt: receiptDueAt, registeredAt: registeredAt,
            lastUsedAt: lastUsedAt, revokedAt: revokedAt)
    }
}
