import Foundation
import NIOCore
import ServiceClient
import Testing

@Suite(.serialized) struct ConnectionTests {
    private static let half = Array(
        "POST /challenge HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"pur".utf8
    )

    /// If a connection fails, the test client closes its descriptor exactly once. A second close could close another
    /// thread's descriptor and mix up answers. No service listens on port 1.
    @Test func failedConnectionsCloseOnce() {
        let lost = Locked(0)
        inThreads(4) { index in
            for _ in 0..<5_000 {
                if index < 2 {
                    _ = try? HTTPConnection(port: 1)
                } else if case let descriptor = dup(0), descriptor >= 0, close(descriptor) != 0 {
                    lost.change { $0 += 1 }
                }
            }
        }
        #expect(throws: HTTPConnectionError.self) { try HTTPConnection(port: 1) }
        #expect(lost.value == 0)
    }

    @Test func halfSentBodiesEnd() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, ["ATTEST_BODY_SECONDS": "1"])
        let connections = try (0..<200).map { _ in
            let connection = try service.connect()
            try connection.write(Self.half)
            return connection
        }
        #expect(try service.connect().send("GET", "/health").status == 200)
        for connection in connections {
            let answer = try connection.read()
            #expect(answer.status == 408 && answer.body["error"] == "timeout")
            #expect(connection.isEnded(within: 5))
        }
    }

    /// One deadline covers the whole header or body, so a client cannot extend it by sending one byte at a time.
    @Test func slowHeadersAndBodiesEnd() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(
            database: folder.database,
            ["ATTEST_HEADER_SECONDS": "1", "ATTEST_BODY_SECONDS": "1", "ATTEST_IDLE_SECONDS": "1"])
        func drip(_ bytes: [UInt8], _ connection: HTTPConnection) {
            for byte in bytes {
                guard (try? connection.write([byte])) != nil else { return }
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
        let header = try service.connect()
        drip(Array("GET /health HTTP/1.1\r\nHost: h".utf8), header)
        #expect(header.isEnded(within: 3))
        let body = try service.connect()
        try body.write(Self.half)
        drip(Array("pose\":\"assertion\"".utf8), body)
        #expect(try body.read().status == 408)
        #expect(body.isEnded(within: 3))
        let silent = try service.connect()
        #expect(silent.isEnded(within: 3))
        let idle = try service.connect()
        #expect(try idle.send("GET", "/health").status == 200)
        #expect(idle.isEnded(within: 3))
    }

    @Test func heldDescriptorsStopNobodyForLong() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(
            database: folder.database.path, descriptors: 256 + 5 * NIOSingletons.groupLoopCountSuggestion,
            ["ATTEST_HEADER_SECONDS": "2"])
        let held = (0..<240).compactMap { _ in try? service.connect() }
        let start = Date()
        #expect(try service.connect().send("GET", "/health").status == 200)
        #expect(Date().timeIntervalSince(start) < 8)
        withExtendedLifetime(held) {}
    }

    @Test func oneAddressHasItsShareOfConnections() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(
            database: folder.database, limits: true, ["ATTEST_CONNECTIONS_PER_ADDRESS": "20"])
        let held = try (0..<20).map { _ in
            let connection = try service.connect()
            #expect(try connection.send("GET", "/health").status == 200)
            return connection
        }
        #expect(try service.connect().isEnded(within: 3))
        #expect(try service.connect(from: "127.0.0.2").send("GET", "/health").status == 200)
        withExtendedLifetime(held) {}
    }

    @Test func aShutdownWaitsForNoHalfSentBody() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let (half, idle) = (try service.connect(), try service.connect())
        #expect(try idle.send("GET", "/health").status == 200)
        try half.write(Self.half)
        Thread.sleep(forTimeInterval: 0.2)
        let end = service.terminate()
        #expect(end.status == 0 && end.seconds < 6)
    }

    @Test func aShutdownHasADeadline() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(
            database: folder.database, ["ATTEST_SHUTDOWN_SECONDS": "1", "ATTEST_STORE_SECONDS": "30"])
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 50))
        try device.attest(over: connection)
        let request = try device.signedSessionRequest(over: connection)
        let database = try SQLiteFile(folder.database)
        try database.run("BEGIN IMMEDIATE")
        let shared = Shared(connection)
        let waiting = Thread { _ = try? shared.value.send("POST", "/session", json: request) }
        waiting.start()
        Thread.sleep(forTimeInterval: 0.5)
        let end = service.terminate()
        #expect(end.status == 1 && end.seconds < 5)
        try database.run("ROLLBACK")
    }

    /// While another process locks the database file, the service decides nothing. Later it accepts the same request.
    @Test func aStoreOutOfOrderIsAnsweredWith503AndRecovers() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, ["ATTEST_STORE_SECONDS": "1"])
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 51))
        try device.attest(over: connection)
        let request = try device.signedSessionRequest(over: connection)
        let database = try SQLiteFile(folder.database)
        try database.run("BEGIN IMMEDIATE")
        let answer = try connection.send("POST", "/session", json: request)
        #expect(answer.status == 503 && answer.body["error"] == "serverUnavailable")
        try database.run("ROLLBACK")
        #expect(try connection.send("POST", "/session", json: request).status == 200)
        #expect(try connection.send("POST", "/session", json: request).status == 409)
    }
}
