import AttestMiddleware
import Foundation
import NIOCore
import PureAttestServer
import ServiceClient
import Testing

@Suite struct ForwardedAddressTests {
    /// Unicode scalars that form one `Character` with a neighbouring comma, such as *Prepend* characters: number sign,
    /// acute accent, joiner, end of ayah, Kaithi number sign.
    private static let combining: [Unicode.Scalar] = ["\u{600}", "\u{301}", "\u{200D}", "\u{6DD}", "\u{110BD}"]

    @Test func theLastElementCounts() throws {
        let address = try #require(ClientAddress(ipAddress: "198.51.100.7"))
        let before = [
            "", "203.0.113.9,", "203.0.113.9, ", "unknown,\t", ",", ",,", "203.0.113.9%a,", "x\r\n,",
            String(repeating: "1.2.3.4,", count: 1_250),
        ]
        let combined = Self.combining.flatMap {
            ["203.0.113.9\($0),", "203.0.113.9%\($0), ", "\($0),", "\($0)\r\n,\t"]
        }
        for start in before + combined {
            for element in [
                "198.51.100.7", "198.51.100.7 \t", "198.51.100.7:1", "198.51.100.7:65535 ", "::ffff:198.51.100.7",
            ] {
                #expect(ClientAddress(forwarded: Array((start + element).utf8)) == address, "\(start)\(element)")
            }
        }
        #expect(ClientAddress(forwarded: [0xFF, 0x2C] + "198.51.100.7".utf8) == address)
        let customer = try #require(ClientAddress(ipAddress: "2001:db8::1"))
        for element in ["2001:db8::1", "[2001:db8::1]", "[2001:db8::9]:443", "x,[2001:db8::]:1"] {
            #expect(ClientAddress(forwarded: Array(element.utf8)) == customer, "\(element)")
        }
    }

    @Test func anythingElseIsNone() {
        var texts = [
            "", " ", ",", "198.51.100.7,", "198.51.100.7, ", "198.51.100.7 x", "198.51.100.7:", "198.51.100.7:65536",
            "198.51.100.7:+1", "198.51.100.7:1:1", "198.51.100.7:000001", "[198.51.100.7]", "[198.51.100.7]:1", "[::1",
            "::1]", "[]", "[::1]443",
            "[::1]:", "[::1] :1", "[::1]]", "fe80::1%eth0", "[fe80::1%1]", "198.51.100.7%1", "198.51.100.7%", "unknown",
            "_hidden", "for=198.51.100.7", "\"198.51.100.7\"", "198.51.100.7;", "198.51.100.7\u{FF0C}198.51.100.8",
            "\u{A0}198.51.100.7", "198.51.100.7\u{B}", "198.51.100.7\r\n", "\r\n198.51.100.7", "198.51.100.7\u{0}",
        ]
        for scalar in Self.combining {
            texts += [
                "198.51.100.7\(scalar)", ",\(scalar)198.51.100.7", "198.51.100.7,\(scalar)", "198.51.100.7:1\(scalar)",
            ]
        }
        for text in texts { #expect(ClientAddress(forwarded: Array(text.utf8)) == nil, "\(text.debugDescription)") }
        #expect(ClientAddress(forwarded: Array("198.51.100.7".utf8) + [0xFF]) == nil)
    }

    private static let json =
        #"{"purpose":"assertion","keyID":"\#(Data(repeating: 0xFB, count: 32).base64EncodedString())"}"#

    private static func status(_ lines: [[UInt8]], _ connection: HTTPConnection) throws -> Int {
        var request = Array("POST /challenge HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n".utf8)
        for line in lines { request += "X-Forwarded-For: ".utf8 + line + "\r\n".utf8 }
        request += "Content-Length: \(json.utf8.count)\r\n\r\n\(json)".utf8
        try connection.write(request)
        return try connection.read().status
    }

    private static func status(_ value: String, _ connection: HTTPConnection) throws -> Int {
        try status([Array(value.utf8)], connection)
    }

    /// A proxy appends the client address to text that the client wrote. A client cannot use this text to get more
    /// requests, or to use up another client's allowance.
    @Test func noClientChoosesItsAddress() throws {
        let service = try RunningService(
            database: "memory", limits: true,
            ["ATTEST_ADDRESS_PER_MINUTE": "60", "ATTEST_FORWARDED_BY": "X-Forwarded-For"])
        let connection = try service.connect()
        let count = 100
        let honest = try (0..<count).map { _ in try Self.status("198.51.100.1", connection) }
        let varying = try (0..<count).map { number in
            let scalar = Self.combining[number % Self.combining.count]
            let zone = number % 2 == 0 ? "%\(scalar)" : "\(scalar)"
            let chosen = number % 3 == 0 ? "198.51.100.3" : "6.6.\(number).1"
            return try Self.status("\(chosen)\(zone), 198.51.100.2", connection)
        }
        for statuses in [honest, varying] {
            #expect(statuses.filter { $0 == 200 || $0 == 429 }.count == count)
            // A burst of ten requests, and one more for each second of the test.
            #expect(10...20 ~= statuses.filter { $0 == 200 }.count)
        }
        for number in 0..<10 { #expect(try Self.status("198.51.100.3", connection) == 200, "\(number)") }
    }

    @Test func theLastLineCounts() throws {
        let service = try RunningService(
            database: "memory", limits: true,
            ["ATTEST_ADDRESS_PER_MINUTE": "6", "ATTEST_FORWARDED_BY": "X-Forwarded-For"])
        let connection = try service.connect()
        let (first, second) = (Array("198.51.100.1".utf8), Array("198.51.100.2".utf8))
        #expect(try Self.status([first, second], connection) == 200)
        #expect(try Self.status([second], connection) == 429)
        #expect(try Self.status([second, first], connection) == 200)
        #expect(try Self.status([[0xFF, 0x2C] + first], connection) == 429)
        for lines in [[first, []], [first + [0x2C]], [first + [0xFF]], [[]], [], [Array("[::1".utf8)]] {
            #expect(try Self.status(lines, connection) == 400, "\(lines)")
        }
        // The header exceeds the maximum length.
        #expect(try Self.status([[UInt8](repeating: 0x2C, count: 10_240) + first], connection) == 400)
    }

    /// The service either rejects a folded line (RFC 9112 §5.2) or uses its last element.
    @Test func aFoldedLineGivesNoOtherAddress() throws {
        let service = try RunningService(
            database: "memory", limits: true,
            ["ATTEST_ADDRESS_PER_MINUTE": "6", "ATTEST_FORWARDED_BY": "X-Forwarded-For"])
        #expect(try Self.status("198.51.100.4", service.connect()) == 200)
        for value in ["6.6.6.6\r\n ,198.51.100.4", "6.6.6.6,\r\n 198.51.100.4", "6.6.6.6\u{600}\r\n\t, 198.51.100.4"] {
            #expect([400, 429].contains(try Self.status(value, service.connect())), "\(value.debugDescription)")
        }
    }

    /// All link-local peers share one client address, whatever their link.
    @Test func aLinkLocalPeerHasAnAddress() throws {
        let peer = try SocketAddress(ipAddress: "fe80::1", port: 1)
        #expect(peer.ipAddress.flatMap { ClientAddress(ipAddress: $0) } == ClientAddress(ipAddress: "fe80::2%eth0"))
    }
}
