package import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs actions of one event loop, each after the loop has polled its sockets again.
///
/// SwiftNIO polls only when no task is due (`SelectableEventLoop.runOneLoopTick`). If requests start from tasks, as
/// pipelined requests do, an overloaded loop never accepts a connection or reads a request. Here each action starts from
/// a byte in a pipe, which the loop reads in the same poll as its sockets.
package final class PollQueue: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private var waiting = CircularBuffer<() -> Void>()
    private var state = State.opening
    private var isSignalled = false

    private enum State {
        case opening
        case open(any Channel)
        /// The loop has no sockets, or the process has no descriptors left: actions run at once.
        case absent
    }

    /// Opens a pipe on `loop`. Call this and all functions on the loop.
    package init(of loop: any EventLoop) {
        var ends: [CInt] = [0, 0]
        guard let bootstrap = NIOPipeBootstrap(validatingGroup: loop), pipe(&ends) == 0 else {
            state = .absent
            return
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        bootstrap
            // A byte that is written while another is read starts the next poll.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
            }
            .takingOwnershipOfDescriptors(input: ends[0], output: ends[1])
            .whenComplete { result in
                let queue = bound.value
                switch result {
                case .success(let channel): queue.state = .open(channel)
                case .failure: queue.close()
                }
                queue.signal()
            }
    }

    /// Runs an action after a poll, behind earlier actions.
    package func run(_ action: @escaping () -> Void) {
        if case .absent = state { return action() }
        waiting.append(action)
        signal()
    }

    /// Runs one action. The loop polls before the next.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isSignalled = false
        if !waiting.isEmpty { waiting.removeFirst()() }
        signal()
    }

    /// The loop is shut down.
    package func channelInactive(context: ChannelHandlerContext) { close() }

    private func signal() {
        guard case .open(let channel) = state, !isSignalled, !waiting.isEmpty else { return }
        isSignalled = true
        channel.writeAndFlush(ByteBuffer(bytes: [0]), promise: nil)
    }

    private func close() {
        state = .absent
        while !waiting.isEmpty { waiting.removeFirst()() }
    }
}

@available(*, unavailable)
extension PollQueue: Sendable {}

/// The queues of a service's event loops.
final class PollQueues: Sendable {
    private let queues = Mutex<[ObjectIdentifier: NIOLoopBound<PollQueue>]>([:])

    /// Returns the queue of the current event loop.
    func queue(of loop: any EventLoop) -> PollQueue {
        queues.withLock { queues in
            if let queue = queues[ObjectIdentifier(loop)] { return queue }
            let queue = NIOLoopBound(PollQueue(of: loop), eventLoop: loop)
            queues[ObjectIdentifier(loop)] = queue
            return queue
        }.value
    }
}
