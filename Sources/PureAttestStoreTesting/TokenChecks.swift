import PureAttestServer

extension StoreConformance {
    func tokenIsDeniedOnce(in store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let id = bytes(16, round)
            let outcomes = try await race(tasks, interruption) { _ in try await store.denyToken(id, until: time(900)) }
            let afterwards = try await store.denyToken(id, until: time(900))
            let winners = (outcomes.map(\.outcome) + [afterwards]).filter { $0 }
            guard interruption == .none ? winners.count == 1 && !afterwards : winners.count <= 1,
                try await store.isTokenDenied(id)
            else { return false }
        }
        return true
    }

    func tokenIsListed(in store: Store) async throws -> Bool {
        for id in [bytes(16, 1), bytes(32, 2), [0]] {
            guard try await !store.isTokenDenied(id), try await store.denyToken(id, until: time(900)),
                try await store.isTokenDenied(id), try await !store.denyToken(id, until: time(1_000))
            else { return false }
        }
        return try await !store.isTokenDenied([0, 0])
    }
}
