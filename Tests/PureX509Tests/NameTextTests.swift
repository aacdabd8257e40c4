import CertificateDrafts
import PureX509
import Testing

/// Tests the RFC 4514 text of names, which is bounded and on one line.
@Suite struct NameTextTests {
    private func attribute(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
        DER.sequence(DER.element(6, type), value)
    }

    private func text(_ relativeNames: [UInt8]...) throws -> String {
        try DistinguishedName(derEncoded: DER.element(0x30, relativeNames.flatMap { $0 })[...]).description
    }

    private func commonName(_ value: String) throws -> String { try text(DER.relativeName(DER.utf8(value))) }

    @Test func genuineNames() throws {
        let names = try GenuineCertificateTests.certificates("apple-app-attest").map { try Certificate(derEncoded: $0) }
        #expect(names[1].subjectName.description == "ST=California,O=Apple Inc.,CN=Apple App Attestation CA 1")
        #expect(names[1].issuerName.description == "ST=California,O=Apple Inc.,CN=Apple App Attestation Root CA")
        #expect(names[0].subjectName.derEncoded == names[0].subject && names[0].issuerName == names[1].subjectName)
        #expect(names[1].subjectName.relativeNames.map(\.count) == [1, 1, 1])
    }

    /// RFC 4514 §2.1, §2.2 and §4.
    @Test func order() throws {
        let (cn, o) = ([0x55, 4, 3] as [UInt8], [0x55, 4, 10] as [UInt8])
        let (country, unit) = ([0x55, 4, 6] as [UInt8], [0x55, 4, 11] as [UInt8])
        let set = DER.set(attribute(unit, DER.utf8("Sales")), attribute(cn, DER.utf8("J. Smith")))
        let name = try DistinguishedName(
            derEncoded: DER.sequence(
                DER.set(attribute(country, DER.printable("GB"))), DER.set(attribute(o, DER.utf8("A"))), set)[...])
        #expect(name.description == "OU=Sales+CN=J. Smith,O=A,C=GB")
        #expect(name.relativeNames.map(\.count) == [1, 1, 2] && name.relativeNames.flatMap(\.self) == name.attributes)
        #expect(try DistinguishedName(derEncoded: [0x30, 0]).description == "")
    }

    /// RFC 4514 §3, RFC 4519 §2.31, RFC 2985 §5.2.1, X.520 §6.4.4.
    @Test func shortNames() throws {
        let ccitt: [UInt8] = [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1]
        for (type, name) in [
            ([0x55, 4, 3], "CN"), ([0x55, 4, 5], "serialNumber"), ([0x55, 4, 6], "C"), ([0x55, 4, 7], "L"),
            ([0x55, 4, 8], "ST"), ([0x55, 4, 9], "STREET"), ([0x55, 4, 10], "O"), ([0x55, 4, 11], "OU"),
            ([0x55, 4, 97], "organizationIdentifier"), (ccitt + [1], "UID"), (ccitt + [25], "DC"),
            ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 1], "emailAddress"),
        ] as [([UInt8], String)] {
            #expect(try text(DER.set(attribute(type, DER.printable("a")))) == "\(name)=a")
        }
    }

    /// RFC 4514 §2.4. Invisible characters are written in hexadecimal.
    @Test func escapes() throws {
        for (value, escaped) in [
            ("a, b", #"a\, b"#), (#"a"+;<>\b"#, #"a\"\+\;\<\>\\b"#), ("#a#", "\\#a#"), (" a b ", #"\ a b\ "#),
            ("  ", #"\ \ "#), ("a=b", "a=b"),
            ("", ""), ("é漢", "é漢"), ("a\nCN=b", #"a\0ACN=b"#), ("\u{0}", #"\00"#), ("\u{1B}[2J", #"\1B[2J"#),
            ("\u{7F}", #"\7F"#),
            ("\u{202E}a", #"\E2\80\AEa"#), ("a\u{200B}b", #"a\E2\80\8Bb"#), ("a\u{A0}b", #"a\C2\A0b"#),
            ("\u{301}a\u{301}", #"\CC\81a"# + "\u{301}"),
            ("\u{E000}\u{10FFFF}", #"\EE\80\80\F4\8F\BF\BF"#), ("\u{2028}", #"\E2\80\A8"#),
        ] {
            #expect(try commonName(value) == "CN=" + escaped)
        }
    }

    /// RFC 4514 §2.4: attributes without a short name, values that are not strings, and strings that do not use UTF-8.
    @Test func valuesInHexadecimal() throws {
        #expect(try text(DER.set(attribute([0x2A, 3], DER.utf8("a")))) == "1.2.3=#0c0161")
        #expect(try text(DER.relativeName(DER.integer(5))) == "CN=#020105")
        #expect(try text(DER.relativeName(DER.element(0x1E, [0, 0x61]))) == "CN=#1e020061")
        #expect(try text(DER.relativeName(DER.element(0x14, [0xE9]))) == "CN=#1401e9")
        #expect(try text(DER.relativeName(DER.element(0x1A, [0x61]))) == "CN=a")
        #expect(try text(DER.relativeName(DER.element(0x12, [0x31]))) == "CN=1")
    }

    @Test func isBounded() throws {
        let limit = DistinguishedName.maximumTextSize
        #expect(limit == 1_024)
        let fitting = String(repeating: "a", count: limit - 3)
        #expect(try commonName(fitting) == "CN=" + fitting)
        for unit in ["a", "é", ",", "\n", "漢"] {
            for count in [limit, 30_000] {
                let text = try commonName(String(repeating: unit, count: count))
                #expect(text.utf8.count <= limit + 40 && text.hasSuffix(" bytes)"), "\(text.suffix(40))")
                #expect(!text.unicodeScalars.contains("\u{FFFD}"))
            }
        }
        let many = [[UInt8]](repeating: DER.relativeName(DER.utf8("aaaaaaaa")), count: 2_000).flatMap { $0 }
        #expect(try text(many).utf8.count <= limit + 40)
        #expect(try text(DER.relativeName(DER.octets([UInt8](repeating: 7, count: 30_000)))).utf8.count <= limit + 40)
        let long = [0x2A] + [UInt8](repeating: 0xFF, count: 30_000) + [1]
        #expect(try text(DER.set(attribute(long, DER.utf8("a")))).utf8.count <= limit + 40)
    }
}
