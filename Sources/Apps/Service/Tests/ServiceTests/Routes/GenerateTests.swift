import Foundation
import HTTPTypes
import ServiceClient
import Testing

@Suite(.serialized) struct GenerateTests {
    static let key = "the-upstream-s-secret"

    final class Bench: @unchecked Sendable {
        let upstream: FakeUpstream
        let service: RunningService
        let folder: TemporaryFolder
        let device: ServiceDevice
        let token: String

        init(database: String? = nil, _ settings: [String: String] = [:]) async throws {
            let upstream = try await FakeUpstream()
            let folder = try TemporaryFolder()
            let service = try RunningService(
                database: database ?? folder.database.path,
                [
                    "ATTEST_GENERATE_URL": upstream.url, "ATTEST_GENERATE_KEY": GenerateTests.key,
                    "ATTEST_GENERATE_MODELS": "small,large",
                    "ATTEST_GENERATE_TOKENS": "400", "ATTEST_GENERATE_SECONDS": "20", "ATTEST_BUDGET_REQUESTS": "100",
                    "ATTEST_BUDGET_UNITS": "1000", "ATTEST_GENERATE_MEMBERS": "temperature",
                    // Most tests count only the tokens of answers.
                    "ATTEST_GENERATE_BYTES_PER_TOKEN": "0",
                ].merging(settings) { $1 })
            nonisolated(unsafe) let device = ServiceDevice(RunningService.device(seed: 80))
            (self.upstream, self.folder, self.service, self.device) = (upstream, folder, service, device)
            token = try await onThread {
                let connection = try service.connect()
                try device.attest(over: connection)
                return try device.session(over: connection)
            }
        }

        deinit { upstream.end() }

        static let prompt = #"{"messages":[{"role":"user","content":"Hi"}]}"#

        func send(
            _ body: String = prompt, over connection: HTTPConnection, type: String = "application/json",
            headers: [String: String] = [:]
        ) throws {
            var head = "POST /generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            try connection.write(
                Array((head + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body).utf8))
        }

        func ask(_ body: String = prompt, type: String = "application/json") async throws -> HTTPAnswerReceived {
            try await onThread { [self] in
                let connection = try service.connect()
                try send(body, over: connection, type: type)
                return try connection.read()
            }
        }

        /// Sends a request that itself uses no units.
        func unitsUsed() async throws -> Int? {
            upstream.answer(.json(used: 0))
            let answer = try await ask(#"{"messages":[{"role":"user","content":"x"}],"max_tokens":1}"#)
            return answer.headers["attest-units-left"].flatMap { Int($0) }.map { 1_000 - 1 - $0 }
        }
    }

    @Test func aStreamPassesChunkByChunkAndIsCounted() async throws {
        let bench = try await Bench()
        var behaviour = FakeUpstream.Behaviour.stream(used: 123)
        behaviour.waits = true
        bench.upstream.answer(behaviour)
        let parts = behaviour.parts
        try await onThread {
            let connection = try bench.service.connect()
            try bench.send(#"{"messages":[{"role":"user","content":"Hi"}],"stream":true}"#, over: connection)
            let (status, headers) = try connection.readHead()
            #expect(status == 200 && headers["content-type"] == "text/event-stream")
            #expect(headers["attest-units-left"] == "600" && headers["attest-requests-left"] == "99")
            #expect(headers["attest-challenge"] != nil && headers["set-cookie"] == nil && headers["location"] == nil)
            for part in parts {
                bench.upstream.release()
                #expect(try connection.readChunk() == Array(part.utf8))
            }
            #expect(try connection.readChunk() == nil)
        }
        #expect(try await bench.unitsUsed() == 123)
        let asked = try #require(bench.upstream.asked.first?.json)
        #expect(asked["stream"] as? Bool == true)
        #expect((asked["stream_options"] as? [String: Bool]) == ["include_usage": true])
    }

    @Test func onlyWhatIsAllowedGoesUpstream() async throws {
        let bench = try await Bench()
        bench.upstream.answer(.json(used: 7))
        let answer = try await onThread {
            let connection = try bench.service.connect()
            let body =
                #"{"messages":[{"role":"user","content":"\u00e4"}],"model":"large","temperature":0.5,"n":9,"user":"me","max_tokens":40,"tools":[]}"#
            try bench.send(
                body, over: connection, headers: ["Cookie": "a=b", "X-Api-Key": "mine", "OpenAI-Organization": "x"])
            return try connection.read()
        }
        #expect(answer.status == 200 && answer.text == FakeUpstream.Behaviour.json(used: 7).parts[0])
        let asked = try #require(bench.upstream.asked.first)
        #expect(Set(asked.json.keys) == ["messages", "model", "temperature", "max_tokens", "stream"])
        #expect(asked.json["model"] as? String == "large" && asked.json["max_tokens"] as? Int == 40)
        #expect(asked.json["temperature"] as? Double == 0.5 && asked.body.contains("ä"))
        #expect(asked.headers[.authorization] == "Bearer \(Self.key)")
        #expect(!"\(asked.headers)\(asked.body)".contains(bench.token))
        for name in ["Cookie", "X-Api-Key", "OpenAI-Organization", "X-Forwarded-For"] {
            #expect(asked.headers[HTTPField.Name(name)!] == nil, "\(name)")
        }
        #expect(!"\(answer.headers)\(answer.text)".contains(Self.key))
        #expect(try await bench.unitsUsed() == 7)
    }

    @Test func exhaustedBudgetsNeverReachTheModel() async throws {
        for (settings, tokens) in [(["ATTEST_BUDGET_REQUESTS": "1"], 1), (["ATTEST_BUDGET_UNITS": "400"], 400)] {
            let bench = try await Bench(settings)
            bench.upstream.answer(.json(used: tokens))
            #expect(try await bench.ask().status == 200)
            let refused = try await bench.ask()
            #expect(refused.status == 429 && refused.body["error"] == "budgetSpent")
            let wait = try #require(refused.retryAfter.flatMap { Int($0) })
            #expect(1...86_400 ~= wait)
            let resets = try #require(refused.body["resetsAt"].flatMap { Double($0) })
            #expect(resets.truncatingRemainder(dividingBy: 86_400) == 0 && resets > Date().timeIntervalSince1970 - 5)
            let isRequests = settings["ATTEST_BUDGET_REQUESTS"] != nil
            #expect(refused.body["requestsLeft"] == (isRequests ? "0" : "99"))
            #expect(refused.body["unitsLeft"] == (isRequests ? "999" : "0"))
            #expect(bench.upstream.asked.count == 1)
        }
    }

    /// If the model does not answer, the service charges no units, but still counts the request.
    @Test(arguments: [500, 400, 401, 429, 302]) func failedAnswersUseNoUnits(status: Int) async throws {
        let bench = try await Bench()
        bench.upstream.answer(.init(status: status, parts: ["secrets of the upstream"]))
        let answer = try await bench.ask()
        #expect(answer.status == 503 && answer.text == #"{"error":"serverUnavailable"}"#)
        #expect(answer.headers["location"] == nil)
        #expect(bench.upstream.asked.count == 1)
        #expect(try await bench.unitsUsed() == 0)
    }

    @Test func aModelThatIsNotThereTakesNoUnits() async throws {
        let bench = try await Bench(["ATTEST_GENERATE_URL": "http://127.0.0.1:1/x", "ATTEST_BUDGET_UNITS": "400"])
        for _ in 0..<3 { #expect(try await bench.ask().status == 503) }
    }

    @Test(arguments: ["no usage", "breaks off", "usage of text", "negative usage", "not JSON"])
    func unknownUsageCostsTheReservation(how: String) async throws {
        let bench = try await Bench()
        var behaviour = FakeUpstream.Behaviour.json(used: how == "breaks off" ? 5 : nil)
        switch how {
        case "breaks off": behaviour.breaksOff = true
        case "usage of text": behaviour.parts = [#"{"usage":{"total_tokens":"5"}}"#]
        case "negative usage": behaviour.parts = [#"{"usage":{"total_tokens":-5}}"#]
        case "not JSON": behaviour.parts = [#"{"usage":{"total_tokens":5}"#]
        default: break
        }
        bench.upstream.answer(behaviour)
        let answer = try? await bench.ask()
        #expect((answer == nil) == (how == "breaks off"))
        #expect(try await bench.unitsUsed() == 400)
    }

    /// If a client disconnects before the model reports its usage, the service still charges for the bytes that the
    /// model has read.
    @Test(arguments: [1, 7]) func promptsAreReservedByTheirBytes(bytesPerToken: Int) async throws {
        let bench = try await Bench([
            "ATTEST_GENERATE_BYTES_PER_TOKEN": "\(bytesPerToken)", "ATTEST_BUDGET_UNITS": "3000",
        ])
        bench.upstream.answer(.json(used: nil))
        let words = String(repeating: "ä", count: 1_000)
        let answer = try await bench.ask(#"{"messages":[{"role":"user","content":"\#(words)"}],"max_tokens":1}"#)
        let asked = try #require(bench.upstream.asked.first)
        let reserved = 1 + (asked.body.utf8.count + bytesPerToken - 1) / bytesPerToken
        #expect(asked.body.utf8.count > 2_000)
        #expect(answer.status == 200 && answer.headers["attest-units-left"] == "\(3_000 - reserved)")
        let next = try await bench.ask(#"{"messages":[{"role":"user","content":"\#(words)"}],"max_tokens":1}"#)
        #expect(next.status == (bytesPerToken == 1 ? 429 : 200))
    }

    @Test func moreThanWasReservedIsTakenToo() async throws {
        let bench = try await Bench()
        bench.upstream.answer(.json(used: 5_000))
        #expect(try await bench.ask().status == 200)
        let refused = try await bench.ask(#"{"messages":[{"role":"user","content":"x"}],"max_tokens":1}"#)
        #expect(refused.status == 429 && refused.body["unitsLeft"] == "0")
    }

    @Test func aModelThatNeverEndsIsLeft() async throws {
        let bench = try await Bench(["ATTEST_GENERATE_SECONDS": "2", "ATTEST_BUDGET_UNITS": "1300"])
        var endless = FakeUpstream.Behaviour.stream(used: 3)
        endless.isEndless = true
        for behaviour in [endless, endless, FakeUpstream.Behaviour(delay: .seconds(6), parts: ["{}"])] {
            bench.upstream.answer(behaviour)
            let start = ContinuousClock.now
            let answer = try? await bench.ask()
            #expect(answer == nil || answer?.status == 503)
            #expect(ContinuousClock.now - start < .seconds(5))
        }
        let refused = try await bench.ask(#"{"messages":[{"role":"user","content":"x"}],"max_tokens":400}"#)
        #expect(refused.status == 429)
    }

    @Test func aClientThatGoesAwayPaysTheReservationAndEndsTheModelsWork() async throws {
        let bench = try await Bench()
        var endless = FakeUpstream.Behaviour.stream(used: 3)
        endless.isEndless = true
        bench.upstream.answer(endless)
        try await onThread {
            let connection = try bench.service.connect()
            try bench.send(over: connection)
            _ = try connection.readHead()
            _ = try connection.readChunk()
        }
        for _ in 0..<100 where bench.upstream.ended == 0 { try await Task.sleep(for: .milliseconds(50)) }
        #expect(bench.upstream.ended == 1)
        #expect(try await bench.unitsUsed() == 400)
    }

    @Test(arguments: [
        ("", 400), ("{", 400), ("[]", 400), ("null", 400), ("{}", 400), (#"{"messages":[]}"#, 400),
        (#"{"messages":"Hi"}"#, 400), (#"{"messages":[{"role":"user","content":"x"}],"model":"huge"}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"model":1}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"max_tokens":0}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"max_tokens":401}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"max_tokens":-1}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"max_tokens":1.5}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"max_tokens":"1"}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"max_tokens":true}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"max_tokens":99999999999999999999}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"stream":1}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"stream":"true"}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"temperature":1e999}"#, 400),
        (
            #"{"messages":["# + String(repeating: "[", count: 5_000) + "1" + String(repeating: "]", count: 5_000)
                + "]}", 400
        ),
        (#"{"messages":[1]}"#, 400), (#"{"messages":["x"]}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"max_tokens":1,"max_tokens":300}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"max_tokens":1,"max_\u0074okens":300}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"temperature":\#(nested(64))}"#, 400),
        (#"{"messages":[{"role":"user","content":"x"}],"temperature":[1e999]}"#, 400),
        (#"{"messages":[{"role":"user","content":"\#(String(repeating: "x", count: 70_000))"}]}"#, 413),
    ]) func badInputIsRefusedAndSpendsNothing(body: String, status: Int) async throws {
        let bench = try await Bench()
        let answer = try await bench.ask(body)
        #expect(answer.status == status && Set(answer.body.keys) == ["error"], "\(answer.text)")
        #expect(bench.upstream.asked.isEmpty)
        #expect(try await bench.unitsUsed() == 0)
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    /// The model receives each passed value as the client wrote it, without white space.
    @Test(arguments: [
        "0.10000000000000000000001", "-1E-9", "true", "null", #""\"\\\u0001\u001f\u007f/é\ud83d\ude00""#, "{}",
        nested(63),
        #"{"a":[1,{"b":[]},[]],"":"a\b\t\n\f\rb"}"#,
    ]) func valuesPassUnchanged(value: String) async throws {
        let bench = try await Bench()
        bench.upstream.answer(.json(used: 7))
        let body = #"{"messages":[{"role":"user","content":"x"}],"temperature": \#(value) }"#
        #expect(try await bench.ask(body).status == 200)
        let asked = try #require(bench.upstream.asked.first)
        let passed = value.replacing(#"\u007f"#, with: "\u{7f}").replacing(#"\ud83d\ude00"#, with: "😀")
        #expect(asked.body.contains(#""temperature":\#(passed)}"#), "\(asked.body)")
    }

    @Test func onlySessionsAndSignedRequestsAreAnswered() async throws {
        let bench = try await Bench()
        bench.upstream.answer(.json(used: 5))
        #expect(try await bench.ask(type: "text/plain").status == 415)
        try await onThread {
            let connection = try bench.service.connect()
            let unattested = try #require(connection.send("POST", "/unattested").body["token"])
            for token in [nil, "x", unattested] {
                #expect(try connection.send("POST", "/generate", json: ["messages": "x"], token: token).status == 401)
            }
            let body = Array(Bench.prompt.utf8)
            let signature = try bench.device.signature(of: "POST", "/generate", body: body, over: connection)
            var head = "POST /generate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            for (name, value) in signature { head += "\(name): \(value)\r\n" }
            let request = Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
            try connection.write(request)
            let answer = try connection.read()
            #expect(answer.status == 200 && answer.headers["attest-requests-left"] == "99")
            // A second delivery is a replay, even if the request also carries a session token.
            try connection.write(request)
            #expect(try connection.read().status == 409)
            try bench.send(over: connection, headers: signature)
            #expect(try connection.read().status == 409)
        }
        #expect(bench.upstream.asked.count == 1)
        #expect(try await bench.unitsUsed() == 5)
        #expect(
            try await onThread { () -> Int in
                let connection = try bench.service.connect()
                _ = try connection.send("POST", "/logout", token: bench.token)
                try bench.send(over: connection)
                return try connection.read().status
            } == 401)
    }

    @Test func withoutSettingsThereIsNoSuchRoute() async throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let status = try await onThread { try service.connect().send("POST", "/generate", json: [:]).status }
        #expect(status == 404)
    }

    @Test func ofRacingRequestsOneGetsTheLastAllowance() async throws {
        try await race(database: nil)
    }

    @Test(.withPostgreSQL) func ofRacingRequestsOneGetsTheLastAllowanceOfPostgreSQL() async throws {
        try await race(database: PostgreSQLServer.shared.get().newSchema())
    }

    private func race(database: String?) async throws {
        let bench = try await Bench(database: database, ["ATTEST_BUDGET_REQUESTS": "3", "ATTEST_BUDGET_UNITS": "800"])
        bench.upstream.answer(.json(used: nil))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 { group.addTask { try await bench.ask().status } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200, 200] + Array(repeating: 429, count: 10))
        #expect(bench.upstream.asked.count == 2)
    }
}
