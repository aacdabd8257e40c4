import AttestMiddleware
import AttestService
import Foundation
import Hummingbird
import PureAttest
import PureAttestServer
import PureKeyAttestation
import ServiceClient
import ServiceMetrics
import Testing

/// `openapi.json` and the routes say the same, whichever of them is changed.
@Suite struct OpenAPITests {
    private static var document: [String: Any] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../openapi.json")
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
            android: AndroidKeys(verifier: KeyAttestationVerifier(apps: []), revocationList: CurrentRevocationList()))
        var options = RouteOptions()
        options.metrics = (MetricsRegistry(), [])
        options.upstream = Upstream(Generation(url: "https://model.example", key: "k", models: ["m"], maximumTokens: 1))
        let router = AttestRoutes(party, options: options) { UnixTime(secondsSince1970: 0) }.router
        let routes = Set(router.routes.map { "\($0.method) \($0.path)" })
        let documented = Self.member("paths").flatMap { path, methods in
            (methods as? [String: Any] ?? [:]).keys.map { "\($0.uppercased()) \(path)" }
        }
        #expect(!routes.isEmpty && routes == Set(documented))
    }

    /// Good and bad requests to each path: every status, and every member of an answer, is in the document, and none is missing.
    @Test func answersAreAsDocumented() throws {
        let folder = try TemporaryFolder()
        let metrics = "0123456789abcdef"
        let service = try RunningService(database: folder.database, ["ATTEST_METRICS_TOKEN": metrics])
        let connection = try service.connect()
        let device = ServiceDevice(RunningService.device(seed: 60))
        try device.attest(over: connection)
        let session = try device.signedSessionRequest(over: connection)
        let token = try #require(connection.send("POST", "/session", json: session).body["token"])
        let unattested = try #require(connection.send("POST", "/unattested").body["token"])
        let keyID = device.keyName ?? ""
        let requests: [(String, String, [String: String]?, String?)] = [
            ("POST", "/challenge", ["purpose": "assertion", "keyID": keyID], nil), ("POST", "/challenge", [:], nil),
            ("POST", "/challenge", nil, nil), ("POST", "/challenge", ["purpose": "keySignature", "keyID": keyID], nil),
            ("POST", "/attest", nil, nil), ("POST", "/attest", [:], nil),
            ("POST", "/attest", ["keyID": keyID, "challenge": keyID, "attestation": "AAAA"], nil),
            ("POST", "/session", session, nil), ("POST", "/session", [:], nil), ("POST", "/session", nil, nil),
            ("GET", "/protected", nil, token), ("GET", "/protected", nil, unattested), ("GET", "/protected", nil, nil),
            ("GET", "/open", nil, unattested), ("GET", "/open", nil, token), ("POST", "/unattested", nil, nil),
            ("GET", "/health", nil, nil), ("GET", "/metrics", nil, metrics), ("GET", "/metrics", nil, token),
            ("POST", "/signed", nil, nil), ("POST", "/logout", nil, token), ("POST", "/logout", nil, token),
        ]
        for (method, path, json, token) in requests {
            let answer = try connection.send(method, path, json: json, token: token)
            let responses = Self.member("paths", path, method.lowercased(), "responses")
            var response = responses[String(answer.status)] as? [String: Any]
            #expect(response != nil, "\(method) \(path): \(answer.status)")
            if let reference = response?["$ref"] as? String { response = Self.resolved(reference) }
            #expect(
                (Self.member("headers", "Attest-Challenge", of: response)["$ref"] != nil)
                    == (answer.headers["attest-challenge"] != nil), "\(method) \(path): \(answer.status)")
            let type = answer.headers["content-type"]?.split(separator: ";").first.map(String.init)
            let schema = Self.member("content", type ?? "", "schema", of: response)
            guard type == "application/json", let reference = schema["$ref"] as? String else {
                #expect(answer.status == 204 || type == "text/plain")
                continue
            }
            let required = Self.resolved(reference)["required"] as? [String] ?? []
            #expect(Set(answer.body.keys) == Set(required), "\(method) \(path): \(answer.text)")
            if let word = answer.body["error"] {
                let words = Self.member("properties", "error", of: Self.resolved(reference))["enum"] as? [String]
                #expect(words?.contains(word) ?? false)
            }
        }
    }

    /// The document has every word that an answer can have, and no other.
    @Test func allWordsAreDocumented() {
        let schema = Self.member("components", "schemas", "Error", "properties", "error")
        let faults: [RequestFault] = [
            .malformedRequest, .notFound, .timeout, .tooLarge, .unsupportedMediaType, .internalError,
        ]
        let words = HTTPAnswer.Code.allCases.map(\.rawValue) + faults.map(\.word)
        #expect(Set(schema["enum"] as? [String] ?? []) == Set(words))
    }

    private static func resolved(_ reference: String) -> [String: Any] {
        reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] as? [String: Any] ?? [:] }
    }
}
