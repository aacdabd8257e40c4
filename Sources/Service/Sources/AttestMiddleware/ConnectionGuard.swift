import HTTPTypes
public import NIOCore
import NIOHTTP1
public import NIOHTTPTypes
import PureAttestServer

/// Passes the requests of a connection to the server one at a time, and ends connections that hold a descriptor and send nothing, a byte
/// at a time, or a body without end. One for each connection, between the HTTP codec and the server:
/// `HTTP1Channel.Configuration(additionalChannelHandlers:)`.
///
/// A request that arrives before the response to the former one has left waits here, and nothing more is read meanwhile. So a client that
/// pipelines has its responses in order, and takes from the others what one connection may take, and one address.
///
/// At any time at most one deadline runs, for what the connection waits for: a header, a body, or a response.
public final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    /// Parts of requests.
    public typealias InboundIn = HTTPRequestPart
    /// The same.
    public typealias InboundOut = HTTPRequestPart
    /// Parts of responses.
    public typealias OutboundIn = HTTPResponsePart
    /// The same.
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
    /// Events that wait for the response to the request before them, or for the turn of their address.
    private var held = CircularBuffer<Event>()
    private var turn: Scheduled<Void>?
    private var wantsRead = false
    /// The header of a request has been passed on, and its response has not left.
    private var isAnswering = false
    private var isReadingBody = false
    private var isWritingResponse = false
    /// The request asks for another protocol, so that the codec reads no further one.
    private var isLast = false
    /// The response has no content, whatever the server writes (RFC 9110 §9.3.2).
    private var isHead = false
    /// The response says that it is the connection's last one, as the request was not read to its end.
    private var saysClose = false
    private var isEnding = false
    private var isShuttingDown = false

    /// A guard of one connection; `count` is that of the whole service.
    public init(_ limits: ConnectionLimits, count: ConnectionCount) {
        self.limits = limits
        self.count = count
    }

    /// The connection may be there before the handler.
    public func handlerAdded(context: ChannelHandlerContext) {
        // What one read brings is decoded at once. A channel without these options reads as it does.
        try? context.channel.syncOptions?.setOption(
            .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: ConnectionLimits.readSize))
        try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        if context.channel.isActive { begin(context) }
    }

    /// The deadline must not outlive the handler.
    public func handlerRemoved(context: ChannelHandlerContext) { forget() }

    /// A new connection.
    public func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    /// The end of the connection.
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
        turn?.cancel()
        turn = nil
        held.removeAll(keepingCapacity: false)
        if let address { count.remove(address) }
        address = nil
    }

    /// A part of a request.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrived(.part(unwrapInboundIn(data)), context)
    }

    /// What the codec says of a request that is none, in the order in which requests arrive.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) { arrived(.error(error), context) }

    /// Nothing more is read before what is held has been passed on.
    public func read(context: ChannelHandlerContext) {
        // The codec would keep what follows the last request.
        if held.isEmpty, !isLast || isReadingBody { context.read() } else { wantsRead = true }
    }

    private func arrived(_ event: Event, _ context: ChannelHandlerContext) {
        // What comes after the last response is dropped.
        guard !isEnding else { return }
        if held.isEmpty, mayPass(event, context) { return pass(event, context) }
        held.append(event)
        if held.count > ConnectionLimits.maximumHeldEvents { context.close(promise: nil) }
    }

    private func mayPass(_ event: Event, _ context: ChannelHandlerContext) -> Bool {
        guard !isEnding, turn == nil else { return false }
        switch event {
        case .inputClosed: return true
        case .part(.head): return !isAnswering && isTurn(context)
        case .part, .error: return !isAnswering || isReadingBody
        }
    }

    /// Whether the request at the front may start; if not, it starts at its turn.
    private func isTurn(_ context: ChannelHandlerContext) -> Bool {
        guard let address, limits.perAddress != nil else { return true }
        let now = context.eventLoop.now
        let time = count.takeTurn(of: address, every: limits.requestInterval, now: now)
        guard time > now else { return true }
        // The client waits for the service.
        deadline?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        turn = context.eventLoop.scheduleTask(deadline: time) {
            let (guardian, context) = bound.value
            guardian.turn = nil
            guardian.pass(guardian.held.removeFirst(), context)
            guardian.passHeld(context)
        }
        return false
    }

    private func passHeld(_ context: ChannelHandlerContext) {
        while let event = held.first, mayPass(event, context) { pass(held.removeFirst(), context) }
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
                // RFC 9112 §6.1: another coding would be passed on as if it were the content.
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

    /// A part of a response.
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
            // Answered before the request has arrived: the rest is not waited for (RFC 9112 §9.6).
            response.headerFields[.connection] = "close"
            return context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .body:
            guard isHead else { break }
            promise?.succeed()
            return
        case .end:
            isWritingResponse = false
            if saysClose || isReadingBody || isLast {
                context.writeAndFlush(data, promise: promise)
                return isLast && !isReadingBody ? context.close(promise: nil) : end(context)
            }
            // Once the socket has taken it, so that a client that reads nothing is given no further response.
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
        // The server ends the connection at a shutdown: a request that waits is not begun.
        guard !isEnding, !isShuttingDown else { return }
        wait(limits.idle, context)
        passHeld(context)
    }

    /// The client has sent all it will, or the service ends.
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

    /// Sends the end of the stream and waits a moment for the client's: a socket that is closed with unread bytes takes back what
    /// was written to it (RFC 9112 §9.6).
    private func end(_ context: ChannelHandlerContext) {
        isEnding = true
        turn?.cancel()
        turn = nil
        held.removeAll(keepingCapacity: false)
        context.close(mode: .output, promise: nil)
        wait(limits.lingering, context)
        if wantsRead { context.read() }
    }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
