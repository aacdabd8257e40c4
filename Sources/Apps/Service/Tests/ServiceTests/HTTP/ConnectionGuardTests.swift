import AttestMiddleware
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@Suite struct ConnectionGuardTests {
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        var reads = 0
        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }
    }

    private struct Connection {
        let channel: EmbeddedChannel
        let socket = Socket()

        init(
            _ count: ConnectionCount = ConnectionCount(), from address: String = "192.0.2.1",
            loop: EmbeddedEventLoop = EmbeddedEventLoop(), limits: ConnectionLimits = ConnectionLimits()
        ) throws {
            channel = EmbeddedChannel(handlers: [], loop: loop)
            try channel.pipeline.syncOperations.addHandlers([socket, ConnectionGuard(limits, count: count)])
            try channel.connect(to: SocketAddress(ipAddress: address, port: 1_024)).wait()
        }

        func send(_ path: String) throws {
            let request = HTTPRequest(method: .get, scheme: "http", authority: "h", path: path)
            try channel.writeInbound(HTTPRequestPart.head(request))
            try channel.writeInbound(HTTPRequestPart.end(nil))
        }

        func begun() throws -> [String] {
            var paths: [String] = []
            while let part = try channel.readInbound(as: HTTPRequestPart.self) {
                if case .head(let request) = part { paths.append(request.path ?? "") }
            }
            return paths
        }

        func answer() throws {
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }

        func statuses() throws -> [Int] {
            var statuses: [Int] = []
            while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
                if case .head(let response) = part { statuses.append(response.status.code) }
            }
            return statuses
        }
    }

    private static var unshared: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.perAddress = nil
        return limits
    }

    @Test func theServerHasOneRequestAtATimeInOrder() throws {
        let connection = try Connection(limits: Self.unshared)
        for number in 0..<20 { try connection.send("/\(number)") }
        for number in 0..<20 {
            #expect(try connection.begun() == ["/\(number)"])
            try connection.answer()
        }
        #expect(try connection.begun() == [])
        #expect(try connection.statuses() == [Int](repeating: 200, count: 20))
        #expect(connection.channel.isActive)
    }

    /// A client would mistake content for the next response (RFC 9110 §9.3.2).
    @Test func aResponseToHEADHasNoContent() throws {
        let connection = try Connection(limits: Self.unshared)
        for method in [HTTPRequest.Method.head, .get] {
            try connection.channel.writeInbound(
                HTTPRequestPart.head(HTTPRequest(method: method, scheme: "http", authority: "h", path: "/")))
            try connection.channel.writeInbound(HTTPRequestPart.end(nil))
            try connection.channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .notFound)))
            try connection.channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: "x")))
            try connection.channel.writeOutbound(HTTPResponsePart.end(nil))
        }
        var bodies: [Int] = []
        while let part = try connection.channel.readOutbound(as: HTTPResponsePart.self) {
            switch part {
            case .head: bodies.append(0)
            case .body(let body): bodies[bodies.count - 1] += body.readableBytes
            case .end: break
            }
        }
        #expect(bodies == [0, 1])
    }

    /// The server answers before it has read the whole request body (RFC 9112 §9.6).
    @Test func anEarlyResponseSaysThatTheConnectionEnds() throws {
        let connection = try Connection(limits: Self.unshared)
        try connection.channel.writeInbound(
            HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/")))
        try connection.channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .unauthorized)))
        // The rest of the request arrives after the response has announced that the connection will close.
        try connection.channel.writeInbound(HTTPRequestPart.end(nil))
        try connection.channel.writeOutbound(HTTPResponsePart.end(nil))
        try connection.send("/next")
        guard case .head(let response) = try connection.channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no response")
            return
        }
        #expect(response.headerFields[.connection] == "close")
        #expect(try connection.begun() == ["/"])
    }

    @Test func nothingIsReadWhileRequestsWait() throws {
        let connection = try Connection(limits: Self.unshared)
        try connection.send("/0")
        try connection.send("/1")
        let before = connection.socket.reads
        for _ in 0..<5 { connection.channel.read() }
        #expect(connection.socket.reads == before)
        try connection.answer()
        // The guard has passed on the second request, so no request waits.
        #expect(connection.socket.reads == before + 1)
        try connection.answer()
        connection.channel.read()
        #expect(connection.socket.reads == before + 2)
    }

    /// When a client closes its side, NIO reads all of its input, so the guard limits the number of held requests.
    @Test func tooManyRequestsEndTheConnection() throws {
        let connection = try Connection(limits: Self.unshared)
        // The maximum number of requests in one read.
        for number in 0..<113 { try connection.send("/\(number)") }
        #expect(connection.channel.isActive)
        for number in 113..<300 where connection.channel.isActive { try connection.send("/\(number)") }
        #expect(!connection.channel.isActive)
        #expect(try connection.begun() == ["/0"])
    }

    /// The guard passes on the next request only when the socket has accepted the response.
    @Test func aClientThatReadsNothingIsGivenOneResponse() throws {
        let connection = try Connection(limits: Self.unshared)
        for number in 0..<3 { try connection.send("/\(number)") }
        #expect(try connection.begun() == ["/0"])
        // Write the response without flushing it, as if the socket's buffer were full.
        connection.channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        connection.channel.write(HTTPResponsePart.end(nil), promise: nil)
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(try connection.begun() == [])
        connection.channel.flush()
        #expect(try connection.begun() == ["/1"])
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(31))
        #expect(!connection.channel.isActive)
    }

    /// After a request for another protocol, the connection ends when the socket has accepted the response.
    @Test func theLastResponseArrivesWhole() throws {
        let connection = try Connection(limits: Self.unshared)
        var request = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/")
        request.headerFields[.upgrade] = "h2c"
        try connection.channel.writeInbound(HTTPRequestPart.head(request))
        try connection.channel.writeInbound(HTTPRequestPart.end(nil))
        connection.channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        connection.channel.write(HTTPResponsePart.end(nil), promise: nil)
        #expect(connection.channel.isActive)
        connection.channel.flush()
        #expect(!connection.channel.isActive)
        #expect(try connection.statuses() == [200])
    }

    /// The connections of one address take turns. Other addresses do not wait, and behind a proxy no request waits for
    /// a turn.
    @Test func anAddressHasItsShare() throws {
        let (loop, count) = (EmbeddedEventLoop(), ConnectionCount())
        loop.advanceTime(by: .seconds(1))
        let connections = try (0..<8).map { _ in try Connection(count, loop: loop) }
        let (other, unshared) = (
            try Connection(count, from: "192.0.2.2", loop: loop),
            try Connection(count, loop: loop, limits: Self.unshared)
        )
        func begun() throws -> [Int] { try connections.map { try $0.begun().count } }
        for connection in connections {
            try connection.send("/0")
            try connection.send("/1")
        }
        #expect(try begun() == [1, 0, 0, 0, 0, 0, 0, 0])
        for connection in [other, unshared] {
            try connection.send("/")
            #expect(try connection.begun().count == 1)
        }
        loop.advanceTime(by: .microseconds(1_500))
        #expect(try begun() == [0, 1, 1, 1, 0, 0, 0, 0])
        // The second request of the first connection waits behind the first requests of the other connections.
        try connections[0].answer()
        loop.advanceTime(by: .microseconds(2_000))
        #expect(try begun() == [0, 0, 0, 0, 1, 1, 1, 1])
        loop.advanceTime(by: .microseconds(500))
        #expect(try begun() == [1, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func connectionsThatEndLeaveNoWait() throws {
        let (loop, count) = (EmbeddedEventLoop(), ConnectionCount())
        let stays = try Connection(count, loop: loop)
        for _ in 0..<1_000 {
            let connection = try Connection(count, loop: loop)
            try connection.send("/")
            _ = try connection.channel.finish()
        }
        try stays.send("/")
        loop.advanceTime(by: .milliseconds(1))
        #expect(try stays.begun().count == 1)
    }

    @Test func errorsAndTheEndWaitForTheRequestsBefore() throws {
        let connection = try Connection(limits: Self.unshared)
        try connection.send("/0")
        try connection.send("/1")
        connection.channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        #expect(try connection.begun() == ["/0"])
        try connection.answer()
        #expect(try connection.begun() == ["/1"])
        #expect(try connection.statuses() == [200])
        try connection.answer()
        #expect(try connection.statuses() == [200, 400])
    }

    @Test func anotherCodingIsNoRequest() throws {
        for (coding, isGood) in [
            ("chunked", true), ("Chunked ", true), ("gzip, chunked", false), ("gzip", false), ("chunked\u{301}", false),
        ] {
            let connection = try Connection(limits: Self.unshared)
            var request = HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/")
            request.headerFields[.transferEncoding] = coding
            try connection.channel.writeInbound(HTTPRequestPart.head(request))
            #expect(try connection.begun() == (isGood ? ["/"] : []))
            #expect(try connection.statuses() == (isGood ? [] : [400]))
        }
    }
}
