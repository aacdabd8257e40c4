import PureBytes
import PureAttest
import PureAttestServer

extension StoreConformance {
    /// Returns the row of a key's budget, in the encoding that ``BudgetPeriod/holder`` describes.
    private func row(
        _ key: UInt8, endsAt end: UnixTime = time(3_600), days: UInt16 = 1, _ environment: Environment = .production
    ) -> BudgetPeriod {
        BudgetPeriod(holder: [1, environment.rawValue] + bigEndian(days) + bytes(32, Int(key)), end: end)
    }

    private func spend(
        _ units: Int64, in row: BudgetPeriod, upTo limit: BudgetAmount, of store: Store
    ) async throws -> BudgetAmount? {
        try await store.spendBudget(units, in: row, upTo: limit, at: now)
    }

    private func amount(_ requests: Int64, _ units: Int64) -> BudgetAmount {
        BudgetAmount(requests: requests, units: units)
    }

    /// Many tasks concurrently consume the last requests or units, from a new row and from an existing row.
    func budgetIsNotOverspent(in store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let row = row(UInt8(truncatingIfNeeded: round))
            let isThere = round % 2 == 1
            let room = Int64(tasks / 3)
            // Each request costs three units. Half of the rounds reach the limit on requests; the other half reach the
            // limit on units.
            let first: Int64 = isThere ? 1 : 0
            let most = first + room
            let limit = round % 4 < 2 ? amount(most, BudgetAmount.maximum) : amount(BudgetAmount.maximum, 3 * most + 2)
            if isThere {
                guard try await spend(3, in: row, upTo: limit, of: store) == amount(1, 3) else { return false }
            }
            let outcomes = try await race(tasks, interruption) { _ in
                try await spend(3, in: row, upTo: limit, of: store)
            }
            let told = outcomes.compactMap(\.outcome)
            let used = try await store.usedBudget(in: row)
            // Each successful call returns a different sum, and the row includes the charges of all these calls.
            guard Set(told).count == told.count, told.count <= Int(room), used.units == 3 * used.requests,
                used.requests >= first + Int64(told.count), used.requests <= most,
                told.allSatisfy({ $0.units == 3 * $0.requests && $0.requests <= used.requests })
            else { return false }
            guard interruption != .none || told.count == Int(room) && used.requests == most else { return false }
        }
        return true
    }

    func budgetLimitsHold(in store: Store) async throws -> Bool {
        let largest = BudgetAmount.maximum
        // The limit applies to the first request too, and a rejected request creates no row.
        for (limit, units) in [
            (amount(0, 10), 0), (amount(0, 10), 1), (amount(5, 10), 11), (amount(5, 0), 1), (amount(0, 0), 0),
            (amount(5, largest - 1), largest),
        ] as [(BudgetAmount, Int64)] {
            guard try await spend(units, in: row(1), upTo: limit, of: store) == nil,
                try await store.usedBudget(in: row(1)) == amount(0, 0)
            else { return false }
        }
        // Charges succeed up to the last unit and the last request, but no further. The limit may change between calls.
        guard try await spend(4, in: row(1), upTo: amount(3, 10), of: store) == amount(1, 4),
            try await spend(7, in: row(1), upTo: amount(3, 10), of: store) == nil,
            try await spend(6, in: row(1), upTo: amount(3, 10), of: store) == amount(2, 10),
            try await spend(1, in: row(1), upTo: amount(3, 10), of: store) == nil,
            try await spend(0, in: row(1), upTo: amount(3, 10), of: store) == amount(3, 10),
            try await spend(0, in: row(1), upTo: amount(3, 10), of: store) == nil,
            try await spend(0, in: row(1), upTo: amount(2, 5), of: store) == nil,
            try await spend(1, in: row(1), upTo: amount(4, 11), of: store) == amount(4, 11)
        else { return false }
        let limit = amount(largest, largest)
        guard try await spend(largest, in: row(2), upTo: limit, of: store) == amount(1, largest),
            try await spend(1, in: row(2), upTo: limit, of: store) == nil,
            try await spend(largest, in: row(2), upTo: limit, of: store) == nil,
            try await spend(0, in: row(2), upTo: limit, of: store) == amount(2, largest)
        else { return false }
        return try await store.usedBudget(in: row(2)) == amount(2, largest)
    }

    func budgetsAreApart(in store: Store) async throws -> Bool {
        let ends: [Int64] = [.min, -1, 0, 1, now.secondsSince1970, .max]
        let parties = ([1, 30, 256, 3_660] as [UInt16]).flatMap { [row(7, days: $0), row(7, days: $0, .development)] }
        let holders = [[1], [2], [1, 0], [2] + bytes(256, 7), bytes(33, 8)] + parties.map(\.holder)
        let rows = holders.flatMap { holder in
            ends.map { BudgetPeriod(holder: holder, end: UnixTime(secondsSince1970: $0)) }
        }
        for (index, row) in rows.enumerated() {
            let units = Int64(index)
            guard try await spend(units, in: row, upTo: amount(1, units), of: store) == amount(1, units) else {
                return false
            }
        }
        for (index, row) in rows.enumerated() {
            try await store.settleBudget(row, reserved: Int64(index), used: Int64(2 * index))
        }
        for (index, row) in rows.enumerated() {
            guard try await store.usedBudget(in: row) == amount(1, Int64(2 * index)) else { return false }
        }
        return true
    }

    func budgetIsSettled(in store: Store) async throws -> Bool {
        let limit = amount(10, 100)
        let largest = BudgetAmount.maximum
        // Settling an unknown row has no effect.
        try await store.settleBudget(row(1), reserved: 0, used: 5)
        guard try await store.usedBudget(in: row(1)) == amount(0, 0) else { return false }
        _ = try await spend(60, in: row(1), upTo: limit, of: store)
        _ = try await spend(40, in: row(1), upTo: limit, of: store)
        // Each tuple: the units reserved, the units used, and the row's units after settling. The settlements lower the
        // row's units, raise them above the limit, leave them unchanged, and clamp them to zero and to the maximum.
        for (reserved, used, units) in [
            (60, 10, 50), (40, 130, 140), (7, 7, 140), (largest, 0, 0), (1, 0, 0), (0, 100, 100), (0, largest, largest),
            (largest, largest, largest), (0, 1, largest), (largest, 3, 3),
        ] as [(Int64, Int64, Int64)] {
            try await store.settleBudget(row(1), reserved: reserved, used: used)
            guard try await store.usedBudget(in: row(1)) == amount(2, units) else { return false }
            if units >= 100 {
                guard try await spend(1, in: row(1), upTo: limit, of: store) == nil else { return false }
            }
        }
        // Settling below zero gives no additional units.
        try await store.settleBudget(row(1), reserved: 50, used: 0)
        guard try await spend(5, in: row(1), upTo: limit, of: store) == amount(3, 5) else { return false }
        // Tasks settle while others charge units.
        let many = amount(largest, largest)
        _ = try await race(tasks, .none) { _ in
            _ = try await spend(9, in: self.row(2), upTo: many, of: store)
            try await store.settleBudget(self.row(2), reserved: 9, used: 4)
        }
        return try await store.usedBudget(in: row(2)) == amount(Int64(tasks), 4 * Int64(tasks))
    }

    func pastBudgetsAreRemoved(from store: Store) async throws -> Bool {
        // Two environments and two keys, with periods of several lengths in production. A store that numbers the
        // periods of each length and sorts by number would treat the longest periods as the oldest.
        let parties: [(days: UInt16, environment: Environment)] = [
            (1, .production), (30, .production), (3_660, .production), (1, .development),
        ]
        let ends = [-86_400, -1, 0, 1, 86_400, 30 * 86_400].map { time($0) }
        let rows = parties.flatMap { party in
            ([1, 2] as [UInt8]).flatMap { key in
                ends.map { row(key, endsAt: $0, days: party.days, party.environment) }
            }
        }
        for row in rows { _ = try await spend(1, in: row, upTo: amount(5, 5), of: store) }
        try await store.removeBudgets(endedAt: now)
        try await store.removeBudgets(endedAt: time(-86_400))
        for row in rows {
            let used = try await store.usedBudget(in: row)
            guard used == (row.end > now ? amount(1, 1) : amount(0, 0)) else { return false }
        }
        // A late settlement does not restore a removed row.
        let past = row(1, endsAt: now)
        try await store.settleBudget(past, reserved: 1, used: 3)
        return try await store.usedBudget(in: past) == amount(0, 0)
    }
}
