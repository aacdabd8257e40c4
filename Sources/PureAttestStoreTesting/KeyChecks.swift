import PureAttest
import PureAttestServer

extension StoreConformance {
    func keyIsKept(by store: Store) async throws -> Bool {
        let records = [
            record(try key(publicKey(1), counter: 0)),
            record(
                try key(publicKey(100), counter: .max), account: AccountID(bytes: []), receipt: bytes(6_000, 5),
                dueAt: time(-1)),
            record(try key(publicKey(200), counter: 7, environment: .development), account: AccountID("user")),
            record(
                try key(publicKey(300), counter: 1 << 31), account: similarAccounts[0], receipt: [0],
                dueAt: time(1 << 33)),
            record(try key(publicKey(400), counter: 3, withMultiples: true)),
            record(try androidKey(publicKey(500)), account: AccountID("user")),
            // The same public key on both platforms gives two records.
            record(try androidKey(publicKey(1))),
        ]
        for (index, record) in records.enumerated() {
            guard try await store.key(record.key.keyID) == nil,
                try await store.insertKey(record, consuming: consumed(index)) == .inserted
            else { return false }
        }
        return try await isEachStored(records, in: store)
    }

    func isEachStored(_ records: [KeyRecord], in store: Store) async throws -> Bool {
        for record in records {
            guard try await store.key(record.key.keyID) == record else { return false }
        }
        return true
    }

    func keyIsInsertedOnce(into store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let key = try key(publicKey(round * 100), counter: 0)
            let records = (0..<tasks).map { task in
                record(key, account: AccountID(bytes: [UInt8(truncatingIfNeeded: task)]))
            }
            let outcomes = try await race(tasks, interruption) { task in
                try await store.insertKey(records[task], consuming: consumed(round, task))
            }
            let stored = try await store.key(key.keyID)
            let winners = outcomes.filter { $0.outcome == .inserted }.map(\.task)
            switch winners.count {
            case 1: guard stored == records[winners[0]] else { return false }
            // No task reported success. If an insertion took effect, its task was interrupted afterwards.
            case 0 where interruption != .none:
                guard stored.map(records.contains) ?? true else { return false }
            default: return false
            }
            for (task, outcome) in outcomes {
                switch outcome {
                case .inserted: break
                case .existing(let existing): guard existing == stored else { return false }
                case .alreadyConsumed: return false
                }
                // Every task that did not throw has consumed its challenge.
                guard try await store.isConsumed(consumed(round, task).id) else { return false }
            }
        }
        return true
    }

    func insertionConsumesOnce(in store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let keys = try (0..<tasks).map { try key(publicKey((round * tasks + $0) * 20), counter: 0) }
            let token = consumed(round)
            let outcomes = try await race(tasks, interruption) { task in
                try await store.insertKey(record(keys[task]), consuming: token)
            }
            var stored: [Int] = []
            for task in 0..<tasks where try await store.key(keys[task].keyID) != nil { stored.append(task) }
            let winners = outcomes.filter { $0.outcome == .inserted }.map(\.task)
            guard stored.count <= 1, winners.allSatisfy(stored.contains),
                outcomes.allSatisfy({ $0.outcome == .inserted || $0.outcome == .alreadyConsumed }),
                interruption != .none || winners.count == 1,
                try await store.isConsumed(token.id) == !stored.isEmpty
            else { return false }
        }
        return true
    }

    func insertionKeepsExisting(in store: Store) async throws -> Bool {
        let fresh = try key(publicKey(1), counter: 0)
        let advanced = try key(publicKey(1), counter: 5)
        let original = record(fresh, account: AccountID("first"), receipt: [1], dueAt: time(9))
        guard try await store.insertKey(original, consuming: consumed(1)) == .inserted,
            try await store.recordUse(from: fresh, to: advanced, at: time(2), consuming: consumed(2)) == .recorded,
            try await store.revokeKey(fresh.keyID, at: time(1))
        else { return false }
        let expected = original.used(at: time(2), as: advanced).revoked(at: time(1))
        let other = record(fresh, account: AccountID("second"), receipt: [2])
        guard try await store.insertKey(other, consuming: consumed(3)) == .existing(expected),
            try await store.insertKey(other, consuming: consumed(3)) == .alreadyConsumed,
            try await store.insertKey(record(key(publicKey(100), counter: 0)), consuming: consumed(1))
                == .alreadyConsumed,
            try await store.key(key(publicKey(100), counter: 0).keyID) == nil
        else { return false }
        return try await store.key(fresh.keyID) == expected
    }

    func revocationHolds(in store: Store) async throws -> Bool {
        let fresh = try key(publicKey(1), counter: 0)
        let advanced = try key(publicKey(1), counter: 1)
        guard try await !store.revokeKey(fresh.keyID, at: now) else { return false }  // no such key yet
        _ = try await store.insertKey(record(fresh), consuming: consumed(1))
        guard try await store.key(fresh.keyID) == record(fresh) else { return false }  // fills a cache
        let outcomes = try await race(tasks, .none) { task in
            try await store.revokeKey(fresh.keyID, at: time(Int64(task)))
        }
        let winners = outcomes.filter(\.outcome).map(\.task)
        guard winners.count == 1 else { return false }
        let revoked = record(fresh).revoked(at: time(Int64(winners[0])))
        guard try await store.key(fresh.keyID) == revoked,
            try await store.recordUse(from: fresh, to: advanced, at: now, consuming: consumed(2)) == .keyChanged,
            try await !store.isConsumed(consumed(2).id)
        else { return false }
        // Revocation is permanent; it does not expire with the key's tokens.
        try await store.removeExpired(at: time(1 << 40))
        return try await store.key(fresh.keyID) == revoked
    }

    /// In each round, four tasks concurrently use and revoke one key, and replace and claim its receipt. Further tasks
    /// repeat the claim. Each of the four methods starts first in every fourth round.
    func methodsKeepEachOthersWrites(in store: Store) async throws -> Bool {
        for round in 0..<rounds {
            let publicKey = publicKey(round * 100)
            let (fresh, advanced) = (try key(publicKey, counter: 0), try key(publicKey, counter: 1))
            let original = record(fresh, account: AccountID("user"), receipt: [1], dueAt: now)
            _ = try await store.insertKey(original, consuming: consumed(round))
            guard try await store.key(fresh.keyID) == original else { return false }  // fills a cache
            let token = consumed(round, 0)
            let outcomes = try await race(tasks, .none) { task in
                let method = task < 4 ? (task + round) % 4 : 3
                let succeeded =
                    switch method {
                    case 0:
                        try await store.recordUse(from: fresh, to: advanced, at: time(2), consuming: token) == .recorded
                    case 1: try await store.revokeKey(fresh.keyID, at: time(1))
                    case 2: try await store.replaceReceipt(of: fresh.keyID, from: [1], to: [2], dueAt: time(9))
                    default:
                        try await store.claimDueReceipts(
                            of: ReceiptScope(apps: [app], environment: .production), at: now, until: time(900), limit: 1
                        ).count <= 1
                    }
                return (isUse: method == 0, succeeded: succeeded)
            }.map(\.outcome)
            // Only the use may fail: a revocation that came first rejects it.
            guard outcomes.allSatisfy({ $0.isUse || $0.succeeded }) else { return false }
            let isUsed = outcomes.contains { $0.isUse && $0.succeeded }
            let after = original.replacingReceipt(with: [2], dueAt: time(9)).revoked(at: time(1))
            guard try await store.key(fresh.keyID) == (isUsed ? after.used(at: time(2), as: advanced) : after),
                try await store.isConsumed(token.id) == isUsed
            else { return false }
        }
        return true
    }
}
