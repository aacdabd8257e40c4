import HTTPTypes
public import NIOCore
public import NIOHTTPTypes
import PureAttestServer

/// Ends connections that hold a descriptor and send nothing, a byte at a time, or a body without end. One for each connection, between
/// the HTTP codec and the server: `HTTP1Channel.Configuration(additionalChannelHandlers:)`.
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

    private let limits: ConnectionLimits
    private let count: ConnectionCount
    private var address: ClientSource?
    private var deadline: Scheduled<Void>?
    /// Requests whose header has arrived and whose response has not left: more than one where a client does not wait.
    private var unanswered = 0
    private var isReadingBody = false
    private var isWritingResponse = false
    private var isEnding = false
    private var isShuttingDown = false

    /// A guard of one connection; `count` is that of the whole service.
    public init(_ limits: ConnectionLimits, count: ConnectionCount) {
        self.limits = limits
        self.count = count
    }

    /// The connection may be there before the handler.
    public func handlerAdded(context: ChannelHandlerContext) {
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
        let address = ClientSource(context.channel.remoteAddress)
        self.address = address
        let connections = count.add(address)
        if let most = limits.perAddress, connections > most { return context.close(promise: nil) }
        wait(limits.header, context)
    }

    private func forget() {
        deadline?.cancel()
        deadline = nil
        if let address { count.remove(address) }
        address = nil
    }

    /// A part of a request.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What comes after the last response is dropped.
        guard !isEnding else { return }
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            isReadingBody = true
            wait(isShuttingDown ? limits.bodyAtShutdown : limits.body, context)
        case .body: break
        case .end:
            isReadingBody = false
            wait(limits.response, context)
        }
        context.fireChannelRead(data)
    }

    /// A part of a response.
    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isEnding else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head: isWritingResponse = true
        case .body: break
        case .end:
            isWritingResponse = false
            unanswered -= 1
            if unanswered == 0, isReadingBody {
                // Answered before the request has arrived: the rest is not waited for.
                context.writeAndFlush(data, promise: promise)
                return end(context)
            }
            if unanswered == 0 { wait(limits.idle, context) }
        }
        context.write(data, promise: promise)
    }

    /// The client has sent all it will, or the service ends.
    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            isShuttingDown = true
            if isReadingBody { wait(limits.bodyAtShutdown, context) }
        }
        if isEnding, event as? ChannelEvent == .inputClosed { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
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
        guard isReadingBody, !isWritingResponse, unanswered == 1, !isEnding else { return context.close(promise: nil) }
        let fault = RequestFault.timeout
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
        context.close(mode: .output, promise: nil)
        wait(limits.lingering, context)
    }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
