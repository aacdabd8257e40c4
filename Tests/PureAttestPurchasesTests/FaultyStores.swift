import PureAttestServer
import Synchronization

/// A store with one chosen step. Either the step fails, before or after it takes effect, or a second request runs
/// first.
final class FailingStore: PurchaseStore {
    struct Outage: Error, Hashable {}

    private let store: InMemoryStore
    private let step: Int
    private let takesEffect: Bool
    private let losesEveryWrite: Bool
    private let interruption: (@Sendable () async -> Void)?
    private let steps = Mutex(0)

    init(
        _ store: InMemoryStore, failingAt step: Int, takesEffect: Bool, losesEveryWrite: Bool = false,
        _ interruption: (@Sendable () async -> Void)? = nil
    ) {
        self.store = store
        self.step = step
        self.takesEffect = takesEffect
        self.losesEveryWrite = losesEveryWrite
        self.interruption = interruption
    }

    var count: Int { steps.withLock { $0 } }

    /// Counts a step and returns whether the step fails. Before the chosen step, the interrupting request runs.
    private func next() async -> Bool {
        let isReached = steps.withLock { steps in
            steps += 1
            return steps - 1 == step
        }
        guard isReached, let interruption else { return isReached }
        await interruption()
        return false
    }

    func purchaseRow(_ name: [UInt8]) async throws(Outage) -> [UInt8]? {
        if await next() { throw Outage() }
        return store.purchaseRow(name)
    }

    func replacePurchaseRow(_ name: [UInt8], from current: [UInt8]?, to next: [UInt8]) async throws(Outage) -> Bool {
        let fails = await self.next()
        if losesEveryWrite { return false }
        if fails && !takesEffect { throw Outage() }
        let wrote: Bool
        do { wrote = try store.replacePurchaseRow(name, from: current, to: next) } catch { throw Outage() }
        if fails { throw Outage() }
        return wrote
    }
}
final class FaultyStore: PurchaseStore {
    enum Fault: CaseIterable {
        case ignoresCurrent, overwritesRow, insertsMissing, forgets, readsThenWrites, comparesTextually, tellsLosers
    }
    typealias Failure = Never

    private let fault: Fault
    private let rows = Mutex<[[UInt8]: [UInt8]]>([:])

    init(_ fault: Fault) { self.fault = fault }

    private func name(_ name: [UInt8]) -> [UInt8] {
        fault == .comparesTextually ? Array(name.prefix { $0 != 0 }) : name
    }

    func purchaseRow(_ name: [UInt8]) async -> [UInt8]? {
        if fault == .forgets { return nil }
        return rows.withLock { $0[self.name(name)] }
    }

    func replacePurchaseRow(_ name: [UInt8], from current: [UInt8]?, to next: [UInt8]) async -> Bool {
        let name = self.name(name)
        let stored = rows.withLock { $0[name] }
        if fault == .readsThenWrites { await Task.yield() }
        return rows.withLock { rows in
            if fault != .readsThenWrites { guard isExpected(rows[name], current) else { return fault == .tellsLosers } }
            guard fault != .readsThenWrites || stored == current else { return false }
            rows[name] = next
            return true
        }
    }

    private func isExpected(_ stored: [UInt8]?, _ current: [UInt8]?) -> Bool {
        switch fault {
        case .ignoresCurrent: stored != nil && current != nil || stored == current
        case .overwritesRow: stored == current || current == nil
        case .insertsMissing: stored == current || stored == nil
        default: stored == current
        }
    }
}
