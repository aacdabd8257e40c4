import PureAttest
import PureAttestServer

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
            guard database.withLock({ hasRoom($0.budgets[row]) }) else { return nil }
            await pause()
        }
        return database.withLock { state in
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
        database.withLock { state in
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
        let used = database.withLock { $0.budgets[row] ?? (requests: 0, units: 0) }
        return BudgetAmount(requests: used.requests, units: used.units)
    }

    func removeBudgets(endedAt time: UnixTime) async throws(OutOfOrder) {
        try work()
        guard mistake != .keepsPastBudgets else { return }
        // The mistake `removesByNumber` needs the period length, which is in the holder's bytes, in days.
        let seconds = time.secondsSince1970 + (mistake == .removesCurrentBudgets ? 1 : mistake == .removesLate ? -1 : 0)
        database.withLock { state in
            state.budgets = state.budgets.filter {
                let days = $0.key.holder.dropFirst(2).prefix(2).reduce(0) { $0 << 8 | Int64($1) }
                let end = $0.key.end.secondsSince1970
                return mistake == .removesByNumber ? end / max(days, 1) > seconds : end > seconds
            }
        }
    }
}
