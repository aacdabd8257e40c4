public import PureAttestServer

/// Tests each rule of a `PurchaseStore` on a new store, as ``StoreConformance`` does for a `RelyingPartyStore`.
public struct PurchaseStoreConformance<Store: PurchaseStore>: Sendable {
    let makeStore: @Sendable () async throws -> Store
    let tasks: Int
    let rounds: Int

    /// Creates a conformance test; see ``StoreConformance/init(tasks:rounds:makeStore:)``.
    public init(tasks: Int = 32, rounds: Int = 8, makeStore: @escaping @Sendable () async throws -> Store) {
        self.tasks = max(tasks, 4)
        self.rounds = max(rounds, 1)
        self.makeStore = makeStore
    }

    /// Returns the rules that the store broke, in order; empty for a conforming store.
    public func violations() async -> [PurchaseStoreRule] {
        var violations: [PurchaseStoreRule] = []
        for rule in PurchaseStoreRule.allCases {
            let holds = try? await holds(rule, for: try await makeStore())
            if holds != true { violations.append(rule) }
        }
        return violations
    }

    private func holds(_ rule: PurchaseStoreRule, for store: Store) async throws -> Bool {
        switch rule {
        case .rowIsKept: try await rowIsKept(by: store)
        case .rowIsWrittenOnce: try await rowIsWrittenOnce(to: store, .none)
        case .rowIsWrittenOnceUnderCancellation: try await rowIsWrittenOnce(to: store, .cancellation)
        case .rowIsWrittenOnceUnderErrors: try await rowIsWrittenOnce(to: store, .error)
        case .noWriteIsLost: try await noWriteIsLost(in: store)
        }
    }

    private func rowIsKept(by store: Store) async throws -> Bool {
        // Includes a name that is a prefix of another name, and values of one byte and of the maximum row length.
        let names = [bytes(3, 1), bytes(4, 1), bytes(67, 2), bytes(128, 3), [0], [0, 0]]
        for (index, name) in names.enumerated() {
            let (first, second) = (bytes(index == 0 ? 1 : 4_096, index), bytes(40, 100 + index))
            guard try await store.purchaseRow(name) == nil,
                try await !store.replacePurchaseRow(name, from: first, to: second),
                try await store.purchaseRow(name) == nil,
                try await store.replacePurchaseRow(name, from: nil, to: first),
                try await !store.replacePurchaseRow(name, from: nil, to: second),
                try await !store.replacePurchaseRow(name, from: second, to: bytes(5, 1)),
                try await !store.replacePurchaseRow(name, from: first + [0], to: second),
                try await !store.replacePurchaseRow(name, from: Array(first.dropLast()) + [1], to: second),
                try await store.purchaseRow(name) == first,
                try await store.replacePurchaseRow(name, from: first, to: second),
                try await !store.replacePurchaseRow(name, from: first, to: second)
            else { return false }
        }
        for (index, name) in names.enumerated() {
            guard try await store.purchaseRow(name) == bytes(40, 100 + index) else { return false }
        }
        return true
    }

    /// Many tasks write one row from the same state. The row does not exist at the start of even rounds, and exists at
    /// the start of odd rounds.
    private func rowIsWrittenOnce(to store: Store, _ interruption: Interruption) async throws -> Bool {
        for round in 0..<rounds {
            let name = bytes(35, round)
            let current: [UInt8]? = round % 2 == 0 ? nil : bytes(50, round)
            if let current { _ = try await store.replacePurchaseRow(name, from: nil, to: current) }
            let outcomes = try await race(tasks, interruption) { task in
                try await store.replacePurchaseRow(name, from: current, to: bytes(60, 1_000 + task))
            }
            let winners = outcomes.filter(\.outcome).map(\.task)
            let stored = try await store.purchaseRow(name)
            if let winner = winners.first {
                guard winners.count == 1, stored == bytes(60, 1_000 + winner) else { return false }
            } else {
                // No task reported success. If a write took effect, its task was interrupted afterwards.
                guard interruption != .none,
                    stored == current || (0..<tasks).contains(where: { stored == bytes(60, 1_000 + $0) })
                else { return false }
            }
        }
        return true
    }

    /// Tasks append to one row and retry failed writes. A write fails only if another task wrote, so `tasks` attempts
    /// suffice.
    private func noWriteIsLost(in store: Store) async throws -> Bool {
        _ = try await race(tasks, .none) { task in
            for _ in 0..<tasks {
                let current = try await store.purchaseRow([7])
                let next = (current ?? []) + [UInt8(truncatingIfNeeded: task)]
                if try await store.replacePurchaseRow([7], from: current, to: next) { return }
            }
        }
        let stored = try await store.purchaseRow([7]) ?? []
        return stored.sorted() == (0..<tasks).map { UInt8(truncatingIfNeeded: $0) }.sorted()
    }
}

/// The rules of a `PurchaseStore`.
public enum PurchaseStoreRule: String, CaseIterable, Hashable, Sendable {
    /// A row is returned as it was written. Only a call that passes the row's current bytes replaces it.
    case rowIsKept
    /// Of concurrent writes from one state, exactly one succeeds and is stored.
    case rowIsWrittenOnce
    /// ``rowIsWrittenOnce`` also holds if tasks are cancelled.
    case rowIsWrittenOnceUnderCancellation
    /// ``rowIsWrittenOnce`` also holds if a task fails.
    case rowIsWrittenOnceUnderErrors
    /// If concurrent tasks retry their failed writes, no write is lost.
    case noWriteIsLost
}
