import AttestMiddleware
import AttestService
import Foundation
import Hummingbird
import PureAttest
import PureAppStore
import PureAttestPurchases
import PureAttestServer
import PureBytes
import PureKeyAttestation
import PureKeyAttestationTesting
import ServiceClient
import ServiceMetrics
import Testing

@Suite struct OpenAPITests {
    private static var document: [String: Any] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../openapi.json")
        let object = (try? Data(contentsOf: url)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        return object as? [String: Any] ?? [:]
    }

    private static func member(_ path: String..., of object: [String: Any]? = nil) -> [String: Any] {
        path.reduce(object ?? document) { $0[$1] as? [String: Any] ?? [:] }
    }

    @Test func theDocumentHasTheRoutesAndNoOthers() throws {
        let key = try #require(SessionKey(id: "1", secret: RunningService.sessionSecret))
        let party = RelyingParty(
            verifier: AppAttestVerifier(
                apps: [RunningService.app], environment: .production, launchPolicy: .reportOnly),
            store: InMemoryStore(), sessionKeys: SessionKeys(current: key),
            android: AndroidVerification(
                verifier: KeyAttestationVerifier(apps: []), revocationList: CurrentRevocationList()))
        var options = RouteOptions()
        options.metrics = (MetricsRegistry(), [])
        options.upstream = Upstream(Generation(url: "https://model.example", key: "k", models: ["m"], maximumTokens: 1))
        let purchases = Purchases(
            of: party, verifier: try SignedDataVerifier(bundleID: "a", appAppleID: nil, environment: .sandbox),
            products: [], store: party.store)
        let router = AttestRoutes(party, purchases: purchases, options: options) {
            UnixTime(secondsSince1970: 0)
        }.router
        let routes = Set(router.routes.map { "\($0.method) \($0.path)" })
        let documented = Self.member("paths").flatMap { path, methods in
            (methods as? [String: Any] ?? [:]).keys.map { "\($0.uppercased()) \(path)" }
        }
        #expect(!routes.isEmpty && routes == Set(documented))
    }

    /// Sends good and bad requests to each path. The document describes every status, header and member of the answers,
    /// and every documented status occurs.
    @Test func answersAreAsDocumented() async throws {
        let bench = try await DocumentedService()
        let answered = try await onThread { try bench.answers() }
        for (method, path, answer) in answered { Self.check(answer, of: method, path) }
        // Other tests cover answers that require a long time, a large request or an outage.
        let seen = Set(answered.map { "\($0.0) \($0.1) \($0.2.status)" })
        let documented = Self.member("paths").flatMap { path, methods in
            (methods as? [String: [String: Any]] ?? [:]).flatMap { method, operation in
                Self.member("responses", of: operation).keys.map { "\(method.uppercased()) \(path) \($0)" }
            }
        }
        let unseen = Set(documented).subtracting(seen).filter { answer in
            // This service's `/open` accepts only tokens of the unattested tier. Only the sample Worker's `/open` also
            // accepts attested tokens, and answers 409 if the token is consumed.
            !["408", "413", "415", "429", "503"].contains { answer.hasSuffix($0) } && answer != "GET /open 409"
        }
        #expect(unseen.isEmpty && seen.count == 49, "\(unseen) \(seen.count)")
    }

    private static func check(_ answer: HTTPAnswerReceived, of method: String, _ path: String) {
        let schemas = JSONSchema(document: document)
        let what = "\(method) \(path): \(answer.status) \(answer.text)"
        var response = member("paths", path, method.lowercased(), "responses")[String(answer.status)] as? [String: Any]
        #expect(response != nil, "\(what)")
        if let reference = response?["$ref"] as? String { response = schemas.resolved(reference) }
        let own = Set(answer.headers.keys.filter { $0.hasPrefix("attest-") })
        #expect(Set(member("headers", of: response).keys.map { $0.lowercased() }) == own, "\(what)")
        let type = answer.headers["content-type"]?.split(separator: ";").first.map(String.init)
        let content = member("content", of: response)
        guard let type else {
            #expect(content.isEmpty && answer.text.isEmpty, "\(what)")
            return
        }
        #expect(content[type] != nil, "\(what)")
        let schema = member("schema", of: content[type] as? [String: Any] ?? [:])
        // A language model's answer has its own format.
        guard type == "application/json", !schema.isEmpty else { return }
        guard let value = try? JSONSerialization.jsonObject(with: Data(answer.text.utf8)) else {
            Issue.record("no JSON: \(what)")
            return
        }
        #expect(schemas.faults(of: value, by: schema) == [], "\(what)")
    }

    @Test func schemaFaultsAreFound() {
        let schemas = JSONSchema(document: Self.document)
        let registration = ["$ref": "#/components/schemas/Registration"]
        let good: [String: Any] = ["keyID": "k", "isNew": true, "token": "t", "expiresAt": 1]
        #expect(schemas.faults(of: good, by: registration) == [])
        let bad: [[String: Any]] = [
            good.merging(["more": 1]) { $1 }, good.filter { $0.key != "token" }, good.merging(["isNew": 1]) { $1 },
            good.merging(["expiresAt": "1"]) { $1 }, good.merging(["expiresAt": true]) { $1 },
            good.merging(["expiresAt": 1.5]) { $1 }, good.merging(["token": NSNull()]) { $1 },
        ]
        for value in bad { #expect(schemas.faults(of: value, by: registration).count == 1, "\(value)") }
        // The schema contains two lists of words, and the validator reports a fault for each list.
        #expect(schemas.faults(of: ["error": "other"], by: ["$ref": "#/components/schemas/Error"]).count == 2)
    }

    @Test func answersHaveNoOpenObjects() {
        let schemas = Self.member("components", "schemas")
        let open = schemas.filter { ($0.value as? [String: Any])?["additionalProperties"] as? Bool != false }
        #expect(schemas.count == 21, "\(schemas.count)")
        #expect(Set(open.keys) == ["AnswerCode", "GenerateRequest", "Notification", "Part"])
    }

    @Test func allWordsAreDocumented() {
        let faults: [RequestFault] = [
            .malformedRequest, .notFound, .timeout, .tooLarge, .unsupportedMediaType, .internalError,
        ]
        let schemas = JSONSchema(document: Self.document)
        let choices = Self.member("components", "schemas", "Error", "properties", "error")["anyOf"] as? [[String: Any]]
        let words = (choices ?? []).map { $0["$ref"] == nil ? $0 : schemas.resolved($0["$ref"] as? String ?? "") }
            .flatMap { $0["enum"] as? [String] ?? [] }
        #expect(words == faults.map(\.word) + HTTPAnswer.Code.allCases.map(\.rawValue))
    }
}

private final class DocumentedService: @unchecked Sendable {
    private let metrics = "0123456789abcdef"
    private let folder: TemporaryFolder
    private let upstream: FakeUpstream
    private let service: RunningService
    /// A service that accepts no Android apps, and consumes session tokens.
    private let plain: RunningService

    init() async throws {
        (folder, upstream) = (try TemporaryFolder(), try await FakeUpstream())
        let list = folder.url.appending(path: "status.json")
        try Data(#"{"entries":{}}"#.utf8).write(to: list)
        service = try RunningService(
            database: folder.database,
            [
                "ATTEST_METRICS_TOKEN": metrics, "ATTEST_GENERATE_URL": upstream.url, "ATTEST_GENERATE_KEY": "k",
                "ATTEST_GENERATE_MODELS": "m", "ATTEST_GENERATE_TOKENS": "400", "ATTEST_BUDGET_REQUESTS": "2",
                "ATTEST_BUDGET_UNITS": "1000", "ATTEST_ANDROID_REVOCATION_LIST": list.path,
                "ATTEST_ANDROID_APPS": "com.example.android=" + String(repeating: "ab", count: 32),
            ].merging(PurchaseServiceTests.settings) { $1 })
        plain = try RunningService(database: "memory", ["ATTEST_SESSION_USE": "once"])
        upstream.answer(.json(used: 1))
    }

    deinit { upstream.end() }

    func answers() throws -> [(String, String, HTTPAnswerReceived)] {
        let connection = try service.connect()
        var answers: [(String, String, HTTPAnswerReceived)] = []
        @discardableResult func send(
            _ method: String, _ path: String, _ json: [String: String]? = nil, token: String? = nil,
            headers: [String: String] = [:]
        ) throws -> HTTPAnswerReceived {
            let answer = try connection.send(method, path, json: json, token: token, headers: headers)
            answers.append((method, path, answer))
            return answer
        }
        let device = ServiceDevice(RunningService.device(seed: 60))
        let registration = try device.registration(over: connection)
        let first = try send("POST", "/attest", registration)
        device.noteRegistration(registration, first)
        try send("POST", "/attest", registration)
        try send("POST", "/attest")
        try send("POST", "/attest", [:])
        let keyID = first.body["keyID"] ?? ""
        try send("POST", "/attest", ["keyID": keyID, "challenge": keyID, "attestation": "AAAA"])
        let session = try device.signedSessionRequest(over: connection)
        for json in [session, session, [:], nil] { try send("POST", "/session", json) }
        try send("POST", "/session", session.merging(["challenge": keyID]) { $1 })
        for purpose in ["assertion", "payment"] {
            try send("POST", "/challenge", ["purpose": purpose, "keyID": keyID])
        }
        try send("POST", "/challenge")
        answers += try consumedAnswers()
        try androidAnswers(connection, send: { try send($0, $1, $2) })
        let token = first.body["token"] ?? ""
        let unattested = try send("POST", "/unattested").body["token"]
        for token in [token, unattested, nil] { try send("GET", "/protected", token: token) }
        for token in [unattested, token] { try send("GET", "/open", token: token) }
        try send("GET", "/health")
        for token in [metrics, token] { try send("GET", "/metrics", token: token) }
        let signature = try device.signature(of: "POST", "/signed", body: [], over: connection)
        for headers in [signature, signature, [:]] { try send("POST", "/signed", headers: headers) }
        try send("POST", "/signed", headers: signature.merging(["Attest-Challenge": keyID]) { $1 })
        answers += try generateAnswers(connection, token, device)
        answers += try purchaseAnswers(connection, token, device)
        for _ in 0..<2 { try send("POST", "/logout", token: token) }
        return answers
    }

    private func consumedAnswers() throws -> [(String, String, HTTPAnswerReceived)] {
        let connection = try plain.connect()
        let device = ServiceDevice(RunningService.device(seed: 61))
        let token = try connection.send("POST", "/attest", json: device.registration(over: connection)).body["token"]
        return try [("GET", "/protected"), ("GET", "/protected"), ("POST", "/logout")].map { method, path in
            (method, path, try connection.send(method, path, token: token))
        }
    }

    private func androidAnswers(
        _ connection: HTTPConnection, send: (String, String, [String: String]?) throws -> HTTPAnswerReceived
    ) throws {
        let app = AndroidApp(
            packageName: "com.example.android", signingDigests: [[UInt8](repeating: 0xAB, count: 32)])
        let device = AndroidServiceDevice(
            VirtualAndroidDevice(
                app: app, authority: TestAndroidAuthority(seed: 1), securityLevel: .trustedEnvironment, seed: 1,
                time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970))))
        let registration = try device.registration(over: connection).request
        let refused = registration.merging(["chain": ""]) { $1 }
        for json in [refused, registration, registration, [:]] { _ = try send("POST", "/android/attest", json) }
        try device.attest(over: connection)
        let session = try device.signedSessionRequest(over: connection)
        let other = session.merging(["challenge": session["keyID"] ?? ""]) { $1 }
        for json in [session, session, other, [:]] { _ = try send("POST", "/android/session", json) }
    }

    private func generateAnswers(
        _ connection: HTTPConnection, _ token: String, _ device: ServiceDevice
    ) throws -> [(String, String, HTTPAnswerReceived)] {
        let body = #"{"messages":[{"role":"user","content":"Hi"}]}"#
        let signature = try device.signature(of: "POST", "/generate", body: Array(body.utf8), over: connection)
        let bearer = ["Authorization": "Bearer \(token)"]
        return try [
            (body, signature), (body, signature), ("{}", bearer), (body, [:]), (body, bearer), (body, bearer),
        ].map { try post("/generate", $0, $1) }
    }

    private func purchaseAnswers(
        _ connection: HTTPConnection, _ token: String, _ device: ServiceDevice
    ) throws -> [(String, String, HTTPAnswerReceived)] {
        let jws = PurchaseServiceTests.store.sign(PurchaseServiceTests.transaction())
        let body = #"{"signedTransaction":"\#(String(decoding: jws, as: UTF8.self))"}"#
        let signature = try device.signature(of: "POST", "/purchase", body: Array(body.utf8), over: connection)
        let bearer = ["Authorization": "Bearer \(token)"]
        let test = String(decoding: PurchaseServiceTests.notification("TEST"), as: UTF8.self)
        return try [
            ("/purchase", body, signature), ("/purchase", body, signature), ("/purchase", "{}", bearer),
            ("/purchase", body, [:]), ("/purchase", #"{"signedTransaction":""}"#, bearer),
            ("/notifications", test, [:]), ("/notifications", "{}", [:]),
        ].map { try post($0, $1, $2) }
    }

    /// Sends each body over a new connection, because the service may answer before it has read the whole body, and
    /// then closes the connection.
    private func post(
        _ path: String, _ body: String, _ headers: [String: String]
    ) throws -> (String, String, HTTPAnswerReceived) {
        ("POST", path, try service.connect().post(path, Array(body.utf8), headers: headers))
    }
}
