import HTTPTypes
public import NIOCore
import NIOHTTP1
public import NIOHTTPTypes
import PureAttestServer

/// Passes a connection's requests to the server one at a time, and closes stalled connections.
///
/// A connection is stalled if its client sends nothing, one byte at a time, or an endless body. Add one guard to each
/// connection, between the HTTP codec and the server: `HTTP1Channel.Configuration(additionalChannelHandlers:)`.
///
/// A request waits until the previous response has been sent. While a request waits, the guard reads nothing more from
/// the connection. So a pipelining client gets its responses in order, and has at most one request in flight on each
/// connection. ``ConnectionLimits/requestInterval`` spaces out the requests of its address. Before the guard starts a
/// request that has waited, the event loop polls its other connections.
///
/// Only one deadline runs at a time: the deadline of the header, body or response for which the connection currently
/// waits.
public final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    /// Parts of requests.
    public typealias InboundIn = HTTPRequestPart
    /// Parts of requests that the guard passes on.
    public typealias InboundOut = HTTPRequestPart
    /// Parts of responses.
    public typealias OutboundIn = HTTPResponsePart
    /// Parts of responses that the guard passes on.
    public typealias OutboundOut = HTTPResponsePart

    private enum Event {
        case part(HTTPRequestPart)
        case error(any Error)
        case inputClosed
    }

    private let limits: ConnectionLimits
    private let count: ConnectionCount
    private var address: ClientAddress?
    private var deadline: Scheduled<Void>?
    /// Events that wait for the previous response, or for the first held request to start.
    private var held = CircularBuffer<Event>()
    private var turn: Scheduled<Void>?
    /// Whether the first held request waits to start. If necessary, it waits for its address's turn. Then it waits in
    /// the event loop's ``PollQueue``.
    private var waitsToStart = false
    private var wantsRead = false
    /// Whether a request's header has been passed on, and its response has not been sent completely.
    private var isAnswering = false
    private var isReadingBody = false
    private var isWritingResponse = false
    /// Whether the request asks for another protocol. After such a request, the codec reads no further requests.
    private var isLast = false
    /// Whether the response must have no content, even if the server writes some (RFC 9110 §9.3.2).
    private var isHead = false
    /// Whether the response announces that the connection will close, because the request was not read to its end.
    private var saysClose = false
    private var isEnding = false
    private var isShuttingDown = false

    /// Creates the guard of one connection. All guards of a service share `count`.
    public init(_ limits: ConnectionLimits, count: ConnectionCount) {
        self.limits = limits
        self.count = count
    }

    /// Starts the deadline of the header if the connection is already active.
    public func handlerAdded(context: ChannelHandlerContext) {
        // The codec decodes all bytes of a read at once, so bound the size of a read. Channels that do not support
        // these options keep their defaults.
        try? context.channel.syncOptions?.setOption(
            .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: ConnectionLimits.readSize))
        try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        if context.channel.isActive { begin(context) }
    }

    /// Cancels the deadline, because it must not outlive the handler.
    public func handlerRemoved(context: ChannelHandlerContext) { forget() }

    /// Starts the deadline of the header.
    public func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    /// Cancels the deadline and removes the connection from its address's count.
    public func channelInactive(context: ChannelHandlerContext) {
        forget()
        context.fireChannelInactive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard address == nil else { return }
        let address = ClientAddress(context.channel.remoteAddress)
        self.address = address
        let connections = count.add(address)
        if let most = limits.perAddress, connections > most { return context.close(promise: nil) }
        wait(limits.header, context)
    }

    private func forget() {
        deadline?.cancel()
        deadline = nil
        stopWaiting()
        held.removeAll(keepingCapacity: false)
        if let address { count.remove(address) }
        address = nil
    }

    /// Passes on or holds a part of a request.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrived(.part(unwrapInboundIn(data)), context)
    }

    /// Handles the codec's error for a malformed request. Earlier requests are handled first.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) { arrived(.error(error), context) }

    /// Reads only after all held events have been passed on.
    public func read(context: ChannelHandlerContext) {
        // Do not read after the last request, because the codec would buffer all further bytes.
        if held.isEmpty, !isLast || isReadingBody { context.read() } else { wantsRead = true }
    }

    private func arrived(_ event: Event, _ context: ChannelHandlerContext) {
        guard !isEnding else { return }
        if held.isEmpty, mayPass(event, isNew: true, context) { return pass(event, context) }
        held.append(event)
        if held.count > ConnectionLimits.maximumHeldEvents { context.close(promise: nil) }
    }

    private func mayPass(_ event: Event, isNew: Bool, _ context: ChannelHandlerContext) -> Bool {
        guard !isEnding, !waitsToStart else { return false }
        switch event {
        case .inputClosed: return true
        case .part(.head): return !isAnswering && mayStart(isNew: isNew, context)
        case .part, .error: return !isAnswering || isReadingBody
        }
    }

    /// Returns whether a request may start now: its address has its turn, and the event loop has just read the request.
    /// Otherwise schedules the start.
    private func mayStart(isNew: Bool, _ context: ChannelHandlerContext) -> Bool {
        let now = context.eventLoop.now
        var time = now
        if let address, limits.perAddress != nil {
            time = count.takeTurn(of: address, every: limits.requestInterval, now: now)
        }
        if isNew, time <= now { return true }
        // The client now waits for the service, so no deadline runs.
        deadline?.cancel()
        waitsToStart = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let start: @Sendable () -> Void = {
            let (guardian, context) = bound.value
            guardian.startAfterPoll(context)
        }
        if time > now { turn = context.eventLoop.scheduleTask(deadline: time, start) } else { start() }
        return false
    }

    private func startAfterPoll(_ context: ChannelHandlerContext) {
        turn = nil
        count.queues.queue(of: context.eventLoop).run { [self] in
            guard waitsToStart else { return false }
            waitsToStart = false
            pass(held.removeFirst(), context)
            passHeld(context)
            return true
        }
    }

    private func stopWaiting() {
        turn?.cancel()
        turn = nil
        waitsToStart = false
    }

    private func passHeld(_ context: ChannelHandlerContext) {
        while let event = held.first, mayPass(event, isNew: false, context) { pass(held.removeFirst(), context) }
        context.fireChannelReadComplete()
        guard held.isEmpty else { return }
        held.removeAll(keepingCapacity: false)
        if wantsRead {
            wantsRead = false
            read(context: context)
        }
    }

    private func pass(_ event: Event, _ context: ChannelHandlerContext) {
        switch event {
        case .inputClosed: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .error(let error) where error is HTTPParserError && !isAnswering: refuse(.malformedRequest, context)
        case .error(let error): context.fireErrorCaught(error)
        case .part(let part):
            switch part {
            case .head(let request):
                // The codec would pass on content with another coding (RFC 9112 §6.1) undecoded.
                if let coding = request.headerFields[.transferEncoding],
                    Array(coding.utf8)[...].trimmingWhitespace.lowercasedASCII != Array("chunked".utf8)
                {
                    return refuse(.malformedRequest, context)
                }
                (isAnswering, isReadingBody, isHead, saysClose) = (true, true, request.method == .head, false)
                isLast = request.method == .connect || request.headerFields.contains(.upgrade)
                wait(isShuttingDown ? limits.bodyAtShutdown : limits.body, context)
            case .body: break
            case .end:
                isReadingBody = false
                wait(limits.response, context)
            }
            context.fireChannelRead(wrapInboundOut(part))
        }
    }

    /// Writes a part of a response, and ends the connection if it is the last response.
    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isEnding else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var response):
            isWritingResponse = true
            saysClose = isReadingBody
            guard saysClose else { break }
            // The server answers before the end of the request, so do not wait for the rest (RFC 9112 §9.6).
            response.headerFields[.connection] = "close"
            return context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .body:
            guard isHead else { break }
            promise?.succeed()
            return
        case .end:
            isWritingResponse = false
            if isReadingBody || saysClose && !isLast {
                context.writeAndFlush(data, promise: promise)
                return end(context)
            }
            // Wait until the socket accepts the response, so that a client that reads nothing gets no further
            // responses. Closing the connection sooner would discard the rest of the last response.
            let sent = promise ?? context.eventLoop.makePromise()
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            sent.futureResult.whenSuccess {
                let (guardian, context) = bound.value
                guardian.answered(context)
            }
            return context.write(data, promise: sent)
        }
        context.write(data, promise: promise)
    }

    private func answered(_ context: ChannelHandlerContext) {
        isAnswering = false
        guard !isEnding else { return }
        if isLast { return context.close(promise: nil) }
        // At a shutdown the server closes the connection, so do not start a waiting request.
        guard !isShuttingDown else { return }
        wait(limits.idle, context)
        passHeld(context)
    }

    /// Handles the end of the client's input, and the start of a shutdown.
    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            isShuttingDown = true
            if isReadingBody { wait(limits.bodyAtShutdown, context) }
        }
        guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
        if isEnding { context.close(promise: nil) } else { arrived(.inputClosed, context) }
    }

    private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: time) {
            let (guardian, context) = bound.value
            guardian.isLate(context)
        }
    }

    private func isLate(_ context: ChannelHandlerContext) {
        guard isReadingBody, !isWritingResponse, !isEnding else { return context.close(promise: nil) }
        refuse(.timeout, context)
    }

    private func refuse(_ fault: RequestFault, _ context: ChannelHandlerContext) {
        let body = ByteBuffer(string: #"{"error":"\#(fault.word)"}"#)
        let head = HTTPResponse(
            status: HTTPResponse.Status(code: fault.status),
            headerFields: [
                .contentType: "application/json; charset=utf-8", .contentLength: String(body.readableBytes),
                .connection: "close",
            ])
        for part in [HTTPResponsePart.head(head), .body(body), .end(nil)] {
            context.write(wrapOutboundOut(part), promise: nil)
        }
        context.flush()
        end(context)
    }

    /// Half-closes the connection, then waits briefly until the client closes its side. If the guard closed a socket
    /// with unread bytes immediately, the client could lose the response just written (RFC 9112 §9.6).
    private func end(_ context: ChannelHandlerContext) {
        isEnding = true
        stopWaiting()
        held.removeAll(keepingCapacity: false)
        context.close(mode: .output, promise: nil)
        wait(limits.lingering, context)
        if wantsRead { context.read() }
    }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
