import Foundation
import PureBytes
import ServiceClient
import Testing

@Suite struct StartTests {
    private func log(
        _ settings: [String: String], database: String = "memory", limits: Bool = false,
        _ body: (HTTPConnection) throws -> Void = { _ in }
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        let errors = folder.url.appending(path: "errors")
        let service = try RunningService(
            database: database.replacing("FOLDER", with: folder.url.path), limits: limits, errors: errors,
            ["ATTEST_LOG_LEVEL": "info"].merging(settings) { $1 })
        try body(service.connect())
        _ = service.terminate()
        return try String(contentsOf: errors, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func oneLineSaysHowItRuns() throws {
        let lines = try log(
            [
                "ATTEST_APP_ID": "TEST123456.a,TEST123456.b=macOS", "ATTEST_ANSWERS": "uniform",
                "ATTEST_MAXIMUM_KEY_AGE": "9",
            ],
            database: "FOLDER/s3cret.sqlite", limits: true)
        let start = lines.filter { $0.contains("The service serves: ") }
        #expect(start.count == 1)
        for part in [
            #"apps="TEST123456.a,TEST123456.b=macOS""#, #"environment="production""#, #"store="sqlite""#,
            #"answers="uniform""#, #"sessions="untilRevoked""#, #"policies="MAXIMUM_KEY_AGE=9""#, #"limits="on""#,
            #"android="none""#, #"generate="off""#, #"purchases="none""#, " info ",
        ] { #expect(start.first?.contains(part) ?? false, "\(part) \(start)") }
        #expect(!lines.joined().contains("s3cret") && !lines.joined().contains(String(repeating: "5a", count: 32)))
        // The tests need the test authority, so the warning about it remains.
        let warnings = lines.filter { $0.contains(" warning ") }
        #expect(warnings.count == 1 && warnings.first?.contains("ATTEST_TEST_AUTHORITY is set") ?? false)
    }

    @Test func eachDangerousSettingIsWarnedOf() throws {
        let warnings = try log(["STORE_SECONDS": "4"]).filter { $0.contains(" warning ") }
        #expect(warnings.count == 4, "\(warnings)")
        for text in [
            "ATTEST_TEST_AUTHORITY is set", "ATTEST_NO_LIMITS is set", "ATTEST_DATABASE is memory",
            "STORE_SECONDS is deprecated; use ATTEST_STORE_SECONDS",
        ] { #expect(warnings.filter { $0.contains(text) }.count == 1, "\(text)") }
    }

    /// The log says which member or header is invalid, and contains no text from the request.
    @Test func aMalformedRequestNamesItsMember() throws {
        let secret = "S3CRET"
        let keyID = base64EncodedString([UInt8](repeating: 1, count: 32))
        let requests: [(path: String, json: [String: String], headers: [String: String], member: String)] = [
            ("/challenge", ["purpose": secret, "keyID": keyID], [:], "purpose"),
            ("/challenge", ["purpose": "assertion", "keyID": secret], [:], "keyID"),
            ("/challenge", ["keyID": secret], [:], "purpose"),
            ("/challenge", ["purpose": secret, "keyID": secret, secret: secret], [:], "body"),
            ("/attest", ["keyID": keyID, "challenge": "*\(secret)", "attestation": keyID], [:], "challenge"),
            ("/attest", ["keyID": keyID, "challenge": keyID, "attestation": "*\(secret)"], [:], "attestation"),
            ("/session", ["keyID": keyID, "challenge": keyID, "assertion": "*\(secret)"], [:], "assertion"),
            ("/signed", [:], ["Attest-Key": secret], "Attest-Key"),
            ("/signed", [:], ["Attest-Key": keyID, "Attest-Challenge": "*\(secret)"], "Attest-Challenge"),
            ("/signed", [:], ["Attest-Key": keyID, "Attest-Challenge": keyID], "Attest-Assertion"),
        ]
        let raw = [
            (#"{"purpose":"assertion","keyID":1}"#, "keyID"), (#"{"purpose":"\#(secret)"#, "body"),
            (#"{"purpose":"assertion","purpose":"\#(secret)"}"#, "body"), (#"["\#(secret)"]"#, "body"),
            (#"{"\#(secret)":1}"#, "purpose"),
        ]
        let lines = try log([:]) { connection in
            for request in requests {
                let answer = try connection.send("POST", request.path, json: request.json, headers: request.headers)
                #expect(answer.status == 400 && answer.text == #"{"error":"malformedRequest"}"#, "\(request)")
            }
            for (body, _) in raw {
                let head = "POST /challenge HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                try connection.write(Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8))
                #expect(try connection.read().status == 400)
            }
        }
        let named = lines.filter { $0.contains("Malformed request") }
        let members = named.compactMap { $0.firstMatch(of: /member=([A-Za-z-]+)/).map { String($0.1) } }
        #expect(members == requests.map(\.member) + raw.map(\.1), "\(named)")
        #expect(!lines.joined().contains(secret))
    }
}
