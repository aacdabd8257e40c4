import Foundation
import PureAttestTesting
import ServiceClient
import Testing

/// A virtual device against the service, over HTTP on loopback.
@Suite(.serialized) struct EndToEndTests {
    @Test func aDeviceOpensASession() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, limits: true)
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 1))
        try device.attest(over: connection)
        let token = try device.session(over: connection)
        let answer = try connection.send("GET", "/protected", token: token)
        #expect(answer.status == 200 && answer.body["keyID"] == device.keyName)
        #expect(try connection.send("GET", "/protected", token: token.dropLast() + "*").status == 401)
        #expect(try connection.send("GET", "/protected").status == 401)
        #expect(try connection.send("POST", "/session", json: ["keyID": "?"]).status == 400)
    }

    @Test func replaysAreRefused() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 2))
        try device.attest(over: connection)
        let request = try device.signedSessionRequest(over: connection)
        #expect(try connection.send("POST", "/session", json: request).status == 200)
        let replay = try connection.send("POST", "/session", json: request)
        #expect(replay.status == 409 && replay.body["error"] == "replay")
        // With the challenge of another request the signature does not fit, and that challenge is spent too.
        var mixed = try device.signedSessionRequest(over: connection)
        let good = mixed
        mixed["assertion"] = request["assertion"]
        let refused = try connection.send("POST", "/session", json: mixed)
        #expect(refused.status == 401 && refused.body["error"] == "refused")
        #expect(try connection.send("POST", "/session", json: good).status == 409)
        #expect(try !device.session(over: connection).isEmpty)
    }

    @Test func ofRacingRequestsOneWins() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 3))
        try device.attest(over: connection)
        let port = service.port
        for _ in 0..<10 {
            let request = try device.signedSessionRequest(over: connection)
            let statuses = Collected<Int>()
            inThreads(12) { _ in
                let answer = try? HTTPConnection(port: port).send("POST", "/session", json: request)
                statuses.append(answer?.status ?? 0)
            }
            #expect(statuses.values.sorted() == [200] + [Int](repeating: 409, count: 11))
        }
    }

    @Test func survivesARestartInTheMiddle() throws {
        let folder = try TemporaryFolder()
        let first = try RunningService(database: folder.database)
        let device = ServiceDevice(RunningService.device(seed: 4))
        let before = try first.connect()
        try device.attest(over: before)
        let token = try device.session(over: before)
        let request = try device.signedSessionRequest(over: before)
        first.kill()
        #expect(throws: HTTPConnectionError.self) { try before.send("POST", "/session", json: request) }
        let second = try RunningService(database: folder.database)
        let after = try second.connect()
        // The challenge waited, the counter is where it was, the token is good.
        #expect(try after.send("POST", "/session", json: request).status == 200)
        #expect(try after.send("POST", "/session", json: request).status == 409)
        #expect(try after.send("GET", "/protected", token: token).status == 200)
        #expect(try !device.session(over: after).isEmpty)
    }

    @Test func anUnknownKeyIsAttestedAgainOnce() throws {
        let folder = try TemporaryFolder()
        let device = ServiceDevice(RunningService.device(seed: 5))
        do {
            let service = try RunningService(database: folder.database)
            try device.attest(over: service.connect())
        }
        // The server lost its database; the device has its key.
        let other = try TemporaryFolder()
        let service = try RunningService(database: other.database)
        let connection = try service.connect()
        let lost = device.keyName
        let answer = try connection.send("POST", "/session", json: device.signedSessionRequest(over: connection))
        #expect(answer.status == 401 && answer.body["error"] == "unknownKey")
        #expect(try !device.sessionAttestingIfUnknown(over: connection).isEmpty)
        #expect(device.keyName != lost)
        #expect(try !device.session(over: connection).isEmpty)
    }

    /// The tier without attestation opens `/open` and nothing else, and what one tier does takes nothing from the other.
    @Test func theUnattestedTierOpensNothingAttested() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, limits: true)
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 6))
        try device.attest(over: connection)
        let attested = try device.session(over: connection)
        let unattested = try #require(connection.send("POST", "/unattested").body["token"])
        #expect(try connection.send("GET", "/open", token: unattested).status == 200)
        for (path, token) in [("/protected", unattested), ("/open", attested), ("/open", nil)] {
            let answer = try connection.send("GET", path, token: token)
            #expect(answer.status == 401 && answer.body["error"] == "refused")
        }
        // Of this source's ten requests two are made.
        let statuses = try (0..<20).map { _ in try connection.send("GET", "/open", token: unattested).status }
        #expect(statuses.prefix(8).allSatisfy { $0 == 200 } && statuses.last == 429)
        #expect(try connection.send("POST", "/unattested").status == 429)
        #expect(try connection.send("GET", "/protected", token: attested).status == 200)
        #expect(try !device.session(over: connection).isEmpty)
    }

    @Test func excessIsAnsweredWith429() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, limits: true)
        let connection = try service.connect()
        let keyID = Data(repeating: 1, count: 32).base64EncodedString()
        var answers: [HTTPAnswerReceived] = []
        for _ in 0..<40 {
            answers.append(
                try connection.send("POST", "/challenge", json: ["purpose": "assertion", "keyID": keyID]))
        }
        #expect(answers.prefix(20).allSatisfy { $0.status == 200 })
        let limited = answers.filter { $0.status == 429 }
        #expect(
            !limited.isEmpty && limited.allSatisfy { $0.retryAfter != nil && $0.body["error"] == "tooManyRequests" })
    }
}

/// Values from many threads.
final class Collected<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [Value] = []

    var values: [Value] { lock.withLock { stored } }
    func append(_ value: Value) { lock.withLock { stored.append(value) } }
}
