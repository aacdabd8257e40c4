import PureAttest
import PureAttestServer
import PureAttestStoreTesting
import Synchronization

/// A store that is correct except for one chosen mistake.
final class BrokenStore: RelyingPartyStore {
    struct OutOfOrder: Error, Hashable {}
    typealias Failure = OutOfOrder

    private struct State {
        var keys: [[UInt8]: KeyRecord] = [:]
        var consumed: [[UInt8]: UnixTime] = [:]
        var budgets: [BudgetPeriod: (requests: Int64, units: Int64)] = [:]
    }

    private let mistake: Mistake
    private let state = Mutex(State())

    init(_ mistake: Mistake) { self.mistake = mistake }

    /// Lets other tasks run, even on a busy machine.
    private func pause() async {
        for _ in 0..<8 { await Task.yield() }
        try? await Task.sleep(for: .milliseconds(2))
    }

    private func isCancelled(_ mistake: Mistake) -> Bool { self.mistake == mistake && Task.isCancelled }

    private func work() throws(OutOfOrder) {
        if mistake == .throwsAlways { throw OutOfOrder() }
    }

    private var ignoresChallenges: Bool {
        mistake == .neverConsumesChallenges || mistake == .consumesChallengeInTwoSteps
    }
    private func consumeLater(_ token: ConsumedToken) async {
        guard mistake == .consumesChallengeInTwoSteps else { return }
        await pause()
        state.withLock { $0.consumed[token.id] = token.until }
    }

    func key(_ keyID: [UInt8]) async throws(OutOfOrder) -> KeyRecord? {
        try work()
        return state.withLock { $0.keys[keyID] }
    }

    func insertKey(_ record: KeyRecord, consuming token: ConsumedToken) async throws(OutOfOrder) -> KeyInsertion {
        try work()
        let record =
            switch mistake {
            case .dropsAccount: record.with(account: nil)
            case .dropsFieldsOfKey: record.withoutFields
            case .dropsReceiptTime: record.replacingReceipt(with: record.receipt, dueAt: nil)
            default: record
            }
        let keyID = record.key.keyID
        if mistake == .insertsKeyInTwoSteps {
            let existing = state.withLock { state in
                state.consumed[token.id] = token.until
                return state.keys[keyID]
            }
            await pause()
            if let existing { return .existing(existing) }
            state.withLock { $0.keys[keyID] = record }
            return .inserted
        }
        let isConsumed = state.withLock { $0.consumed[token.id] != nil }
        if mistake == .consumesChallengeInTwoSteps, isConsumed { return .alreadyConsumed }
        let insertion: KeyInsertion = state.withLock { state in
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
        func mayAdvance(_ record: KeyRecord?) -> Bool {
            guard let record, mistake != .wantsLargerCounter || next != current else { return false }
            return (record.key == current || mistake == .advancesAlways)
                && (record.revokedAt == nil || mistake == .ignoresRevocation)
        }
        if mistake == .advancesInTwoSteps {
            guard mayAdvance(state.withLock { $0.keys[current.keyID] }) else { return .keyChanged }
            await pause()
        }
        let isConsumed = state.withLock { $0.consumed[token.id] != nil }
        if mistake == .consumesChallengeInTwoSteps, isConsumed { return .alreadyConsumed }
        let outcome: KeyUse = state.withLock { state in
            let record = state.keys[current.keyID]
            let matches = mayAdvance(record) || (mistake == .advancesInTwoSteps && record != nil)
            if mistake == .advancesBeforeConsuming, matches {
                state.keys[current.keyID] = record?.used(at: time, as: next)
            }
            guard ignoresChallenges || state.consumed[token.id] == nil else { return .alreadyConsumed }
            if mistake == .consumesBeforeComparing { state.consumed[token.id] = token.until }
            guard matches else { return .keyChanged }
            if !ignoresChallenges { state.consumed[token.id] = token.until }
            if isCancelled(.losesAdvanceWhenCancelled) { return .keyChanged }
            guard !isCancelled(.undoesAdvanceWhenCancelled) else { return .recorded }
            state.keys[current.keyID] =
                mistake == .dropsLastUse
                ? record?.used(at: now, as: next) : record?.used(at: time, as: next)
            return .recorded
        }
        await consumeLater(token)
        return outcome
    }

    func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(OutOfOrder) -> Bool {
        try work()
        return state.withLock { state in
            guard let record = state.keys[keyID], record.revokedAt == nil else { return false }
            state.keys[keyID] = record.revoked(at: time)
            return true
        }
    }

    func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) async throws(OutOfOrder) -> [KeyRecord] {
        try work()
        return state.withLock { state in
            var records = state.keys.values.filter { $0.account == account }
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
        return state.withLock { state in
            var revoked = state.keys.values.filter {
                ($0.account == account || (mistake == .revokesKeysOfAll && $0.account == nil)) && $0.revokedAt == nil
            }
            if mistake == .revokesOnePage { revoked = Array(revoked.prefix(5)) }
            for record in revoked { state.keys[record.key.keyID] = record.revoked(at: time) }
            return revoked.count
        }
    }

    func claimDueReceipts(
        at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws(OutOfOrder) -> [KeyRecord] {
        try work()
        func due(_ state: State) -> [KeyRecord] {
            let due = state.keys.values.filter {
                $0.receiptDueAt.map { $0 <= time } ?? false
                    && ($0.revokedAt == nil || mistake == .claimsReceiptsOfRevokedKeys)
            }
            return due.sorted { ($0.receiptDueAt ?? time) < ($1.receiptDueAt ?? time) }.prefix(limit)
                .map { $0.replacingReceipt(with: $0.receipt, dueAt: postponed) }
        }
        var claimed = state.withLock { due($0) }
        if mistake == .claimsInTwoSteps { await pause() }
        state.withLock { state in
            if mistake != .claimsInTwoSteps { claimed = due(state) }
            for record in claimed { state.keys[record.key.keyID] = record }
        }
        return claimed
    }

    func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(OutOfOrder) -> Bool {
        try work()
        return state.withLock { state in
            guard let record = state.keys[keyID], record.receipt == current || mistake == .replacesAnyReceipt else {
                return false
            }
            state.keys[keyID] = record.replacingReceipt(with: receipt, dueAt: dueAt)
            return true
        }
    }

    func consume(_ token: ConsumedToken) async throws(OutOfOrder) -> Bool {
        try work()
        if mistake == .neverSpends { return true }
        if mistake == .consumesInTwoSteps {
            guard state.withLock({ $0.consumed[token.id] == nil }) else { return false }
            await pause()
        }
        return state.withLock { state in
            guard state.consumed[token.id] == nil || mistake == .consumesInTwoSteps else { return false }
            guard !isCancelled(.undoesConsumingWhenCancelled) else { return true }
            if mistake == .removesWhenConsuming { state.consumed = state.consumed.filter { $0.value >= token.until } }
            let day = UnixTime(
                secondsSince1970: now.secondsSince1970 + RelyingPartyConfiguration.maximumSessionLifetime)
            state.consumed[token.id] = mistake == .keepsConsumedForADay ? min(token.until, day) : token.until
            return true
        }
    }

    func isConsumed(_ id: [UInt8]) async throws(OutOfOrder) -> Bool {
        try work()
        return state.withLock { $0.consumed[id] != nil }
    }

    func removeExpired(at time: UnixTime) async throws(OutOfOrder) {
        try work()
        let time =
            mistake == .removesEarly ? UnixTime(secondsSince1970: time.secondsSince1970 + 60) : time
        state.withLock { state in
            state.consumed = state.consumed.filter { $0.value > time && mistake != .removesEverything }
            if mistake == .removesRevokedKeys { state.keys = state.keys.filter { $0.value.revokedAt == nil } }
        }
    }
}

extension BrokenStore {
    private func row(_ period: BudgetPeriod) -> BudgetPeriod {
        switch mistake {
        case .sharesBudgets: BudgetPeriod(holder: [], end: period.end)
        case .ignoresPeriods: BudgetPeriod(holder: period.holder, end: now)
        default: period
        }
    }

    func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(OutOfOrder) -> BudgetAmount? {
        try work()
        let row = row(period)
        func hasRoom(_ used: (requests: Int64, units: Int64)?) -> Bool {
            if used == nil, mistake == .insertsBudgetWithoutLimit { return true }
            let used = used ?? (requests: 0, units: 0)
            return (used.requests + 1 <= limit.requests || mistake == .ignoresRequests)
                && (used.units + units <= limit.units || mistake == .ignoresUnits)
        }
        if mistake == .spendsBudgetInTwoSteps {
            guard state.withLock({ hasRoom($0.budgets[row]) }) else { return nil }
            await pause()
        }
        return state.withLock { state in
            guard mistake == .spendsBudgetInTwoSteps || hasRoom(state.budgets[row]) else { return nil }
            let former = state.budgets[row] ?? (requests: 0, units: 0)
            let used = (requests: former.requests + 1, units: former.units + units)
            if !isCancelled(.undoesBudgetWhenCancelled) { state.budgets[row] = used }
            let told = mistake == .returnsFormerBudget ? former : used
            return BudgetAmount(requests: told.requests, units: told.units)
        }
    }

    func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async throws(OutOfOrder) {
        try work()
        guard mistake != .neverSettles, mistake != .settlesDownOnly || used < reserved else { return }
        state.withLock { state in
            guard let row = state.budgets[row(period)] ?? (mistake == .settlesIntoNothing ? (0, 0) : nil) else {
                return
            }
            var units = row.units - reserved + used
            if mistake != .settlesBelowZero { units = max(units, 0) }
            if mistake != .settlesBeyondEnd { units = min(units, BudgetAmount.maximum) }
            let requests = mistake == .settlesRequests ? row.requests - 1 : row.requests
            state.budgets[self.row(period)] = (requests, units)
        }
    }

    func usedBudget(in period: BudgetPeriod) async throws(OutOfOrder) -> BudgetAmount {
        try work()
        let row = row(period)
        let used = state.withLock { $0.budgets[row] ?? (requests: 0, units: 0) }
        return BudgetAmount(requests: used.requests, units: used.units)
    }

    func removeBudgets(endedAt time: UnixTime) async throws(OutOfOrder) {
        try work()
        guard mistake != .keepsPastBudgets else { return }
        // The mistake `removesByNumber` needs the period length, which is in the holder's bytes, in days.
        let seconds = time.secondsSince1970 + (mistake == .removesCurrentBudgets ? 1 : mistake == .removesLate ? -1 : 0)
        state.withLock { state in
            state.budgets = state.budgets.filter {
                let days = $0.key.holder.dropFirst(2).prefix(2).reduce(0) { $0 << 8 | Int64($1) }
                let end = $0.key.end.secondsSince1970
                return mistake == .removesByNumber ? end / max(days, 1) > seconds : end > seconds
            }
        }
    }
}

extension KeyRecord {
    /// The record with its key serialized in version 1.
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
