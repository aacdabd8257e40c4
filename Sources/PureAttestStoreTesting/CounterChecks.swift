import PureAttest
import PureAttestServer

extension StoreConformance {
    func counterAdvancesOnce(in store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let publicKey = publicKey(round * 100)
            let fresh = try key(publicKey, counter: 0)
            _ = try await store.insertKey(record(fresh), consuming: consumed(round))
            let advanced = try (1...tasks).map { try key(publicKey, counter: UInt32($0)) }
            let outcomes = try await race(tasks, interruption) { task in
                try await store.recordUse(
                    from: fresh, to: advanced[task], at: time(Int64(task)), consuming: consumed(round, task))
            }
            let winners = outcomes.filter { $0.outcome == .recorded }.map { advanced[$0.task] }
            guard let stored = try await store.key(fresh.keyID)?.key,
                outcomes.allSatisfy({ $0.outcome == .recorded || $0.outcome == .keyChanged })
            else { return false }
            switch winners.count {
            case 1: guard stored == winners[0] else { return false }
            // No task reported success. If an advance took effect, its task was interrupted afterwards.
            case 0 where interruption != .none: guard stored == fresh || advanced.contains(stored) else { return false }
            default: return false
            }
            // Only the challenge of the task that wrote the stored state is consumed, even if that task did not report
            // success.
            for task in 0..<tasks {
                guard try await store.isConsumed(consumed(round, task).id) == (stored == advanced[task]) else {
                    return false
                }
            }
        }
        return true
    }

    func advanceConsumesOnce(in store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let publicKeys = (0..<tasks).map { publicKey((round * tasks + $0) * 20) }
            let fresh = try publicKeys.map { try key($0, counter: 0) }
            let advanced = try publicKeys.map { try key($0, counter: 1) }
            for task in 0..<tasks {
                _ = try await store.insertKey(record(fresh[task]), consuming: consumed(round, task))
            }
            let token = consumed(round)
            let outcomes = try await race(tasks, interruption) { task in
                try await store.recordUse(from: fresh[task], to: advanced[task], at: now, consuming: token)
            }
            var stored: [Int] = []
            for task in 0..<tasks where try await store.key(fresh[task].keyID)?.key != fresh[task] {
                stored.append(task)
            }
            let winners = outcomes.filter { $0.outcome == .recorded }.map(\.task)
            guard stored.count <= 1, winners.allSatisfy(stored.contains),
                outcomes.allSatisfy({ $0.outcome == .recorded || $0.outcome == .alreadyConsumed }),
                interruption != .none || winners.count == 1,
                try await store.isConsumed(token.id) == !stored.isEmpty
            else { return false }
        }
        return true
    }

    func counterLosesNothing(in store: Store) async throws -> Bool {
        let publicKey = publicKey(1)
        let fresh = try key(publicKey, counter: 0)
        _ = try await store.insertKey(record(fresh), consuming: consumed(0))
        let advances = 4
        // An attempt fails only if another task advanced the key, so each advance needs at most this many attempts. A
        // store that always fails must not stop the test.
        let attempts = tasks * advances
        let outcomes = try await race(tasks, .none) { task in
            for advance in 0..<advances {
                var isRecorded = false
                for _ in 0..<attempts where !isRecorded {
                    guard let current = try await store.key(fresh.keyID)?.key else { return false }
                    let next = try key(publicKey, counter: (current.counter ?? 0) + 1)
                    let outcome = try await store.recordUse(
                        from: current, to: next, at: now, consuming: consumed(advance, task))
                    guard outcome == .recorded || outcome == .keyChanged else { return false }
                    isRecorded = outcome == .recorded
                }
                guard isRecorded else { return false }
            }
            return true
        }
        guard outcomes.allSatisfy(\.outcome) else { return false }
        return try await store.key(fresh.keyID)?.key.counter == UInt32(attempts)
    }

    /// Tasks record different late counters, which all leave the greatest counter unchanged.
    func usedCountersAreKept(in store: Store) async throws -> Bool {
        for round in 0..<rounds {
            let publicKey = publicKey(round * 100)
            let original = try key(publicKey, usedCounters: 1)
            _ = try await store.insertKey(record(original), consuming: consumed(round))
            // Bit 0 is the greatest counter, so 63 bits are left.
            let late = try (0..<min(tasks, 63)).map { try key(publicKey, usedCounters: 1 | 2 << UInt64($0)) }
            let outcomes = try await race(late.count, .none) { task in
                try await store.recordUse(
                    from: original, to: late[task], at: now, consuming: consumed(round, task))
            }
            let winners = outcomes.filter { $0.outcome == .recorded }.map(\.task)
            guard winners.count == 1, outcomes.allSatisfy({ $0.outcome == .recorded || $0.outcome == .keyChanged }),
                try await store.key(original.keyID)?.key == late[winners[0]]
            else { return false }
        }
        return true
    }

    func oneAnswerCounts(in store: Store) async throws -> Bool {
        for round in 0..<rounds {
            let publicKey = publicKey(round * 100)
            let fresh = try key(publicKey, counter: 0)
            _ = try await store.insertKey(record(fresh), consuming: consumed(round))
            let outcomes = try await race(tasks, .none) { _ in
                // Only one attempt can advance the key, so a second attempt finds the challenge consumed.
                for _ in 0..<2 {
                    guard let current = try await store.key(fresh.keyID)?.key else { return false }
                    let next = try key(publicKey, counter: (current.counter ?? 0) + 1)
                    let outcome = try await store.recordUse(
                        from: current, to: next, at: now, consuming: consumed(round, 0))
                    if outcome != .keyChanged { return outcome == .recorded }
                }
                return false
            }
            guard outcomes.filter(\.outcome).count == 1, try await store.key(fresh.keyID)?.key.counter == 1 else {
                return false
            }
        }
        return true
    }

    func keyWithoutCounterIsUsed(in store: Store) async throws -> Bool {
        let key = try androidKey(publicKey(1))
        let original = record(key, account: AccountID("user"))
        guard try await store.insertKey(original, consuming: consumed(0)) == .inserted else { return false }
        for round in 0..<rounds {
            let used = try await race(tasks, .none) { task in
                try await store.recordUse(
                    from: key, to: key, at: time(Int64(task)), consuming: consumed(round, task))
            }
            guard used.allSatisfy({ $0.outcome == .recorded }), let stored = try await store.key(key.keyID),
                (0..<tasks).contains(where: { stored == original.used(at: time(Int64($0)), as: key) })
            else { return false }
            let repeated = try await race(tasks, .none) { _ in
                try await store.recordUse(from: key, to: key, at: now, consuming: consumed(round + 1))
            }
            guard repeated.filter({ $0.outcome == .recorded }).count == 1,
                repeated.allSatisfy({ $0.outcome == .recorded || $0.outcome == .alreadyConsumed })
            else { return false }
        }
        let last = rounds + 1
        guard try await store.revokeKey(key.keyID, at: now),
            try await store.recordUse(from: key, to: key, at: now, consuming: consumed(last)) == .keyChanged
        else { return false }
        return try await !store.isConsumed(consumed(last).id)
    }

    func counterNeverGoesBack(in store: Store) async throws -> Bool {
        let publicKey = publicKey(1)
        let states = try [0, 1, .max].map { try key(publicKey, counter: $0) }
        func advance(_ from: Int, _ to: Int, _ seconds: Int64, _ seed: Int) async throws -> KeyUse {
            try await store.recordUse(
                from: states[from], to: states[to], at: time(seconds), consuming: consumed(seed))
        }
        guard try await advance(0, 1, 1, 1) == .keyChanged else { return false }  // no such key yet
        let original = record(states[0], account: AccountID("user"), receipt: [7], dueAt: time(5))
        _ = try await store.insertKey(original, consuming: consumed(0))
        guard try await advance(0, 2, 2, 2) == .recorded else { return false }
        for (index, (from, to)) in [(0, 1), (1, 2), (1, 0)].enumerated() {
            guard try await advance(from, to, 3, 3 + index) == .keyChanged else { return false }
        }
        for seed in 0..<6 {
            guard try await store.isConsumed(consumed(seed).id) == [0, 2].contains(seed) else { return false }
        }
        let expected = original.used(at: time(2), as: states[2])
        guard try await store.key(states[0].keyID) == expected else { return false }
        let next = try key(publicKey, counter: .max, environment: .development)
        for seed in [0, 2] {
            guard
                try await store.recordUse(from: states[2], to: next, at: time(4), consuming: consumed(seed))
                    == .alreadyConsumed, try await store.key(states[0].keyID) == expected
            else { return false }
        }
        return true
    }
}
