import Foundation
import PureAttestTesting
import ServiceClient
import Testing

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
        // Several spaces may follow the scheme (RFC 6750 §2.1).
        #expect(try connection.send("GET", "/protected", token: "  " + token).status == 200)
        #expect(try connection.send("GET", "/protected", token: token.dropLast() + "*").status == 401)
        #expect(try connection.send("GET", "/protected").status == 401)
        #expect(try connection.send("POST", "/session", json: ["keyID": "?"]).status == 400)
    }

    @Test func replaysAreRejected() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 2))
        try device.attest(over: connection)
        let request = try device.signedSessionRequest(over: connection)
        #expect(try connection.send("POST", "/session", json: request).status == 200)
        let replay = try connection.send("POST", "/session", json: request)
        #expect(replay.status == 409 && replay.body["error"] == "consumed")
        // An assertion for a different challenge is rejected. A failed verification consumes nothing.
        var mixed = try device.signedSessionRequest(over: connection)
        let good = mixed
        mixed["assertion"] = request["assertion"]
        let refused = try connection.send("POST", "/session", json: mixed)
        #expect(refused.status == 401 && refused.body["error"] == "refused")
        #expect(try connection.send("POST", "/session", json: good).status == 200)
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
        // The server has lost its database, but the device still has its key.
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

    /// Tokens of the unattested tier are valid only for `/open`, and neither tier consumes the other's allowance.
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
        // This address has already made two of its ten requests.
        let statuses = try (0..<20).map { _ in try connection.send("GET", "/open", token: unattested).status }
        #expect(statuses.prefix(8).allSatisfy { $0 == 200 } && statuses.last == 429)
        #expect(try connection.send("POST", "/unattested").status == 429)
        #expect(try connection.send("GET", "/protected", token: attested).status == 200)
        #expect(try !device.session(over: connection).isEmpty)
    }

    @Test func aLogoutEndsTheSession() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 7))
        try device.attest(over: connection)
        let (token, other) = (try device.session(over: connection), try device.session(over: connection))
        #expect(try connection.send("POST", "/logout", token: token).status == 204)
        #expect(try connection.send("GET", "/protected", token: token).status == 401)
        #expect(try connection.send("POST", "/logout", token: token).status == 401)
        #expect(try connection.send("GET", "/protected", token: other).status == 200)
    }

    /// The service rejects a request whose method, path, query or body has changed, and accepts the unchanged request
    /// once.
    @Test func aSignedRequestIsThatRequest() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 9))
        try device.attest(over: connection)
        let json = ["amount": "1"]
        let body = Array(try JSONEncoder().encode(json))
        let headers = try device.signature(of: "POST", "/signed?to=%41", body: body, over: connection)
        for (path, json) in [
            ("/signed?to=A", json), ("/signed", json), ("/signed?to=%41&", json), ("/signed?to=%41", ["amount": "2"]),
        ] {
            #expect(try connection.send("POST", path, json: json, headers: headers).status == 401)
        }
        let answer = try connection.send("POST", "/signed?to=%41", json: json, headers: headers)
        #expect(answer.status == 200 && answer.body["keyID"] == device.keyName)
        #expect(try connection.send("POST", "/signed?to=%41", json: json, headers: headers).status == 409)
        #expect(try connection.send("POST", "/signed?to=%41", json: json).status == 400)
    }

    /// The next challenge is valid once, only for the key of the request, and only for assertions.
    @Test func aProtectedAnswerCarriesTheNextChallenge() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 10))
        try device.attest(over: connection)
        // From here on no device requests a challenge.
        let asked = { (answer: HTTPAnswerReceived) in answer.headers["attest-challenge"] }
        let first = try device.signedSessionRequest(over: connection)
        let session = try connection.send("POST", "/session", json: first)
        let token = session.body["token"]
        let protected = try connection.send("GET", "/protected", token: token)
        var challenges = [first["challenge"], asked(session), asked(protected)]
        device.note(protected)
        let headers = try device.signature(of: "POST", "/signed", body: [], over: connection)
        #expect(headers["Attest-Challenge"] == asked(protected))
        let signed = try connection.send("POST", "/signed", headers: headers)
        #expect(signed.status == 200)
        challenges.append(asked(signed))
        device.note(signed)
        let second = try device.signedSessionRequest(over: connection)
        #expect(second["challenge"] == asked(signed))
        #expect(try connection.send("POST", "/session", json: second).status == 200)
        #expect(try connection.send("POST", "/session", json: second).status == 409)
        #expect(Set(challenges.compactMap(\.self)).count == 4)
        let other = ServiceDevice(RunningService.device(seed: 11))
        try other.attest(over: connection)
        other.note(session)
        let refused = try connection.send("POST", "/session", json: other.signedSessionRequest(over: connection))
        #expect(refused.status == 401 && asked(refused) == nil)
    }

    /// After a rotation, tokens of the former secret are valid only while that secret is set.
    @Test func sessionsOutliveARotation() throws {
        let folder = try TemporaryFolder()
        let device = ServiceDevice(RunningService.device(seed: 8))
        var token = ""
        do {
            let service = try RunningService(database: folder.database)
            let connection = try service.connect()
            try device.attest(over: connection)
            token = try device.session(over: connection)
        }
        let secrets = ["ATTEST_SESSION_SECRET": String(repeating: "a5", count: 32)]
        let former = secrets.merging(["ATTEST_FORMER_SESSION_SECRET": String(repeating: "5a", count: 32)]) { $1 }
        for (settings, status) in [(former, 200), (secrets, 401)] {
            let service = try RunningService(database: folder.database, settings)
            #expect(try service.connect().send("GET", "/protected", token: token).status == status)
        }
    }

    @Test func metricsAreForTheOperator() throws {
        let folder = try TemporaryFolder()
        let token = "0123456789abcdef"
        let service = try RunningService(database: folder.database, ["ATTEST_METRICS_TOKEN": token])
        let connection = try service.connect()
        #expect(try connection.send("GET", "/health").status == 200)
        for wrong in [nil, "", token + "0", "0123456789abcdee"] {
            #expect(try connection.send("GET", "/metrics", token: wrong).status == 401)
        }
        let answer = try connection.send("GET", "/metrics", token: token)
        #expect(answer.status == 200 && answer.text.contains(#"http_route="/health",le="+Inf"} 1.0"#))
        let silent = try RunningService(database: folder.database)
        #expect(try silent.connect().send("GET", "/metrics", token: token).status == 404)
    }
}

final class Collected<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [Value] = []

    var values: [Value] { lock.withLock { stored } }
    func append(_ value: Value) { lock.withLock { stored.append(value) } }
}
