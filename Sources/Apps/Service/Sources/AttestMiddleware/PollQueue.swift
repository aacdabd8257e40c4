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

/// Runs actions of one event loop, a few each time the loop has polled its sockets again.
///
/// SwiftNIO polls only when no task is due (`SelectableEventLoop.runOneLoopTick`). If requests start from tasks, as
/// pipelined requests do, an overloaded loop never accepts a connection or reads a request. This queue starts actions
/// when a byte arrives in a pipe, which the loop reads in the same poll as its sockets.
package final class PollQueue: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    /// Starts something. Returns `false` if there is nothing left to start.
    package typealias Action = () -> Bool

    /// How long actions run between two polls: time to start several requests.
    private static let slice = TimeAmount.microseconds(100)

    private var waiting = CircularBuffer<Action>()
    private var state = State.opening
    private var isSignalled = false

    private enum State {
        case opening
        case open(any Channel)
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

    /// Whether actions run at once, because the loop has no sockets or no pipe.
    var isAbsent: Bool { if case .absent = state { true } else { false } }

    /// Runs an action after a poll, behind earlier actions.
    package func run(_ action: @escaping Action) {
        if isAbsent {
            _ = action()
            return
        }
        waiting.append(action)
        signal()
    }

    /// Runs actions until the ``slice`` is over. The first action that starts something always runs.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isSignalled = false
        let end = NIODeadline.now() + Self.slice
        while let action = waiting.popFirst() {
            if action(), NIODeadline.now() >= end { break }
        }
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
        while let action = waiting.popFirst() { _ = action() }
    }
}

@available(*, unavailable)
extension PollQueue: Sendable {}

final class PollQueues: Sendable {
    private let queues = Mutex<[ObjectIdentifier: NIOLoopBound<PollQueue>]>([:])

    /// Returns the queue of a loop, which must be the current one.
    func queue(of loop: any EventLoop) -> PollQueue {
        queues.withLock { queues in
            if let queue = queues[ObjectIdentifier(loop)] { return queue }
            let queue = PollQueue(of: loop)
            let bound = NIOLoopBound(queue, eventLoop: loop)
            // The next call tries again.
            if !queue.isAbsent { queues[ObjectIdentifier(loop)] = bound }
            return bound
        }.value
    }
}
