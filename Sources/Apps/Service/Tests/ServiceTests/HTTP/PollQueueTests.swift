import AttestMiddleware
import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import ServiceClient
import Synchronization
import Testing

@Suite struct PollQueueTests {
    @Test func theLoopPollsBetweenActions() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let accepted = DispatchSemaphore(value: 0)
        let server = try await ServerBootstrap(group: group).childChannelInitializer { channel in
            accepted.signal()
            return channel.eventLoop.makeSucceededVoidFuture()
        }.bind(host: "127.0.0.1", port: 0).get()
        let action = RepeatedAction()
        defer { action.isEnded.store(true, ordering: .relaxed) }
        group.next().execute { action.run(in: PollQueue(of: group.next())) }
        #expect(try await onThread { action.hasRun.wait(timeout: .now() + 10) } == .success)
        let connection = try HTTPConnection(port: server.localAddress?.port ?? 0)
        #expect(try await onThread { accepted.wait(timeout: .now() + 10) } == .success)
        action.isEnded.store(true, ordering: .relaxed)
        _ = connection
        try await group.shutdownGracefully()
    }

    /// Actions that start nothing keep their place in the order too.
    @Test func actionsRunInOrder() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let numbers = Mutex<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        group.next().execute {
            let queue = PollQueue(of: group.next())
            for number in 0..<1_000 {
                queue.run {
                    numbers.withLock { $0.append(number) }
                    if number == 999 { done.signal() }
                    return number % 3 == 0
                }
            }
            #expect(numbers.withLock { $0.isEmpty })
        }
        #expect(try await onThread { done.wait(timeout: .now() + 10) } == .success)
        #expect(numbers.withLock { $0 } == Array(0..<1_000))
        try await group.shutdownGracefully()
    }

    @Test func aLoopWithoutSocketsRunsActionsAtOnce() {
        var hasRun = false
        PollQueue(of: EmbeddedEventLoop()).run {
            hasRun = true
            return true
        }
        #expect(hasRun)
    }
}

private final class RepeatedAction: Sendable {
    let isEnded = Atomic(false)
    let hasRun = DispatchSemaphore(value: 0)

    func run(in queue: PollQueue) {
        queue.run { [self] in
            hasRun.signal()
            if !isEnded.load(ordering: .relaxed) { run(in: queue) }
            return true
        }
    }
}
