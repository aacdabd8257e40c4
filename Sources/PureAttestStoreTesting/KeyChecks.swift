import PureAttest
import PureAttestServer

extension StoreConformance {
    func keyIsKept(by store: Store) async throws -> Bool {
        let records = [
            record(try key(publicKey(1), counter: 0)),
            record(try key(publicKey(100), counter: .max), account: AccountID(bytes: []), receipt: bytes(6_000, 5)),
            record(try key(publicKey(200), counter: 7, environment: .development), account: AccountID("user")),
            record(try key(publicKey(300), counter: 1 << 31), account: AccountID("user"), receipt: [0]),
        ]
        for record in records {
            guard try await store.key(record.key.keyID) == nil, try await store.insertKey(record) == nil else {
                return false
            }
        }
        for record in records {
            guard try await store.key(record.key.keyID) == record else { return false }
        }
        return true
    }

    func keyIsInsertedOnce(into store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let key = try key(publicKey(UInt16(round) * 100), counter: 0)
            let records = (0..<tasks).map { task in
                record(key, account: AccountID(bytes: [UInt8(truncatingIfNeeded: task)]))
            }
            let outcomes = try await race(tasks, interruption) { try await store.insertKey(records[$0]) }
            let stored = try await store.key(key.keyID)
            let winners = outcomes.filter { $0.outcome == nil }.map(\.task)
            switch winners.count {
            case 1: guard stored == records[winners[0]] else { return false }
            // Nobody was told of success: the one that took effect, if any, was interrupted afterwards.
            case 0 where interruption != .none:
                guard stored.map(records.contains) ?? true else { return false }
            default: return false
            }
            guard outcomes.allSatisfy({ $0.outcome == nil || $0.outcome == stored }) else { return false }
        }
        return true
    }

    func insertionKeepsExisting(in store: Store) async throws -> Bool {
        let fresh = try key(publicKey(1), counter: 0)
        let advanced = try key(publicKey(1), counter: 5)
        let original = record(fresh, account: AccountID("first"))
        guard try await store.insertKey(original) == nil, try await store.advanceCounter(from: fresh, to: advanced),
            try await store.revokeKey(fresh.keyID, at: time(1))
        else { return false }
        let expected = record(advanced, account: AccountID("first"), revokedAt: time(1))
        guard try await store.insertKey(record(fresh, account: AccountID("second"))) == expected else { return false }
        return try await store.key(fresh.keyID) == expected
    }

    func counterAdvancesOnce(in store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let publicKey = publicKey(UInt16(round) * 100)
            let fresh = try key(publicKey, counter: 0)
            _ = try await store.insertKey(record(fresh))
            let advanced = try (1...tasks).map { try key(publicKey, counter: UInt32($0)) }
            let outcomes = try await race(tasks, interruption) { task in
                try await store.advanceCounter(from: fresh, to: advanced[task])
            }
            let winners = outcomes.filter(\.outcome).map { advanced[$0.task] }
            guard let stored = try await store.key(fresh.keyID)?.key else { return false }
            switch winners.count {
            case 1: guard stored == winners[0] else { return false }
            // Nobody was told of success: the one that took effect, if any, was interrupted afterwards.
            case 0 where interruption != .none: guard stored == fresh || advanced.contains(stored) else { return false }
            default: return false
            }
        }
        return true
    }

    func counterLosesNothing(in store: Store) async throws -> Bool {
        let publicKey = publicKey(1)
        let fresh = try key(publicKey, counter: 0)
        _ = try await store.insertKey(record(fresh))
        let advances = 4
        let outcomes = try await race(tasks, .none) { _ in
            for _ in 0..<advances {
                while true {
                    guard let current = try await store.key(fresh.keyID)?.key else { return false }
                    let next = try key(publicKey, counter: current.counter + 1)
                    if try await store.advanceCounter(from: current, to: next) { break }
                }
            }
            return true
        }
        guard outcomes.allSatisfy(\.outcome) else { return false }
        return try await store.key(fresh.keyID)?.key.counter == UInt32(tasks * advances)
    }

    func counterNeverGoesBack(in store: Store) async throws -> Bool {
        let publicKey = publicKey(1)
        let states = try [0, 1, .max].map { try key(publicKey, counter: $0) }
        guard try await !store.advanceCounter(from: states[0], to: states[1]) else { return false }  // no such key yet
        _ = try await store.insertKey(record(states[0]))
        guard try await store.advanceCounter(from: states[0], to: states[2]),
            try await !store.advanceCounter(from: states[0], to: states[1]),
            try await !store.advanceCounter(from: states[1], to: states[2]),
            try await !store.advanceCounter(from: states[1], to: states[0])
        else { return false }
        return try await store.key(states[0].keyID)?.key == states[2]
    }

    func revocationHolds(in store: Store) async throws -> Bool {
        let fresh = try key(publicKey(1), counter: 0)
        let advanced = try key(publicKey(1), counter: 1)
        guard try await !store.revokeKey(fresh.keyID, at: now) else { return false }  // no such key yet
        _ = try await store.insertKey(record(fresh))
        let outcomes = try await race(tasks, .none) { task in
            try await store.revokeKey(fresh.keyID, at: time(Int64(task)))
        }
        let winners = outcomes.filter(\.outcome).map(\.task)
        guard winners.count == 1, try await !store.advanceCounter(from: fresh, to: advanced) else { return false }
        // For good, and not for as long as the key's tokens live.
        try await store.removeExpired(at: time(1 << 40))
        return try await store.key(fresh.keyID) == record(fresh, revokedAt: time(Int64(winners[0])))
    }
}
