import Testing

@testable import PureKeyAttestation

struct RevocationTests {
    private func list(_ text: String) throws -> RevocationStatusList {
        try RevocationStatusList(json: Array(text.utf8))
    }

    private func entry(_ serial: String, _ value: String = #"{"status":"REVOKED"}"#) -> String {
        "{\"entries\":{\"\(serial)\":\(value)}}"
    }

    @Test func findsSerialNumbers() throws {
        let list = try list(
            """
            { "entries" : {
                "2c8cdddfd5e03bfc" : { "status" : "REVOKED", "reason" : "KEY_COMPROMISE", "expires" : "2020-11-13" },
                "c8966fcb2fbb0d7a" : { "status" : "SUSPENDED", "comment" : "a \\"comment\\" \\u00e9 \u{e9}" },
                "8350192447815228107" : { "status" : "REVOKED" }, "f" : { "status" : "REVOKED" }
            }, "other" : [1, 0, 10, -2.5e+3, 1E-2, true, false, null, {}, [], {"a": {"b": []}}] }
            """)
        #expect(list.count == 4)
        #expect(list.status(ofSerialNumber: [0x2c, 0x8c, 0xdd, 0xdf, 0xd5, 0xe0, 0x3b, 0xfc]) == .revoked)
        #expect(list.status(ofSerialNumber: [0x00, 0xc8, 0x96, 0x6f, 0xcb, 0x2f, 0xbb, 0x0d, 0x7a]) == .suspended)
        #expect(list.status(ofSerialNumber: [0x08, 0x35, 0x01, 0x92, 0x44, 0x78, 0x15, 0x22, 0x81, 0x07]) == .revoked)
        #expect(list.status(ofSerialNumber: [0x0f]) == .revoked)
        for other: [UInt8] in [
            [], [0], [0xf0], [0x0e], [0x2c, 0x8c, 0xdd, 0xdf, 0xd5, 0xe0, 0x3b],
            [0x2c, 0x8c, 0xdd, 0xdf, 0xd5, 0xe0, 0x3b, 0xfd],
        ] {
            #expect(list.status(ofSerialNumber: other[...]) == nil)
        }
        #expect(try self.list(#"{"entries":{}}"#).count == 0)
        #expect(RevocationStatusList.notChecked.count == 0)
    }

    /// Google interpreted the decimal digits of early serial numbers as hexadecimal, in the list and in certificates.
    @Test func findsGenuineSerialNumbers() throws {
        let chain = try GenuineChain("blueline/sdk28/SB_RSA_NONE")
        for (position, serial) in [(1, "17102468407102977850"), (2, "3882667606589968599"), (3, "e8fa196314d2fa18")] {
            let error = try KeyAttestationVerifier(apps: []).rejection(
                chain.certificates, at: chain.time(), revocation: list(entry(serial)))
            #expect(error == .revoked(certificate: position))
        }
    }

    @Test func findsEachOfMany() throws {
        let entries = (1...2_000).map { "\"\(String($0 * 7_919, radix: 16))\":{\"status\":\"REVOKED\"}" }.shuffled()
        let list = try list("{\"entries\":{\(entries.joined(separator: ","))}}")
        for number in 1...2_000 {
            let value = number * 7_919
            let octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
            #expect(list.status(ofSerialNumber: octets[...]) == .revoked)
            #expect(list.status(ofSerialNumber: (octets + [1])[...]) == nil)
        }
    }

    /// Rule K6: the parser rejects a malformed list instead of guessing its meaning.
    @Test func rejectsMalformedLists() throws {
        let texts = [
            "", " ", "{", "[]", "{}", "null", #"{"entries":[]}"#, #"{"entries":{}"#, #"{"entries":{}}}"#,
            #"{"entries":{},}"#,
            #"{"entries":{"1":{}}}"#, #"{"entries":{"1":"REVOKED"}}"#, #"{"entries":{"1":{"status":"revoked"}}}"#,
            #"{"entries":{"1":{"status":"VALID"}}}"#, #"{"entries":{"1":{"status":1}}}"#, #"{'entries':{}}"#,
            entry("1", "{\"status\":\"REV\\u004fKED\"}"), entry("1", #"{"status":"REVOKED","a":01}"#),
            entry("1", #"{"status":"REVOKED","a":1.}"#), entry("1", #"{"status":"REVOKED","a":.1}"#),
            entry("1", #"{"status":"REVOKED","a":1e}"#), entry("1", #"{"status":"REVOKED","a":-}"#),
            entry("1", #"{"status":"REVOKED","a":tru}"#), entry("1", #"{"status":"REVOKED","a":"\x"}"#),
            entry("1", #"{"status":"REVOKED","a":"\u12G4"}"#), entry("1", #"{"status":"REVOKED","a":"\u123G"}"#),
            entry("1", "{\"status\":\"REVOKED\",\"a\":\"\n\"}"),
            entry("1", #"{"status":"REVOKED","a":{"b"}}"#), entry("1", #"{"status":"REVOKED","a":[1,]}"#),
            entry("1", #"{"status":"REVOKED","a":"#), entry("1", #"{"status":"REVOKED",}"#),
            #"{"\u0065ntries":{}}"#, entry("\\u0061"), entry("1", #"{"stat\u0075s":"SUSPENDED","status":"REVOKED"}"#),
            "\u{FEFF}" + entry("1"), entry("1", #"{"status":null}"#), entry("1", #"["REVOKED"]"#),
            String(repeating: "[", count: 100_000),
            #"{"entries":{},"a":\#(String(repeating: "[", count: 9))\#(String(repeating: "]", count: 9))}"#,
        ]
        for text in texts {
            #expect(throws: KeyAttestationError.self, "\(text.prefix(60))") { try list(text) }
        }
        // Serial numbers that are not in canonical form are rejected, because a look-up would not find them.
        for serial in ["", "0", "01", "AB", "0xab", "a b", "g", "-1", String(repeating: "a", count: 41)] {
            #expect(throws: KeyAttestationError.self, "\(serial)") { try list(entry(serial)) }
        }
        #expect(try list(entry(String(repeating: "a", count: 40))).count == 1)
    }

    @Test func rejectsDuplicates() throws {
        #expect(throws: KeyAttestationError.duplicateRevocationEntry(offset: 38)) {
            try list(#"{"entries":{"1":{"status":"REVOKED"},"1":{"status":"REVOKED"}}}"#)
        }
        for text in [
            #"{"entries":{},"entries":{}}"#, #"{"entries":{"1":{"status":"SUSPENDED","status":"REVOKED"}}}"#,
        ] {
            let error = #expect(throws: KeyAttestationError.self) { try list(text) }
            guard case .duplicateRevocationEntry? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func boundsItsInput() throws {
        let limit = RevocationStatusList.maximumEncodedSize
        #expect(limit == 16_777_216)
        let text = Array(entry("1").utf8)
        let padding = [UInt8](repeating: 0x20, count: limit - text.count)
        #expect(try RevocationStatusList(json: text + padding).count == 1)
        #expect(throws: KeyAttestationError.malformedRevocationList(offset: 0)) {
            try RevocationStatusList(json: text + padding + [0x20])
        }
    }

    @Test func truncationsAndFlipsNeverRemoveEntries() throws {
        let text = Array(entry("2c8cdddf").utf8)
        for count in 0..<text.count {
            #expect(throws: KeyAttestationError.self) { try RevocationStatusList(json: text.prefix(count)) }
        }
        for index in text.indices {
            for bit in 0..<8 {
                var flipped = text
                flipped[index] ^= 1 << bit
                guard let list = try? RevocationStatusList(json: flipped) else { continue }
                #expect(list.count == 1)
            }
        }
    }
}
