import Foundation
import PureBytes
import ServiceClient
import Testing

/// Each bad request gets one answer, which repeats no text from the request. The service writes nothing to the store.
@Suite struct BadInputTests {
    private static let keyID = Data(repeating: 0xFB, count: 32).base64EncodedString()
    private static let good = #"{"purpose":"assertion","keyID":"\#(keyID)"}"#

    private func post(
        _ body: String, to path: String = "/challenge", type: String? = "application/json", _ connection: HTTPConnection
    ) throws -> HTTPAnswerReceived {
        let type = type.map { "Content-Type: \($0)\r\n" } ?? ""
        try connection.write(
            Array("POST \(path) HTTP/1.1\r\nHost: h\r\n\(type)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
        return try connection.read()
    }

    @Test func malformedRequestsAreRejected() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        #expect(try post(Self.good, connection).status == 200)
        #expect(try post(Self.good, type: "Application/JSON ; charset=utf-8", connection).status == 200)
        let malformed = [
            "", "{", "[]", "null", "\"x\"", "{}", "{\"purpose\":\"assertion\"}", Self.good + "x", Self.good + Self.good,
            #"{"purpose":"assertion","keyID":1}"#, #"{"purpose":"assertion","keyID":null}"#,
            #"{"purpose":"payment","keyID":"\#(Self.keyID)"}"#,
            // A duplicate member, a duplicate member with one escaped name, and an undeclared member.
            #"{"purpose":"attestation","purpose":"assertion","keyID":"\#(Self.keyID)"}"#,
            #"{"purpose":"attestation","\u0070urpose":"assertion","keyID":"\#(Self.keyID)"}"#,
            #"{"purpose":"assertion","keyID":"\#(Self.keyID)","more":"x"}"#,
            #"{"purpose":"assertion","keyID":"\uD800"}"#, #"{"purpose":"assertion","keyID":"\x"}"#,
            "{\"purpose\":\"assertion\",\"keyID\":\"a\nb\"}", String(repeating: "[", count: 1_000),
        ]
        for body in malformed {
            let answer = try post(body, connection)
            #expect(answer.status == 400 && answer.text == #"{"error":"malformedRequest"}"#, "\(body)")
        }
        for type in [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            let answer = try post(Self.good, type: type, connection)
            #expect(answer.status == 415 && answer.text == #"{"error":"unsupportedMediaType"}"#)
        }
        #expect(try connection.send("GET", "/<script>").text == #"{"error":"notFound"}"#)
        #expect(try connection.send("DELETE", "/challenge").status == 404)
    }

    /// The service accepts the Base64 alphabet of `generateKey` and the base64url alphabet of tokens, and no other.
    @Test func base64IsReadStrictly() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        let bytes = [UInt8](repeating: 0xFB, count: 32)
        for variant in [Base64.Variant.standard, .urlSafeUnpadded] {
            let json = ["purpose": "assertion", "keyID": base64EncodedString(bytes, as: variant)]
            #expect(try connection.send("POST", "/challenge", json: json).status == 200)
        }
        let text = base64EncodedString(bytes)
        let bad = [
            "", "!", String(text.dropLast()), text + "=", text + "\n", " " + text, String(text.dropLast(2)) + "/=",
            text.replacing("+", with: "-"), base64EncodedString(bytes.dropLast()), base64EncodedString(bytes + [0]),
        ]
        for keyID in bad {
            let json = ["purpose": "assertion", "keyID": keyID]
            #expect(try connection.send("POST", "/challenge", json: json).status == 400, "\(keyID)")
        }
    }

    @Test func oversizedBodiesAreRejectedUnread() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let head = "POST /attest HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        // The service does not wait for a body whose declared length is too large.
        let declared = try service.connect()
        try declared.write(Array((head + "Content-Length: 200000000\r\n\r\n").utf8))
        #expect(try declared.read().status == 413)
        #expect(declared.isEnded(within: 3))
        let chunked = try service.connect()
        try chunked.write(Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8))
        let chunk = Array("4000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 0x4000) + Array("\r\n".utf8)
        for _ in 0..<7 { try chunked.write(chunk) }
        let answer = try chunked.read()
        #expect(answer.status == 413 && answer.text == #"{"error":"tooLarge"}"#)
        #expect(chunked.isEnded(within: 3))
        #expect(try post(#"{"a":"\#(String(repeating: "x", count: 2_000))"}"#, service.connect()).status == 413)
        let floods = [
            "GET /health HTTP/1.1\r\n" + (0..<500).map { "X-\($0): 1\r\n" }.joined() + "\r\n",
            "GET /health HTTP/1.1\r\nX: " + String(repeating: "x", count: 100_000) + "\r\n\r\n",
            "GET /" + String(repeating: "x", count: 100_000) + " HTTP/1.1\r\n\r\n",
            "GET /health HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "\u{0}\u{1}\r\n\r\n",
        ]
        for flood in floods {
            let connection = try service.connect()
            try connection.write(Array(flood.utf8))
            #expect(try connection.read().status == 400)
            #expect(connection.isEnded(within: 3))
        }
    }

    @Test func nothingOfItIsWritten() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        for path in ["/attest", "/session", "/challenge", "/unattested", "/logout"] {
            for member in ["attestation", "assertion"] {
                let json = ["keyID": Self.keyID, "challenge": Self.keyID, member: "AAAA"]
                let answer = try connection.send("POST", path, json: json)
                #expect(answer.status < 500 && !answer.text.contains("AAAA"))
            }
        }
        let rows = try SQLiteFile(folder.database).run(
            "SELECT (SELECT count(*) FROM attested_keys) + (SELECT count(*) FROM consumed_tokens)")
        #expect(rows == [["0"]])
    }

    @Test func freshKeyIdentifiersAreNoFreshAllowance() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, limits: true, ["ATTEST_ADDRESS_PER_MINUTE": "120"])
        let connection = try service.connect()
        let answers = try (0..<60).map { number in
            let keyID = base64EncodedString([UInt8](repeating: UInt8(number), count: 32))
            return try connection.send("POST", "/challenge", json: ["purpose": "assertion", "keyID": keyID])
        }
        #expect(answers.prefix(20).allSatisfy { $0.status == 200 })
        let limited = answers.filter { $0.status == 429 }
        #expect(limited.count > 30)
        #expect(limited.allSatisfy { $0.retryAfter != nil && $0.body["error"] == "tooManyRequests" })
        #expect(try post(Self.good, service.connect(from: "127.0.0.2")).status == 200)
        #expect(try connection.send("GET", "/health").status == 200)
    }

    /// The service uses the last address in the proxy's header, because the client may have written all earlier
    /// addresses.
    @Test func behindAProxyItsHeaderCounts() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(
            database: folder.database, limits: true,
            ["ATTEST_ADDRESS_PER_MINUTE": "6", "ATTEST_FORWARDED_BY": "X-Forwarded-For"])
        let connection = try service.connect()
        func status(_ header: String?) throws -> Int {
            try connection.send(
                "POST", "/challenge", json: ["purpose": "assertion", "keyID": Self.keyID],
                headers: header.map { ["X-Forwarded-For": $0] } ?? [:]
            ).status
        }
        #expect(try status("203.0.113.9, 2001:db8:1:2::1") == 200)
        // The same client, because a customer has at least a /64 of addresses (RFC 6177 §2).
        #expect(try status("203.0.113.8, 2001:db8:1:2:ffff::9") == 429)
        #expect(try status("2001:db8:1:3::1") == 200)
        #expect(try status("198.51.100.1") == 200)
        // The same IPv4 address, written as an IPv6 address.
        #expect(try status("::ffff:198.51.100.1") == 429)
        #expect(try status(nil) == 400)
        #expect(try status("unknown") == 400)
    }
}
