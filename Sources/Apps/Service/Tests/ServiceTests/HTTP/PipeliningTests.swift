import Foundation
import ServiceClient
import Synchronization
import Testing

@Suite(.serialized) struct PipeliningTests {
    private static let json = [
        "purpose": "assertion", "keyID": Data(repeating: 0xFB, count: 32).base64EncodedString(),
    ]

    /// Returns the sorted latencies of an honest client's requests over some seconds. If the service answers each
    /// request within 200 milliseconds, the result has at least 100 elements.
    private func latencies(_ service: RunningService, seconds: Double, from address: String) throws -> [Double] {
        let connection = try service.connect(from: address)
        let end = Date().addingTimeInterval(seconds)
        var latencies: [Double] = []
        while Date() < end || latencies.count < 100 && Date() < end.addingTimeInterval(20) {
            let start = Date()
            #expect(try connection.send("POST", "/challenge", json: Self.json).status == 200)
            latencies.append(Date().timeIntervalSince(start))
            Thread.sleep(forTimeInterval: 0.005)
        }
        return latencies.sorted()
    }

    /// The connections of one address send requests as fast as possible, and may leave responses unread. The latencies
    /// of other clients stay in milliseconds, and the service's memory stays constant.
    @Test(
        arguments: [(4, true), (16, true), (256, true), (256, false)],
        ["GET /x HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"])
    func pipeliningStarvesNobody(_ flood: (connections: Int, reads: Bool), _ request: String) throws {
        let service = try RunningService(database: "memory", limits: true, ["ATTEST_ADDRESS_PER_MINUTE": "0"])
        let alone = try latencies(service, seconds: 0.5, from: "127.0.0.1")
        let attack = try Flood(
            port: service.port, from: "127.0.0.2", connections: flood.connections, request: request, reads: flood.reads)
        defer { attack.end() }
        _ = try latencies(service, seconds: 1, from: "127.0.0.1")
        let before = try service.residentBytes()
        let beside = try latencies(service, seconds: 2, from: "127.0.0.1")
        let grown = try service.residentBytes() - before
        let (median, slowest) = (beside[beside.count / 2], beside.last ?? 0)
        let text =
            "\(flood): alone \(alone[alone.count / 2]), median \(median), slowest \(slowest), grown \(grown), sent \(attack.sent), received \(attack.received)"
        #expect(beside.count >= 100 && attack.sent > 0, "\(text)")
        // Compare percentiles, because a busy machine may delay a single request by seconds. A starved client would
        // wait seconds for each request.
        #expect(median < 0.05 && beside[beside.count * 95 / 100] < 0.2 && slowest < 5, "\(text)")
        #expect(grown < 16 << 20, "\(text)")
    }

    @Test func pipeliningStarvesNobodyOnABusyMachine() throws {
        let service = try RunningService(database: "memory", limits: true, ["ATTEST_ADDRESS_PER_MINUTE": "0"])
        let isEnding = Atomic(false)
        for _ in 0..<4 {
            Thread.detachNewThread { while !isEnding.load(ordering: .relaxed) {} }
        }
        defer { isEnding.store(true, ordering: .relaxed) }
        var attack: Flood? = try Flood(
            port: service.port, from: "127.0.0.2", connections: 256, request: "GET /x HTTP/1.1\r\nHost: h\r\n\r\n",
            reads: true)
        defer { attack?.end() }
        let beside = try latencies(service, seconds: 2, from: "127.0.0.1")
        #expect(beside.count >= 100 && beside[beside.count / 2] < 0.2, "\(beside)")
        #expect(attack?.received ?? 0 > 0)
        // The flooding connections end while their requests wait.
        attack?.end()
        attack = nil
        #expect(try latencies(service, seconds: 0.5, from: "127.0.0.1").count >= 100)
    }

    @Test func aFewPipelinedRequestsAreAnsweredInOrder() throws {
        let service = try RunningService(database: "memory")
        let connection = try service.connect()
        let body = String(decoding: try JSONEncoder().encode(Self.json), as: UTF8.self)
        let challenge =
            "POST /challenge HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let chunked =
            "POST /challenge HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
        let requests = [
            ("GET /health HTTP/1.1\r\nHost: h\r\n\r\n", 200), ("GET /x HTTP/1.1\r\nHost: h\r\n\r\n", 404),
            (challenge, 200),
            (chunked, 400),
        ]
        let text = (0..<100).map { requests[$0 % 4].0 }.joined()
        try connection.write(Array(text.utf8))
        for number in 0..<100 { #expect(try connection.read().status == requests[number % 4].1, "\(number)") }
        // The service handles the end of a client's input only after the client's requests.
        let half = try service.connect()
        try half.write(Array((0..<8).map { requests[$0 % 4].0 }.joined().utf8))
        half.finishWriting()
        for number in 0..<8 { #expect(try half.read().status == requests[number % 4].1, "\(number)") }
        #expect(half.isEnded(within: 3))
    }

    /// After a request for another protocol, the codec decodes no further bytes, so the connection ends after the
    /// response.
    @Test func aRequestForAnotherProtocolIsTheLast() throws {
        let service = try RunningService(database: "memory")
        for request in [
            "GET /health HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
            "CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n",
        ] {
            let connection = try service.connect()
            try connection.write(Array(request.utf8))
            #expect(try connection.read().status < 500)
            #expect(connection.isEnded(within: 3))
        }
    }
}
