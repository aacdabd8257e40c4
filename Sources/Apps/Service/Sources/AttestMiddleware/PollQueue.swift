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

/// Runs actions on one event loop. Each time the loop has polled its sockets, the queue runs a few actions.
///
/// SwiftNIO polls only when no task is due (`SelectableEventLoop.runOneLoopTick`). If pipelined requests were started
/// by tasks, an overloaded loop would always have a due task, and would never accept a connection or read a request.
/// This queue therefore starts actions when a byte arrives in a pipe, which the loop polls together with its sockets.
package final class PollQueue: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    /// Starts work, such as a request. Returns `false` if there was nothing to start.
    package typealias Action = () -> Bool

    /// The time for which actions run between two polls, enough to start several requests.
    private static let slice = TimeAmount.microseconds(100)

    private var waiting = CircularBuffer<Action>()
    private var state = State.opening
    private var isSignalled = false

    private enum State {
        case opening
        case open(any Channel)
        case absent
    }

    /// Opens a pipe on `loop`. Call this initialiser and all functions of this type on the loop's thread.
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

    /// Whether actions run immediately, because the loop has no sockets or no pipe.
    var isAbsent: Bool { if case .absent = state { true } else { false } }

    /// Runs an action after a poll and after all earlier actions.
    package func run(_ action: @escaping Action) {
        if isAbsent {
            _ = action()
            return
        }
        waiting.append(action)
        signal()
    }

    /// Runs actions until the ``slice`` is over. Always runs at least the first action that starts something.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isSignalled = false
        let end = NIODeadline.now() + Self.slice
        while let action = waiting.popFirst() {
            if action(), NIODeadline.now() >= end { break }
        }
        signal()
    }

    /// Closes the queue when the event loop shuts down.
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

    /// Call this function on the event loop.
    func queue(of loop: any EventLoop) -> PollQueue {
        queues.withLock { queues in
            if let queue = queues[ObjectIdentifier(loop)] { return queue }
            let queue = PollQueue(of: loop)
            let bound = NIOLoopBound(queue, eventLoop: loop)
            // If the queue has no pipe, the next call tries again to open a pipe.
            if !queue.isAbsent { queues[ObjectIdentifier(loop)] = bound }
            return bound
        }.value
    }
}
