import AttestMiddleware
import NIOCore
import NIOEmbedded
import NIOPosix
import ServiceClient
import Testing

@Suite struct PollQueueTests {
    /// The loop accepts a connection although there is always a next action.
    @Test func theLoopPollsBetweenActions() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let accepted = group.next().makePromise(of: Void.self)
        let server = try await ServerBootstrap(group: group).childChannelInitializer { channel in
            accepted.succeed()
            return channel.eventLoop.makeSucceededVoidFuture()
        }.bind(host: "127.0.0.1", port: 0).get()
        try await group.next().submit {
            RepeatedAction(on: group.next(), until: accepted, atMost: .seconds(10)).run()
        }.get()
        let connection = try HTTPConnection(port: server.localAddress?.port ?? 0)
        await #expect(throws: Never.self) { try await accepted.futureResult.get() }
        _ = connection
        try await group.shutdownGracefully()
    }

    /// Actions run in order, one after another.
    @Test func actionsRunInOrder() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let done = group.next().makePromise(of: [Int].self)
        try await group.next().submit {
            let queue = PollQueue(of: group.next())
            var numbers: [Int] = []
            for number in 0..<100 {
                queue.run {
                    numbers.append(number)
                    if number == 99 { done.succeed(numbers) }
                }
            }
            #expect(numbers.isEmpty)
        }.get()
        #expect(try await done.futureResult.get() == Array(0..<100))
        try await group.shutdownGracefully()
    }

    @Test func aLoopWithoutSocketsRunsActionsAtOnce() {
        var hasRun = false
        PollQueue(of: EmbeddedEventLoop()).run { hasRun = true }
        #expect(hasRun)
    }
}

/// An action that asks for its next run until a promise is kept, which it breaks after some time.
private final class RepeatedAction {
    private struct NeverKept: Error {}

    private let queue: PollQueue
    private var isEnded = false

    init(on loop: any EventLoop, until promise: EventLoopPromise<Void>, atMost time: TimeAmount) {
        queue = PollQueue(of: loop)
        let bound = NIOLoopBound(self, eventLoop: loop)
        promise.futureResult.whenComplete { _ in bound.value.isEnded = true }
        loop.scheduleTask(in: time) { promise.fail(NeverKept()) }
    }

    func run() {
        queue.run { [self] in
            if !isEnded { run() }
        }
    }
}
