import CertificateDrafts
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// Tests RFC 5280 §7.1 with hand-written cases.
@Suite struct ComparableNameTests {
    private static func name(_ tag: UInt8, _ contents: [UInt8]) throws -> ComparableName {
        try ComparableName(DER.sequence(DER.relativeName(DER.element(tag, contents)))[...], .subject)
    }

    private static func utf8(_ text: String) throws -> ComparableName { try name(0x0C, Array(text.utf8)) }

    /// Different names have different encodings, because a base-128 length precedes each part and a flag marks text.
    @Test func encoding() throws {
        let long = [UInt8](repeating: 0x61, count: 300)
        let bytes = DER.sequence(
            DER.set(
                DER.sequence(DER.oid(0x55, 0x04, 0x06), DER.printable(" X  y ")),
                DER.sequence(DER.oid(0x55, 0x04, 0x03), DER.element(0x0C, long))),
            DER.relativeName(DER.bits([0x61])))
        var expected: [UInt8] = [2]
        expected += [3, 0x55, 0x04, 0x03, 1, 0xAC, 0x02] + long
        expected += [3, 0x55, 0x04, 0x06, 1, 3] + Array("x y".utf8)
        expected += [1, 3, 0x55, 0x04, 0x03, 0, 4, 0x03, 0x02, 0x00, 0x61]
        #expect(try ComparableName(bytes[...], .subject).encoded == expected)
        for (count, length) in [(127, [127]), (128, [0x80, 1]), (20_000, [0xA0, 0x9C, 1])] as [(Int, [UInt8])] {
            let name = try Self.name(0x0C, [UInt8](repeating: 0x61, count: count))
            #expect(name.encoded.dropFirst(6).prefix(length.count).elementsEqual(length), "\(count)")
        }
    }

    /// §4.1.2.4.
    @Test func attributesAreOfTwoParts() {
        let attribute = DER.sequence(DER.oid(0x55, 0x04, 0x03), DER.utf8("a"), DER.null)
        #expect(throws: X509Error.self) { try ComparableName(DER.sequence(DER.set(attribute))[...], .subject) }
    }

    /// ASCII strings that are equal match, whatever their string types.
    @Test func typesOfStrings() throws {
        let expected = try Self.utf8("a1")
        for (tag, contents) in [
            (0x12, [0x41, 0x31]), (0x13, [0x41, 0x31]), (0x14, [0x41, 0x31]), (0x16, [0x41, 0x31]),
            (0x1A, [0x41, 0x31]), (0x1E, [0, 0x41, 0, 0x31]), (0x1C, [0, 0, 0, 0x41, 0, 0, 0, 0x31]),
        ] as [(UInt8, [UInt8])] {
            #expect(try Self.name(tag, contents).isWithin(expected) == .same, "\(tag)")
            #expect(try Self.name(tag, contents).encoded == expected.encoded, "\(tag)")
        }
        // Tests a character beyond ASCII, and a surrogate, which is not a character.
        #expect(try Self.name(0x1E, [0x00, 0xE9]).isWithin(Self.utf8("\u{E9}")) == .same)
        #expect(try Self.name(0x1E, [0xD8, 0x00]).isWithin(Self.utf8("a")) == .undecided)
    }

    /// RFC 4518 §2.2: preparation replaces control characters with spaces or removes them. §2.6.1: it merges spaces.
    @Test func controlsAndSpaces() throws {
        let expected = try Self.utf8("a b")
        for text in [
            "A B", " a b ", "a  b", "a\u{9}b", "a\u{D}b", "a\u{A}\u{C}b", "a\u{0} b", "\u{7F}a b", "a\u{1F} b",
        ] {
            #expect(try Self.utf8(text).isWithin(expected) == .same, "\(text)")
        }
        for text in ["a\u{8}b", "a\u{E}b", "a\u{0}b"] {
            #expect(try Self.utf8(text).isWithin(Self.utf8("ab")) == .same, "\(text)")
        }
        for text in ["ab", "a~b", "a b~", "a", "a!b", "a b c"] {
            #expect(try Self.utf8(text).isWithin(expected) == .different, "\(text)")
        }
        #expect(try Self.utf8("a~b").isWithin(Self.utf8("ab")) == .different)
        #expect(try Self.utf8("a\u{7F}b").isWithin(Self.utf8("ab")) == .same)
    }

    @Test func differencesBeyondASCII() throws {
        // The names differ before the first non-ASCII character or after the last non-ASCII character.
        #expect(try Self.utf8("x\u{E9}").isWithin(Self.utf8("y\u{E9}")) == .different)
        #expect(try Self.utf8("\u{E9}x").isWithin(Self.utf8("\u{E9}y")) == .different)
        // Case folding and normalization may make these names equal.
        #expect(try Self.utf8("x\u{E9}y").isWithin(Self.utf8("xey")) == .undecided)
        #expect(try Self.utf8("xey").isWithin(Self.utf8("x\u{E9}y")) == .undecided)
        // String preparation may remove the remaining characters, for example a soft hyphen.
        #expect(try Self.utf8("x\u{AD}").isWithin(Self.utf8("x")) == .undecided)
        #expect(try Self.utf8("x").isWithin(Self.utf8("x\u{AD}")) == .undecided)
        #expect(try Self.name(0x14, [0x80]).isWithin(Self.utf8("a")) == .undecided)
        #expect(try Self.utf8("a").isWithin(Self.name(0x14, [0x80])) == .undecided)
        // The octets of U+00E9 in UTF-8 are two other characters in T.61.
        let t61 = try Self.name(0x14, [0xC3, 0xA9])
        #expect(try t61.isWithin(Self.utf8("\u{E9}")) == .undecided)
        #expect(try Self.utf8("\u{E9}").isWithin(t61) == .undecided)
        #expect(t61.isWithin(t61) == .same)
        #expect(t61.encoded == [1, 3, 0x55, 0x04, 0x03, 2, 2, 0xC3, 0xA9])
        #expect(try Self.utf8("\u{E9}").encoded == [1, 3, 0x55, 0x04, 0x03, 1, 2, 0xC3, 0xA9])
        #expect(try Self.name(0x14, [0x80]).isWithin(Self.name(0x0C, [0x80])) == .undecided)
        #expect(try Self.name(0x14, [0x61, 0x7F]).isWithin(Self.utf8("a")) == .same)
        // These ASCII names agree at both ends, and differ only in their lengths.
        #expect(try Self.utf8("aaa").isWithin(Self.utf8("aa")) == .different)
        #expect(try Self.utf8("aa").isWithin(Self.utf8("aaa")) == .different)
    }

    @Test func valuesThatAreNoText() throws {
        let bits = try Self.name(0x03, [0x00, 0x61])
        #expect(try bits.isWithin(Self.name(0x03, [0x00, 0x61])) == .same)
        #expect(try bits.isWithin(Self.name(0x03, [0x00, 0x62])) == .different)
        #expect(try bits.isWithin(Self.utf8("a")) == .undecided)
        #expect(try Self.utf8("a").isWithin(bits) == .undecided)
    }

    /// Undecoded strings may be equal although their octets differ: VideotexString, GraphicString, GeneralString, and
    /// UniversalString and BMPString with invalid characters.
    @Test func stringsThatAreNotRead() throws {
        let bits = try Self.name(0x03, [0x00, 0x61])
        for (tag, contents) in [
            (21, []), (25, []), (27, []), (28, [0x00, 0x11, 0x00]), (30, [0xD8]),
        ] as [(UInt8, [UInt8])] {
            let one = try Self.name(tag, contents + [0x61]), other = try Self.name(tag, contents + [0x62])
            #expect(one.isWithin(one) == .same && one.isWithin(other) == .undecided, "\(tag)")
            #expect(one.isWithin(bits) == .different && bits.isWithin(one) == .different, "\(tag)")
        }
    }

    /// One different attribute decides, whatever the others are.
    @Test func severalAttributes() throws {
        func name(_ serial: String, _ common: String) throws -> ComparableName {
            let attributes = DER.set(
                DER.sequence(DER.oid(0x55, 0x04, 0x03), DER.utf8(common)),
                DER.sequence(DER.oid(0x55, 0x04, 0x05), DER.utf8(serial)))
            return try ComparableName(DER.sequence(attributes)[...], .subject)
        }
        let names = try name("1", "x\u{E9}y")
        #expect(try names.isWithin(name("2", "xey")) == .different)
        #expect(try names.isWithin(name("1", "xey")) == .undecided)
        #expect(try names.isWithin(name("2", "x\u{E9}y")) == .different)
        #expect(names.isWithin(names) == .same)
    }

    @Test func typesOfAttributes() throws {
        let value = DER.utf8("a")
        let country = try ComparableName(
            DER.sequence(DER.set(DER.sequence(DER.oid(0x55, 0x04, 0x06), value)))[...], .subject)
        #expect(try country.isWithin(Self.utf8("a")) == .different)
    }

    @Test func hosts() {
        func host(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }
        let label = String(repeating: "a", count: 63) + "."
        let longest = label + label + label + String(repeating: "a", count: 61)
        #expect(HostName.isValid(host(longest)) && longest.utf8.count == 253)
        #expect(!HostName.isValid(host(longest + "a")))
        #expect(!HostName.isValid(host(label + label + label + label + "a")))
        #expect(HostName.isLDHName(host("a-b.c")))
        for name in ["-a.b", "a-.b", "a.-b", "a.b-", "a_b.c"] { #expect(!HostName.isLDHName(host(name)), "\(name)") }
        for name in ["1.2.3.4", "a.1", "0x7f", "a.0X7F"] { #expect(HostName.isAddress(host(name)), "\(name)") }
        for name in ["", ".", "1.a", "1x7f", "a0x", "0b", "a.0f"] {
            #expect(!HostName.isAddress(host(name)), "\(name)")
        }
        #expect(HostName.isBelow(host("a.b"), host("b")))
        for name in ["b", ".b", "ab", "a.c"] { #expect(!HostName.isBelow(host(name), host("b")), "\(name)") }
    }

    @Test func mailboxes() {
        func mailbox(_ text: String) -> Mailbox? { Mailbox(Array(text.utf8)[...]) }
        for (text, local) in [
            ("a.b@h.example", "a.b"), ("\"a b\"@h.example", "a b"), ("\"~\"@h.example", "~"),
            ("\"a\\\"b\"@h.example", "a\"b"),
        ] {
            #expect(mailbox(text).map { String(decoding: $0.local, as: UTF8.self) } == local, "\(text)")
            #expect(mailbox(text)?.host.elementsEqual("h.example".utf8) == true, "\(text)")
        }
        for text in [
            "", "a", "@h.example", "a@", "a..b@h.example", ".a@h.example", "a b@h.example", "\"", "\"a", "\"a\\",
            "\"a\"",
            "\"a\"x@h.example", "\"a\"xh.example", "\"a\"@", "\"\"@h.example", "\"a\u{1F}\"@h.example",
            "\"a\u{7F}\"@h.example", "a@1.2.3.4",
        ] {
            #expect(mailbox(text) == nil, "\(text)")
        }
    }

    @Test func resourceIdentifiers() {
        func host(_ text: String) -> String? {
            ResourceIdentifier.host(of: Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
        }
        for text in [
            "a://h.example", "a+b://h.example", "a-b://h.example", "a.1://h.example/x", "a://u@h.example:80",
            "a://h.example:",
        ] {
            #expect(host(text) == "h.example", "\(text)")
        }
        for text in [
            "1a://h.example", "a_b://h.example", "a:h.example", "a:/h.example", "a://", "a://u@v@h.example",
            "a://h.example:a",
            "a://h.example:8a",
        ] {
            #expect(host(text) == nil, "\(text)")
        }
    }

    @Test func serverIdentities() throws {
        for name in ["192.0.2.1", "a.1", "a.0x1", "", ".", "a..b", "a_b", "*.a"] {
            #expect(ServerIdentity(dNSName: name.utf8) == nil, "\(name)")
        }
        #expect(ServerIdentity(dNSName: "a.b.".utf8) == ServerIdentity(dNSName: "a.b".utf8))
        for count in 0...20 {
            let identity = ServerIdentity(address: [UInt8](repeating: 1, count: count))
            #expect((identity != nil) == (count == 4 || count == 16), "\(count)")
        }
    }

    /// RFC 4291 §2.5.5.2: exactly ten octets of zeros and two of ones before an IPv4 address make a mapped address.
    @Test func mappedAddresses() throws {
        func isIncomparable(_ address: [UInt8]) throws -> Bool {
            let name = try SubjectName(.iPAddress, address[...], .subjectAlternativeName)
            return if case .incomparable = name.value { true } else { false }
        }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 0, 0, 2, 1]
        #expect(try isIncomparable(mapped))
        for index in 0..<12 {
            var other = mapped
            other[index] ^= 1
            #expect(try !isIncomparable(other), "\(index)")
        }
        #expect(try !isIncomparable([0, 0, 0, 0]) && !isIncomparable([0xFF, 0xFF, 0, 0]))
    }

    @Test func networks() throws {
        let network: [UInt8] = [10, 0, 0, 0, 255, 255, 255, 0]
        let constraints = try NameConstraints(
            derEncoded: DER.sequence(DER.context(0, DER.sequence(DER.implicit(7, network))))[...])
        let subtree = try #require(constraints.permitted[.iPAddress].first)
        for (address, match) in [
            ([10, 0, 0, 9], NameMatch.same), ([11, 0, 0, 9], .different), ([10, 0, 1, 9], .different),
        ]
            as [([UInt8], NameMatch)]
        {
            let name = try SubjectName(.iPAddress, address[...], .subjectAlternativeName)
            #expect(subtree.contains(name, isExcluded: false) == match, "\(address)")
        }
    }
}
