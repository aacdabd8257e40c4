import PureAttestServer

extension StoreConformance {
    func challengeIsKept(by store: Store) async throws -> Bool {
        let challenges = [
            challenge(0), challenge(101, account: AccountID("user")), challenge(202, account: AccountID(bytes: [])),
            challenge(303, account: AccountID(bytes: bytes(40, 9))),
        ]
        for challenge in challenges { try await store.insertChallenge(challenge) }
        guard try await store.consumeChallenge(bytes(Challenge.idByteCount, 404)) == nil else { return false }
        for challenge in challenges.reversed() {
            guard try await store.consumeChallenge(challenge.id) == challenge,
                try await store.consumeChallenge(challenge.id) == nil
            else { return false }
        }
        return true
    }

    func challengeIsConsumedOnce(from store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let challenge = challenge(1_000 * round)
            try await store.insertChallenge(challenge)
            let outcomes = try await race(tasks, interruption) { _ in try await store.consumeChallenge(challenge.id) }
            let left = try await store.consumeChallenge(challenge.id)
            // One that took effect and then threw has no winner; there may be a winner among those that were not.
            let winners = (outcomes.map(\.outcome) + [left]).filter { $0 != nil }
            guard interruption == .none ? winners == [challenge] && left == nil : winners.count <= 1,
                winners.allSatisfy({ $0 == challenge })
            else { return false }
        }
        return true
    }

    func unexpiredIsKept(by store: Store) async throws -> Bool {
        let short = challenge(1, lifetime: 1)
        let long = challenge(2, lifetime: 60)
        try await store.insertChallenge(short)
        try await store.insertChallenge(long)
        // The furthest that a relying party lists anything.
        let furthest = RelyingPartyConfiguration.revokedKeyListing
        for (id, until) in [(1, 1), (2, 60), (3, furthest)] as [(UInt8, Int64)] {
            _ = try await store.denyToken([id], until: time(until))
        }
        // Listing one is no reason to forget another, whose time is not over.
        guard try await isEachDenied([1, 2, 3], by: store) else { return false }
        for moment in [30, 59] as [Int64] {
            try await store.removeExpired(at: time(moment))
            guard try await isEachDenied([2, 3], by: store) else { return false }
        }
        guard try await store.consumeChallenge(long.id) == long else { return false }
        try await store.removeExpired(at: time(furthest - 1))
        guard try await !store.denyToken([3], until: time(furthest)) else { return false }
        return try await isEachDenied([3], by: store)
    }

    private func isEachDenied(_ ids: [UInt8], by store: Store) async throws -> Bool {
        for id in ids {
            guard try await store.isTokenDenied([id]) else { return false }
        }
        return true
    }
}
