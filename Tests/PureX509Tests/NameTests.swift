import CertificateDrafts
import PureDER
import PureX509
import Testing

/// Tests parsing `Name` (RFC 5280 §4.1.2.4), and comparing names as bytes.
@Suite struct NameTests {
    private func expectSubject(
        _ error: X509Error?, _ name: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectRejection(
            CertificateParsingTests.valid.changing { $0.subject = name }, error, "\(name)",
            sourceLocation: sourceLocation)
    }

    /// RFC 5280 §4.1.2.4.
    @Test func structure() {
        let attribute = DER.sequence(DER.oid(0x55, 4, 3), DER.utf8("b"))
        let smaller = DER.sequence(DER.oid(0x55, 4, 3), DER.utf8("a"))
        expectSubject(nil, DER.sequence(DER.set(attribute), DER.set(smaller)))
        let larger = DER.sequence(DER.oid(0x55, 4, 10), DER.utf8("a"))
        expectSubject(nil, DER.sequence(DER.set(attribute, larger)))
        // X.690 §11.6.
        expectSubject(.unsortedSet(.subject), DER.sequence(DER.set(larger, attribute)))
        // X.501 §9.3: a set must not contain an attribute type twice, whether or not the two are adjacent. Different
        // sets may contain the same type.
        let longer = DER.sequence(DER.oid(0x55, 4, 3), DER.utf8("aa"))
        for set in [DER.set(smaller, attribute), DER.set(smaller, larger, longer), DER.set(attribute, attribute)] {
            expectSubject(.duplicateAttributeType(.subject), DER.sequence(set))
        }
        expectRejection(
            CertificateParsingTests.valid.changing { $0.issuer = DER.sequence(DER.set(smaller, attribute)) },
            .duplicateAttributeType(.issuer), "two common names in one set")
        expectSubject(.emptyList(.subject), DER.sequence(DER.set()))
        expectSubject(
            .malformed(.subject, .unexpectedTag(expected: .set, found: .sequence)), DER.sequence(attribute))
        expectSubject(.malformed(.subject, .unexpectedEnd), DER.sequence(DER.set(DER.sequence(DER.oid(0x55)))))
        expectSubject(
            .malformed(.subject, .trailingBytes),
            DER.sequence(DER.set(DER.sequence(DER.oid(0x55), DER.utf8("a"), DER.null))))
        expectSubject(
            .malformed(.subject, .nonMinimalObjectIdentifier),
            DER.sequence(DER.set(DER.sequence(DER.oid(0x55, 0x80, 4, 3), DER.utf8("a")))))
        expectSubject(
            .malformed(.subject, .reservedTag), DER.sequence(DER.set(DER.sequence(DER.oid(0x55), [0, 0]))))
        expectSubject(nil, DER.sequence(DER.relativeName(DER.sequence(DER.null))))
    }

    /// X.690 §8.23.
    @Test func characters() {
        let expectValue = { (error: X509Error?, value: [UInt8]) in
            expectSubject(error, DER.sequence(DER.relativeName(value)))
        }
        let refused = X509Error.invalidCharacters(.subject)
        expectValue(nil, DER.utf8("ä\u{10FFFF}"))
        for bytes: [UInt8] in [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0x80], [0xFF]] {
            expectValue(refused, DER.element(0x0C, bytes))
        }
        expectValue(nil, DER.printable("Az09 '()+,-./:=?"))
        for character in "*@&_;<>\"\u{0}" { expectValue(refused, DER.printable(String(character))) }
        expectValue(nil, DER.element(0x16, [0x00, 0x7F]))
        expectValue(refused, DER.element(0x16, [0x80]))
        expectValue(nil, DER.element(0x12, Array("0 9".utf8)))
        expectValue(refused, DER.element(0x12, Array("a".utf8)))
        expectValue(nil, DER.element(0x1A, Array(" ~".utf8)))
        expectValue(refused, DER.element(0x1A, [0x0A]))
        expectValue(nil, DER.element(0x1E, [0, 0x41]))
        expectValue(refused, DER.element(0x1E, [0]))
        expectValue(nil, DER.element(0x1C, [0, 0, 0, 0x41]))
        expectValue(refused, DER.element(0x1C, [0, 0, 0]))
        // T61String.
        expectValue(nil, DER.element(0x14, [0xFF]))
    }

    /// X.690 §10.2: all strings are primitive. CHARACTER STRING (29) is a sequence, so this rule does not apply to it.
    @Test func stringsInParts() {
        let strings: [UInt8] = [3, 4, 7, 12] + [UInt8](18...28) + [30]
        for number: UInt8 in 1...30 {
            for part in [DER.element(number, Array("x".utf8)), DER.utf8("x"), []] {
                let value = DER.element(0x20 | number, part)
                let error = X509Error.malformed(.subject, .constructedString)
                expectSubject(strings.contains(number) ? error : nil, DER.sequence(DER.relativeName(value)))
            }
        }
    }

    @Test func attributes() throws {
        let subject = DER.sequence(
            DER.set(DER.sequence(DER.oid(0x55, 4, 6), DER.printable("US"))), DER.relativeName(DER.utf8("Leaf")))
        let certificate = try CertificateParsingTests.valid.changing { $0.subject = subject }.certificate()
        let attributes = try DistinguishedName(derEncoded: certificate.subject).attributes
        #expect(attributes.map(\.type.description) == ["2.5.4.6", "2.5.4.3"])
        #expect(attributes.map(\.value.content) == [Array("US".utf8)[...], Array("Leaf".utf8)[...]])
        #expect(throws: X509Error.malformed(.subject, .unexpectedEnd)) { try DistinguishedName(derEncoded: []) }
        #expect(
            DistinguishedName(validated: certificate.issuer).attributes.map(\.value.content) == [Array("CA".utf8)[...]])
    }
}
