import AttestService
import Synchronization
import Testing

@Suite struct HealthCheckTests {
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

    /// While a call of the store hangs, the check makes no other call, and no request waits over a second. When the
    /// call has returned, the check calls the store again.
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
