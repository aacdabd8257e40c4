import PureAttestServer

extension StoreConformance {
    func isConsumedOnce(in store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let token = consumed(round)
            let outcomes = try await race(tasks, interruption) { _ in try await store.consume(token) }
            let afterwards = try await store.consume(token)
            let winners = (outcomes.map(\.outcome) + [afterwards]).filter { $0 }
            guard interruption == .none ? winners.count == 1 && !afterwards : winners.count <= 1,
                try await store.isConsumed(token.id)
            else { return false }
        }
        return true
    }

    func spentIsFound(in store: Store) async throws -> Bool {
        for id in [bytes(16, 1), bytes(17, 1), bytes(32, 2), [0], [0, 0, 0], [0, 0, 26]] {
            guard try await !store.isConsumed(id), try await store.consume(ConsumedToken(id: id, until: time(900))),
                try await store.isConsumed(id), try await !store.consume(ConsumedToken(id: id, until: time(1_000)))
            else { return false }
        }
        return try await !store.isConsumed([0, 0])
    }

    func unexpiredIsKept(by store: Store) async throws -> Bool {
        // The longest time for which a relying party keeps a token.
        let furthest = RelyingPartyConfiguration.revokedKeyListing
        for (id, until) in [(1, 1), (2, 60), (3, furthest)] as [(UInt8, Int64)] {
            _ = try await store.consume(ConsumedToken(id: [id], until: time(until)))
        }
        // Tokens that are consumed when a key is inserted or used.
        let fresh = try key(publicKey(1), counter: 0)
        _ = try await store.insertKey(record(fresh), consuming: ConsumedToken(id: [4], until: time(60)))
        _ = try await store.recordUse(
            from: fresh, to: key(publicKey(1), counter: 1), at: now, consuming: ConsumedToken(id: [5], until: time(60)))
        // Consuming a token must not remove other unexpired tokens.
        guard try await isEachConsumed([1, 2, 3, 4, 5], in: store) else { return false }
        for moment in [30, 59] as [Int64] {
            try await store.removeExpired(at: time(moment))
            guard try await isEachConsumed([2, 3, 4, 5], in: store) else { return false }
        }
        try await store.removeExpired(at: time(furthest - 1))
        guard try await !store.consume(ConsumedToken(id: [3], until: time(furthest))) else { return false }
        return try await isEachConsumed([3], in: store)
    }

    private func isEachConsumed(_ ids: [UInt8], in store: Store) async throws -> Bool {
        for id in ids {
            guard try await store.isConsumed([id]) else { return false }
        }
        return true
    }
}
