import PureAttestServer

extension StoreConformance {
    func isSpentOnce(in store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let spending = spending(round)
            let outcomes = try await race(tasks, interruption) { _ in try await store.spend(spending) }
            let afterwards = try await store.spend(spending)
            let winners = (outcomes.map(\.outcome) + [afterwards]).filter { $0 }
            guard interruption == .none ? winners.count == 1 && !afterwards : winners.count <= 1,
                try await store.isSpent(spending.id)
            else { return false }
        }
        return true
    }

    func spentIsFound(in store: Store) async throws -> Bool {
        for id in [bytes(16, 1), bytes(17, 1), bytes(32, 2), [0]] {
            guard try await !store.isSpent(id), try await store.spend(Spending(id: id, until: time(900))),
                try await store.isSpent(id), try await !store.spend(Spending(id: id, until: time(1_000)))
            else { return false }
        }
        return try await !store.isSpent([0, 0])
    }

    func unexpiredIsKept(by store: Store) async throws -> Bool {
        // The furthest that a relying party remembers anything.
        let furthest = RelyingPartyConfiguration.revokedKeyListing
        for (id, until) in [(1, 1), (2, 60), (3, furthest)] as [(UInt8, Int64)] {
            _ = try await store.spend(Spending(id: [id], until: time(until)))
        }
        // Those that are spent with a key, too.
        let fresh = try key(publicKey(1), counter: 0)
        _ = try await store.insertKey(record(fresh), spending: Spending(id: [4], until: time(60)))
        _ = try await store.advanceCounter(
            from: fresh, to: key(publicKey(1), counter: 1), at: now, spending: Spending(id: [5], until: time(60)))
        // Spending one is no reason to forget another, whose time is not over.
        guard try await isEachSpent([1, 2, 3, 4, 5], in: store) else { return false }
        for moment in [30, 59] as [Int64] {
            try await store.removeExpired(at: time(moment))
            guard try await isEachSpent([2, 3, 4, 5], in: store) else { return false }
        }
        try await store.removeExpired(at: time(furthest - 1))
        guard try await !store.spend(Spending(id: [3], until: time(furthest))) else { return false }
        return try await isEachSpent([3], in: store)
    }

    private func isEachSpent(_ ids: [UInt8], in store: Store) async throws -> Bool {
        for id in ids {
            guard try await store.isSpent([id]) else { return false }
        }
        return true
    }
}
