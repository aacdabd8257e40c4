import PostgreSQLStore
import Synchronization
import Testing

@Suite struct QueueTests {
    private final class Counted: Sendable {
        static let living = Mutex(0)
        let number: Int
        init(_ number: Int) {
            self.number = number
            Self.living.withLock { $0 += 1 }
        }
        deinit { Self.living.withLock { $0 -= 1 } }
    }

    /// Under constant load the queue may never be empty, but it keeps only the waiting elements.
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
}
