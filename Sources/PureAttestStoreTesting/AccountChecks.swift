import PureAttest
import PureAttestServer

extension StoreConformance {
    /// Returns the keys of each account, sorted by identifier.
    private func insertAccounts(into store: Store) async throws -> [(account: AccountID?, records: [KeyRecord])] {
        let accounts: [AccountID?] = [AccountID("user"), AccountID(bytes: [])] + similarAccounts + [nil]
        var groups: [(account: AccountID?, records: [KeyRecord])] = []
        for (number, account) in accounts.enumerated() {
            var records = try (0..<9).map {
                record(try key(publicKey((number * 900 + $0 * 100)), counter: 0), account: account)
            }
            for (index, record) in records.enumerated() {
                _ = try await store.insertKey(record, consuming: consumed(number, index))
            }
            records.sort { $0.key.keyID.lexicographicallyPrecedes($1.key.keyID) }
            groups.append((account, records))
        }
        return groups
    }

    func accountKeysAreListed(in store: Store) async throws -> Bool {
        for (account, records) in try await insertAccounts(into: store) {
            guard let account else { continue }
            for limit in [1, 4, 9, 100] {
                var listed: [KeyRecord] = []
                while true {
                    let page = try await store.keys(of: account, after: listed.last?.key.keyID, limit: limit)
                    guard page.count <= limit, listed.count <= records.count else { return false }
                    listed += page
                    if page.count < limit { break }
                }
                guard listed == records else { return false }
            }
        }
        return try await store.keys(of: AccountID("nobody"), after: nil, limit: 10) == []
    }

    func accountKeysAreRevokedTogether(in store: Store) async throws -> Bool {
        let groups = try await insertAccounts(into: store)
        // If the store has a cache, reading the keys fills the cache. A revocation must not leave the old records in
        // the cache.
        guard try await isEachStored(groups.flatMap(\.records), in: store) else { return false }
        // Revokes the keys of every second account. Only one of two similar accounts is revoked, so a store that
        // confuses them breaks the rule.
        var expected: [KeyRecord] = []
        for (number, (account, records)) in groups.enumerated() {
            guard let account, number.isMultiple(of: 2) else {
                expected += records
                continue
            }
            guard let first = records.first, try await store.revokeKey(first.key.keyID, at: time(1)),
                try await store.revokeKeys(of: account, at: time(2)) == records.count - 1,
                try await store.revokeKeys(of: account, at: time(3)) == 0
            else { return false }
            // The key that was revoked individually keeps its revocation time. The other keys have the time of the
            // first bulk revocation.
            expected += records.enumerated().map { $1.revoked(at: time($0 == 0 ? 1 : 2)) }
        }
        guard try await store.revokeKeys(of: AccountID("nobody"), at: time(3)) == 0 else { return false }
        return try await isEachStored(expected, in: store)
    }

    func receiptIsClaimedOnce(in store: Store) async throws -> Bool {
        for round in 0..<rounds {
            // The first `tasks` receipts are due at different times. The last five are never due, not yet due, due for
            // a revoked key, and due outside the scope: in the other environment, and for another app.
            let due: [Int64?] = (0..<tasks).map { Int64($0 % 7) } + [nil, 1_000, 0, 0, 0]
            let records = try due.enumerated().map { index, seconds in
                record(
                    try key(
                        publicKey((round * due.count + index) * 20), counter: 0,
                        app: index == tasks + 4 ? otherApp : app,
                        environment: index == tasks + 3 ? .development : .production),
                    receipt: [UInt8(index % 256)],
                    dueAt: seconds.map(time))
            }
            let scope = ReceiptScope(apps: [appWithoutKeys, app], environment: .production)
            @Sendable func claim(_ seconds: Int64, until end: Int64, limit: Int) async throws -> [KeyRecord] {
                try await store.claimDueReceipts(of: scope, at: time(seconds), until: time(end), limit: limit)
            }
            for (index, record) in records.enumerated() {
                _ = try await store.insertKey(record, consuming: consumed(round, index))
            }
            guard try await isEachStored(records, in: store) else { return false }  // fills a cache
            _ = try await store.revokeKey(records[tasks + 2].key.keyID, at: now)
            // The store claims the receipt with the earliest due time first, and never claims more than `limit`
            // receipts.
            guard let first = try await claim(0, until: 900, limit: 1).first,
                records.contains(where: { $0.key == first.key && $0.receiptDueAt == now })
            else { return false }
            let claims = try await race(tasks, .none) { _ in try await claim(10, until: 900, limit: 2) }
            var claimed = claims.flatMap(\.outcome) + [first]
            guard claims.allSatisfy({ $0.outcome.count <= 2 }) else { return false }
            // A store may skip receipts that a concurrent call is claiming; a later call returns them.
            claimed += try await claim(10, until: 900, limit: tasks)
            let expected = records.prefix(tasks).map { $0.replacingReceipt(with: $0.receipt, dueAt: time(900)) }
            guard claimed.count == expected.count, Set(claimed) == Set(expected),
                try await claim(899, until: 1_800, limit: tasks) == []
            else { return false }
            guard try await isEachStored(expected, in: store) else { return false }
            // Receipts that were not replaced become due again.
            let again = try await claim(900, until: 1 << 40, limit: tasks * 2)
            guard again.count == tasks else { return false }
            _ = try await claim(1_000, until: 1 << 40, limit: tasks)
            // The receipts outside the scope were not postponed.
            let otherScopes = [
                ReceiptScope(apps: [app], environment: .development),
                ReceiptScope(apps: [otherApp], environment: .production),
            ]
            for (other, expected) in zip(otherScopes, records.suffix(2)) {
                let claimed = try await store.claimDueReceipts(
                    of: other, at: now, until: time(1 << 40), limit: tasks)
                guard claimed.map(\.key) == [expected.key] else { return false }
            }
        }
        return true
    }

    func receiptIsReplacedOnce(in store: Store) async throws -> Bool {
        for round in 0..<rounds {
            let fresh = try key(publicKey(round * 100), counter: 0)
            let original = record(fresh, account: AccountID("user"), receipt: bytes(4_000, 1), dueAt: now)
            guard try await !store.replaceReceipt(of: fresh.keyID, from: original.receipt, to: [1], dueAt: nil) else {
                return false  // no such key yet
            }
            _ = try await store.insertKey(original, consuming: consumed(round))
            guard try await store.key(fresh.keyID) == original else { return false }  // fills a cache
            let outcomes = try await race(tasks, .none) { task in
                try await store.replaceReceipt(
                    of: fresh.keyID, from: original.receipt, to: bytes(4_000, 2 + task),
                    dueAt: task.isMultiple(of: 2) ? nil : time(Int64(task)))
            }
            let winners = outcomes.filter(\.outcome).map(\.task)
            guard winners.count == 1 else { return false }
            let expected = original.replacingReceipt(
                with: bytes(4_000, 2 + winners[0]),
                dueAt: winners[0].isMultiple(of: 2) ? nil : time(Int64(winners[0])))
            guard try await store.key(fresh.keyID) == expected else { return false }
        }
        return true
    }
}
