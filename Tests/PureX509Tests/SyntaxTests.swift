import CertificateDrafts
import PureDER
import Testing

@testable import PureX509

/// The parser reads extensions to their end, even if they do not affect the verdict. Errors name the field.
@Suite struct SyntaxTests {
    private typealias Check = @Sendable (ArraySlice<UInt8>) throws -> Void

    private static let null: [UInt8] = [0x05, 0x00]
    private static let purpose = DER.oid(0x2A)

    /// For each field, a valid value, and the same value with an extra element in one of its structures.
    private static let cases: [(name: CertificateField, check: Check, good: [UInt8], long: [[UInt8]])] = [
        (
            .authorityInformationAccess, { try checkAuthorityInformationAccess($0) },
            DER.sequence(DER.sequence(purpose, DER.implicit(6, []))),
            [DER.sequence(DER.sequence(purpose, DER.implicit(6, []), null))]
        ),
        (
            .certificatePolicies, { _ = try checkCertificatePolicies($0) },
            DER.sequence(DER.sequence(purpose, DER.sequence(DER.sequence(purpose, null)))),
            [
                DER.sequence(DER.sequence(purpose, DER.sequence(DER.sequence(purpose, null)), null)),
                DER.sequence(DER.sequence(purpose, DER.sequence(DER.sequence(purpose, null, null)))),
            ]
        ),
        (
            .policyMappings, { try checkPolicyMappings($0) }, DER.sequence(DER.sequence(purpose, purpose)),
            [DER.sequence(DER.sequence(purpose, purpose, null))]
        ),
        (
            .policyConstraints, { try checkPolicyConstraints($0) },
            DER.sequence(DER.implicit(0, [0]), DER.implicit(1, [3])),
            [
                DER.sequence(DER.implicit(0, [0]), DER.implicit(1, [3]), null),
                DER.sequence(DER.implicit(1, [0]), DER.implicit(0, [3])),
            ]
        ),
        (.inhibitAnyPolicy, { try checkInhibitAnyPolicy($0) }, DER.integer(0), [DER.integer(0) + null]),
        (
            .nameConstraints, { try checkNameConstraints($0) },
            DER.sequence(
                DER.context(0, DER.sequence(DER.implicit(2, []))), DER.context(1, DER.sequence(DER.implicit(2, [])))),
            [
                DER.sequence(DER.context(0, DER.sequence(DER.implicit(2, []))), null),
                DER.sequence(DER.context(0, DER.sequence(DER.implicit(2, []), null))),
            ]
        ),
        (
            .subjectKeyIdentifier, { _ = try readSubjectKeyIdentifier($0) }, DER.octets([1]), [DER.octets([1]) + null]
        ),
        (
            .subjectAlternativeName, { try checkSubjectAlternativeName($0) }, DER.sequence(DER.implicit(2, [])),
            [DER.sequence(DER.implicit(2, [])) + null]
        ),
    ]

    @Test func nothingFollows() {
        for test in Self.cases {
            #expect(throws: Never.self) { try test.check(test.good[...]) }
            for value in test.long {
                #expect(throws: X509Error.malformed(test.name, .trailingBytes)) { try test.check(value[...]) }
            }
        }
    }

    /// A host's address has 4 or 16 octets. A network has twice as many: an address and a mask (RFC 5280 §4.2.1.10).
    @Test func addresses() {
        for count in 0...40 {
            let name = DER.implicit(7, [UInt8](repeating: 1, count: count))
            let host = Result { try checkSubjectAlternativeName(DER.sequence(name)[...]) }
            #expect(((try? host.get()) != nil) == [4, 16].contains(count))
            let network = Result { try checkNameConstraints(DER.sequence(DER.context(0, DER.sequence(name)))[...]) }
            #expect(((try? network.get()) != nil) == [8, 32].contains(count))
        }
    }

    @Test func negativeNumbers() {
        #expect(throws: X509Error.invalidValue(.inhibitAnyPolicy)) {
            try checkInhibitAnyPolicy(DER.integer(0xFF)[...])
        }
        for tag: UInt8 in [0, 1] {
            #expect(throws: X509Error.invalidValue(.policyConstraints)) {
                try checkPolicyConstraints(DER.sequence(DER.implicit(tag, [0xFF]))[...])
            }
        }
    }

    @Test func choices() {
        for number: UInt8 in 0...15 {
            let constructed = Result { try checkSubjectAlternativeName(DER.sequence(DER.context(number, []))[...]) }
            let primitive = Result { try checkSubjectAlternativeName(DER.sequence(DER.implicit(number, []))[...]) }
            // Only x400Address, rfc822Name, dNSName and uniformResourceIdentifier may be empty.
            #expect(((try? constructed.get()) != nil) == (number == 3))
            #expect(((try? primitive.get()) != nil) == [1, 2, 6].contains(number))
        }
    }

    @Test func fields() throws {
        let broken = TestChain.leaf.changing { $0.publicKeyInfo = DER.set() }
        #expect(
            throws: X509Error.malformed(.subjectPublicKeyInfo, .unexpectedTag(expected: .sequence, found: .set))
        ) { try broken.certificate() }
        #expect(throws: X509Error.malformed(.issuer, .unexpectedTag(expected: .sequence, found: .set))) {
            try TestChain.leaf.changing { $0.issuer = DER.set() }.certificate()
        }
        #expect(throws: X509Error.malformed(.subject, .unexpectedTag(expected: .sequence, found: .set))) {
            try TestChain.leaf.changing { $0.subject = DER.set() }.certificate()
        }
        let first = TestChain.leaf.changing {
            $0.version = []
            $0.extensions = nil
        }
        #expect(try first.certificate().version == 1)
        #expect(try first.changing { $0.version = DER.context(0, DER.integer(1)) }.certificate().version == 2)
    }

    /// RFC 5280 §4.1.2.5: both ends of the validity are included.
    @Test func validity() throws {
        let leaf = try TestChain.leaf.certificate()
        let second = { (time: UnixTime, offset: Int64) in
            UnixTime(secondsSince1970: time.secondsSince1970 + offset)
        }
        #expect(leaf.isValid(at: leaf.notBefore) && leaf.isValid(at: leaf.notAfter))
        #expect(!leaf.isValid(at: second(leaf.notBefore, -1)) && !leaf.isValid(at: second(leaf.notAfter, 1)))
    }

    /// An anchor that is checked outside a path has the number 0 in errors.
    @Test func positions() throws {
        let rsa = DER.sequence(
            DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01), [0x05, 0x00]), DER.bits([0]))
        #expect(throws: X509Error.unsupportedPublicKey(certificate: 0)) {
            try TrustAnchor(name: DER.name("Root")[...], subjectPublicKeyInfo: rsa[...])
        }
        #expect(throws: X509Error.unsupportedPublicKey(certificate: 0)) {
            try TrustAnchor(try TestChain.root.changing { $0.publicKeyInfo = rsa }.certificate())
        }
    }

    /// Tests every octet as a character of the restricted string types (X.680 §41).
    @Test func characters() throws {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?"
        for octet in UInt8(0)...255 {
            for (type, isAllowed): (UInt8, Bool) in [
                (0x12, octet == 0x20 || (0x30...0x39).contains(octet)), (0x13, letters.utf8.contains(octet)),
                (0x16, octet < 0x80), (0x1A, (0x20...0x7E).contains(octet)), (0x0C, octet < 0x80), (0x14, true),
            ] {
                var reader = DERReader([type, 0x01, octet])
                #expect(isValidCharacterString(try reader.readElement()) == isAllowed)
            }
        }
        for count in 0...9 {
            for (type, size): (UInt8, Int) in [(0x1C, 4), (0x1E, 2)] {
                var reader = DERReader(([type, UInt8(count)] + [UInt8](repeating: 0, count: count))[...])
                #expect(isValidCharacterString(try reader.readElement()) == (count % size == 0))
            }
        }
    }

    /// An anchor's certificate may lack some fields, but its name must not be empty.
    @Test func anchors() throws {
        let plain = TestChain.root.changing { $0.extensions = [TestExtension.basicConstraints(ca: true)] }
        #expect(throws: Never.self) { try TrustAnchor(try plain.certificate()) }
        let key = TestChain.rootKey.subjectPublicKeyInfo[...]
        #expect(throws: Never.self) { try TrustAnchor(name: DER.name("Root")[...], subjectPublicKeyInfo: key) }
        #expect(throws: X509Error.emptyList(.subject)) {
            try TrustAnchor(name: DER.sequence()[...], subjectPublicKeyInfo: key)
        }
        #expect(throws: X509Error.malformed(.subject, .unexpectedTag(expected: .set, found: .integer))) {
            try TrustAnchor(name: DER.sequence(DER.integer(1))[...], subjectPublicKeyInfo: key)
        }
    }
}
