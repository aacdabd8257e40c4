import AttestService
import Foundation
import PostgreSQLStore
import Synchronization
import Testing

/// What many requests share: a queue, and the store's health.
@Suite struct QueueTests {
    /// A value that is counted while it lives.
    private final class Counted: Sendable {
        static let living = Mutex(0)
        let number: Int
        init(_ number: Int) {
            self.number = number
            Self.living.withLock { $0 += 1 }
        }
        deinit { Self.living.withLock { $0 -= 1 } }
    }

    /// Under a constant load that never lets it become empty, the queue keeps what waits and nothing else.
    @Test func aQueueThatIsNeverEmptyReleasesElements() {
        var queue = FIFOQueue<Counted>()
        #expect(queue.popFirst() == nil && queue.isEmpty)
        var (appended, popped, most) = (0, 0, 0)
        for _ in 0..<5 {
            queue.append(Counted(appended))
            appended += 1
        }
        for round in 0..<100_000 {
            for _ in 0..<(round % 3 + 1) {
                queue.append(Counted(appended))
                appended += 1
            }
            while queue.count > 5 {
                #expect(queue.popFirst()?.number == popped)
                popped += 1
            }
            most = max(most, Counted.living.withLock { $0 })
        }
        #expect(appended == 200_004 && popped == appended - 5 && queue.count == 5)
        #expect(most == 5)
    }

    /// However many requests ask: one call a second.
    @Test func aFloodAsksTheStoreOnceASecond() async throws {
        let calls = Atomic(0)
        let check = HealthCheck {
            calls.add(1, ordering: .relaxed)
            try? await Task.sleep(for: .milliseconds(20))
            return true
        }
        let start = ContinuousClock.now
        let healthy = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now - start < .milliseconds(2_500) {
                        count += await check.isHealthy() ? 1 : 0
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(healthy > 1_000)
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        #expect(2...(seconds + 1) ~= calls.load(ordering: .relaxed))
    }

    /// A store that hangs is asked once, and no request waits longer than a second for it. Afterwards it is asked again.
    @Test func aStoreThatHangsHoldsNoRequest() async throws {
        let calls = Atomic(0)
        let (gate, open) = AsyncStream<Void>.makeStream()
        let check = HealthCheck {
            if calls.add(1, ordering: .relaxed).newValue == 1 { for await _ in gate { break } }
            return true
        }
        for attempt in 0..<3 {
            let start = ContinuousClock.now
            let healthy = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<500 { group.addTask { await check.isHealthy() } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(healthy == 0 && ContinuousClock.now - start < .seconds(attempt == 0 ? 5 : 1))
        }
        #expect(calls.load(ordering: .relaxed) == 1)
        open.yield()
        try await Task.sleep(for: .milliseconds(100))
        #expect(await check.isHealthy())
        #expect(calls.load(ordering: .relaxed) == 2)
    }
}
