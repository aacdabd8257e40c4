import CertificateDrafts
import PureDER
import PureX509
import Testing

/// Tests RFC 5280 §4.2 for extensions in general, and the parsing of their typed values.
@Suite struct ExtensionTests {
    private func parse(_ extensions: [UInt8]...) throws(X509Error) -> Certificate {
        try CertificateParsingTests.valid.changing { $0.extensions = extensions }.certificate()
    }

    private func expect(
        _ error: X509Error?, _ extensions: [UInt8]..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectRejection(
            CertificateParsingTests.valid.changing { $0.extensions = extensions }, error, "\(extensions)",
            sourceLocation: sourceLocation)
    }

    /// RFC 5280 §4.2, X.690 §11.5.
    @Test func list() {
        let usage = TestExtension.digitalSignature
        expect(.duplicateExtension(.keyUsage), usage, usage)
        expect(.duplicateExtension(.keyUsage), usage, TestExtension.custom(DER.oid(0x2A, 3), [1]), usage)
        expect(.encodedDefault(.extensions), DER.sequence(DER.oid(0x2A, 3), DER.boolean(0), DER.octets([])))
        expect(.malformed(.extensions, .invalidBoolean), DER.sequence(DER.oid(0x2A, 3), DER.boolean(1), DER.octets([])))
        expect(.malformed(.extensions, .trailingBytes), DER.sequence(DER.oid(0x2A, 3), DER.octets([]), DER.null))
        expect(.malformed(.extensions, .unexpectedEnd), DER.sequence(DER.oid(0x2A, 3)))
        expect(.malformed(.extensions, .nonMinimalObjectIdentifier), TestExtension.custom(DER.oid(0x2A, 0x80, 3), []))
        expect(.malformed(.extensions, .truncatedObjectIdentifier), TestExtension.custom(DER.oid(0x2A, 0x83), []))
        expect(.malformed(.extensions, .emptyObjectIdentifier), TestExtension.custom(DER.oid(), []))
        // Object identifiers are compared as bytes, so an arc of 2⁶⁴ + 15 does not equal the arc 15.
        expect(nil, TestExtension.custom(DER.oid(0x55, 0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x1D), []))

        let empty = CertificateParsingTests.valid.changing { $0.uniqueIDs = DER.context(3, DER.sequence()) }
        expectRejection(empty, .emptyList(.extensions), "no extensions")
        let two = CertificateParsingTests.valid.changing {
            $0.uniqueIDs = DER.context(3, DER.sequence(usage), DER.sequence(usage))
        }
        expectRejection(two, .malformed(.extensions, .trailingBytes), "two lists")
    }

    /// Whatever object identifier the sender chose, the length of an error description is bounded.
    @Test func textOfErrors() throws {
        for count in [41, 30_000] {
            let identifier = DER.element(6, [0x2A] + [UInt8](repeating: 0xFF, count: count - 2) + [0x01])
            let unknown = TestExtension.custom(identifier, critical: true, [])
            let shown = "0x2a\(String(repeating: "ff", count: 15))... (\(count) octets)"
            let template = TestChain.leaf.changing { $0.extensions! += [unknown] }
            let certificate = try template.certificate()
            let refused = #expect(throws: X509Error.self) { try certificate.checkProfile(position: 0) }
            #expect("\(try #require(refused))" == "the leaf certificate has the unknown critical extension \(shown)")
            let error = #expect(throws: X509Error.self) {
                try template.changing { $0.extensions! += [unknown] }.certificate()
            }
            #expect("\(try #require(error))" == "a certificate has the extension \(shown) twice")
        }
    }

    @Test func count() {
        let extensions = { (count: Int) in
            (0..<count).map { TestExtension.custom(DER.oid(0x2A, UInt8($0)), []) }
        }
        let limit = Certificate.maximumExtensionCount
        expectRejection(
            CertificateParsingTests.valid.changing { $0.extensions = extensions(limit) }, nil, "as many as may be")
        expectRejection(
            CertificateParsingTests.valid.changing { $0.extensions = extensions(limit + 1) }, .tooManyExtensions,
            "one more")
    }

    /// RFC 5280 §4.2.1.9.
    @Test func basicConstraints() throws {
        let value = { (parts: [UInt8]...) in
            TestExtension.standard(0x13, critical: true, DER.element(0x30, parts.flatMap { $0 }))
        }
        let authority = try parse(value(DER.boolean(0xFF), DER.integer(3))).basicConstraints
        #expect(authority?.isCertificationAuthority == true && authority?.pathLength == 3)
        let leaf = try parse(value()).basicConstraints
        #expect(leaf?.isCertificationAuthority == false && leaf?.pathLength == nil)
        #expect(try parse(value(DER.boolean(0xFF), DER.integer(0, 255))).basicConstraints?.pathLength == 255)

        let field = CertificateField.basicConstraints
        expect(.encodedDefault(field), value(DER.boolean(0)))
        expect(.malformed(field, .invalidBoolean), value(DER.boolean(1)))
        expect(.invalidValue(.basicConstraints), value(DER.boolean(0xFF), DER.integer(1, 0)))
        expect(.invalidValue(.basicConstraints), value(DER.boolean(0xFF), DER.integer(0xFF)))
        expect(.malformed(field, .nonMinimalInteger), value(DER.boolean(0xFF), DER.integer(0, 1)))
        // Path length 2⁶⁴.
        expect(.malformed(field, .integerOutOfRange), value(DER.boolean(0xFF), DER.integer(1, 0, 0, 0, 0, 0, 0, 0, 0)))
        expect(.malformed(field, .trailingBytes), value(DER.boolean(0xFF), DER.integer(1), DER.null))
        expect(.malformed(field, .trailingBytes), TestExtension.standard(0x13, DER.sequence() + DER.null))
    }

    /// RFC 5280 §4.2.1.3, X.690 §11.2.2.
    @Test func keyUsage() throws {
        let value = { (bits: [UInt8]) in TestExtension.standard(0x0F, critical: true, DER.element(0x03, bits)) }
        #expect(try parse(value([7, 0x80])).keyUsage == .digitalSignature)
        #expect(try parse(value([1, 0x06])).keyUsage == [.keyCertSign, .cRLSign])
        // The value in the leaf certificates of App Attest.
        #expect(
            try parse(value([4, 0xF0])).keyUsage
                == [.digitalSignature, .contentCommitment, .keyEncipherment, .dataEncipherment])
        #expect(try parse(value([7, 0x09, 0x80])).keyUsage == [.keyAgreement, .encipherOnly, .decipherOnly])

        let field = CertificateField.keyUsage
        expect(.malformed(field, .emptyBitString), value([]))
        expect(.malformed(field, .invalidUnusedBitCount), value([8, 0x80]))
        expect(.malformed(field, .invalidUnusedBitCount), value([255, 0x80]))
        expect(.malformed(field, .invalidUnusedBitCount), value([1]))
        expect(.malformed(field, .nonZeroUnusedBits), value([7, 0xC0]))
        expect(.invalidValue(.keyUsage), value([0]))
        expect(.invalidValue(.keyUsage), value([6, 0x80]))
        expect(.invalidValue(.keyUsage), value([0, 0x80, 0x00]))
        expect(.invalidValue(.keyUsage), value([7, 0x00]))
        expect(.invalidValue(.keyUsage), value([6, 0x80, 0x40]))
        expect(.invalidValue(.keyUsage), value([7, 0x80, 0x80, 0x80]))
        expect(.malformed(field, .trailingBytes), TestExtension.standard(0x0F, DER.bits([0x80], unused: 7) + DER.null))
    }

    /// RFC 5280 §4.2.1.12.
    @Test func extendedKeyUsage() throws {
        let server = DER.oid(0x2B, 6, 1, 5, 5, 7, 3, 1)
        let any = DER.oid(0x55, 0x1D, 0x25, 0x00)
        let usage = try parse(TestExtension.extendedKeyUsage(server)).extendedKeyUsage
        #expect(usage?.purposes == [.serverAuthentication])
        #expect(usage?.allows(.serverAuthentication) == true && usage?.allows(.clientAuthentication) == false)
        let anyUsage = try parse(TestExtension.extendedKeyUsage(server, any)).extendedKeyUsage
        #expect(anyUsage?.allows(.clientAuthentication) == true)

        let field = CertificateField.extendedKeyUsage
        expect(.emptyList(field), TestExtension.extendedKeyUsage())
        expect(
            .malformed(field, .unexpectedTag(expected: .objectIdentifier, found: .null)),
            TestExtension.extendedKeyUsage(server, DER.null))
        expect(.malformed(field, .truncatedObjectIdentifier), TestExtension.extendedKeyUsage(DER.oid(0x2A, 0x80 | 3)))
    }

    /// RFC 5280 §4.2.1.1, §4.2.1.2.
    @Test func keyIdentifiers() throws {
        let certificate = try parse(
            TestExtension.subjectKeyIdentifier([1, 2, 3]), TestExtension.authorityKeyIdentifier([4, 5]))
        #expect(certificate.subjectKeyIdentifier == [1, 2, 3])
        #expect(certificate.authorityKeyIdentifier?.keyIdentifier == [4, 5])
        let name = DER.context(4, DER.name("CA"))
        let full = TestExtension.standard(
            0x23, DER.sequence(DER.implicit(0, [9]), DER.context(1, name), DER.implicit(2, [0x12])))
        let identifier = try parse(full).authorityKeyIdentifier
        #expect(identifier?.authorityCertIssuer?.elementsEqual(name) == true)
        #expect(identifier?.authorityCertSerialNumber == [0x12])
        let empty = try parse(TestExtension.standard(0x23, DER.sequence())).authorityKeyIdentifier
        #expect(empty?.keyIdentifier == nil)

        let field = CertificateField.authorityKeyIdentifier
        expect(.malformed(field, .trailingBytes), TestExtension.standard(0x23, DER.sequence(DER.implicit(3, [1]))))
        expect(
            .malformed(field, .trailingBytes),
            TestExtension.standard(0x23, DER.sequence(DER.implicit(2, [1]), DER.implicit(0, [9]))))
        expect(.emptyList(field), TestExtension.standard(0x23, DER.sequence(DER.context(1))))
        // Appendix A.2: the authority's issuer and serial number are both present or both absent.
        for parts in [DER.context(1, name), DER.implicit(2, [1])] {
            expect(.invalidValue(field), TestExtension.standard(0x23, DER.sequence(parts)))
            expect(.invalidValue(field), TestExtension.standard(0x23, DER.sequence(DER.implicit(0, [9]), parts)))
        }
        expect(
            .malformed(.subjectKeyIdentifier, .unexpectedTag(expected: .octetString, found: .null)),
            TestExtension.standard(0x0E, DER.null))
        expect(
            .malformed(.subjectKeyIdentifier, .trailingBytes),
            TestExtension.standard(0x0E, DER.octets([1]) + DER.null))
    }

    /// subjectAltName (RFC 5280 §4.2.1.6), one name per case.
    @Test func generalNames() {
        let field = CertificateField.subjectAlternativeName
        let expectName = { (error: X509Error?, name: [UInt8]) in
            expect(error, TestExtension.standard(0x11, DER.sequence(name)))
        }
        expectName(nil, DER.context(0, DER.oid(0x2A, 3), DER.context(0, DER.utf8("x"))))
        expectName(nil, DER.implicit(1, Array("a@b".utf8)))
        expectName(nil, DER.implicit(2, Array("example.com".utf8)))
        expectName(nil, DER.implicit(2, []))
        expectName(nil, DER.implicit(2, Array("a".utf8)) + DER.implicit(2, Array("b".utf8)))
        expectName(nil, DER.context(4, DER.name("x")))
        // ediPartyName: with and without nameAssigner.
        let party = DER.context(1, DER.utf8("party"))
        expectName(nil, DER.context(5, party))
        expectName(nil, DER.context(5, DER.context(0, DER.printable("assigner")), party))
        expectName(nil, DER.implicit(6, Array("https://example.com".utf8)))
        expectName(nil, DER.implicit(7, [127, 0, 0, 1]))
        expectName(nil, DER.implicit(7, [UInt8](repeating: 0, count: 16)))
        expectName(nil, DER.implicit(8, [0x2A, 3]))

        expectName(.emptyList(field), [])
        expectName(.invalidCharacters(field), DER.implicit(2, [0xC3, 0xA4]))
        expectName(.invalidCharacters(field), DER.implicit(1, [0x80]))
        expectName(.invalidGeneralName(field), DER.implicit(7, [127, 0, 0]))
        expectName(.invalidGeneralName(field), DER.implicit(7, [127, 0, 0, 1, 255, 255, 255, 255]))
        expectName(.invalidGeneralName(field), DER.implicit(9, [1]))
        expectName(.invalidGeneralName(field), DER.context(2, DER.utf8("constructed")))
        expectName(.invalidGeneralName(field), DER.implicit(4, DER.name("primitive")))
        expectName(.malformed(field, .truncatedObjectIdentifier), DER.implicit(8, [0x80 | 1]))
        expectName(.malformed(field, .trailingBytes), DER.context(4, DER.name("x"), DER.null))
        expectName(.malformed(field, .unexpectedEnd), DER.context(0, DER.oid(0x2A, 3)))
        expectName(
            .malformed(field, .trailingBytes),
            DER.context(0, DER.oid(0x2A, 3), DER.context(0, DER.utf8("x"), DER.null)))
        expectName(
            .malformed(field, .trailingBytes),
            DER.context(0, DER.oid(0x2A, 3), DER.context(0, DER.utf8("x")), DER.null))
        expect(
            .malformed(field, .trailingBytes),
            TestExtension.standard(0x11, DER.sequence(DER.implicit(2, [])) + DER.null))
        expectName(.malformed(field, .unexpectedEnd), DER.context(5, DER.context(0, DER.utf8("assigner"))))
        expectName(.malformed(field, .trailingBytes), DER.context(5, party, DER.null))
        expectName(.malformed(field, .trailingBytes), DER.context(5, DER.context(1, DER.utf8("x"), DER.null)))
        expectName(.invalidCharacters(field), DER.context(5, DER.context(1, DER.printable("*"))))
        expectName(.invalidCharacters(field), DER.context(5, DER.context(0, DER.printable("*")), party))
    }

    /// X.690 §10.2: on every level, the strings in a GeneralName must be primitive.
    @Test func stringsInPartsInGeneralNames() {
        let field = CertificateField.subjectAlternativeName
        let parts = DER.element(0x2C, DER.utf8("x"))
        for number: UInt8 in [1, 2, 6, 7, 8] {
            expect(
                .invalidGeneralName(field), TestExtension.standard(0x11, DER.sequence(DER.context(number, parts))))
        }
        for name in [
            DER.context(0, DER.oid(0x2A, 3), DER.context(0, parts)),
            DER.context(4, DER.sequence(DER.relativeName(parts))), DER.context(5, DER.context(1, parts)),
            DER.context(5, DER.context(0, parts), DER.context(1, DER.utf8("x"))),
        ] {
            expect(.malformed(field, .constructedString), TestExtension.standard(0x11, DER.sequence(name)))
        }
    }

    /// A certificate without a subject needs a critical subjectAltName. RFC 5280 §4.1.2.6.
    @Test func emptySubject() {
        let names = DER.sequence(DER.implicit(2, Array("example.com".utf8)))
        for (critical, error) in [(true, nil), (false, X509Error.noSubject)] {
            let template = CertificateParsingTests.valid.changing {
                $0.subject = DER.sequence()
                $0.extensions = [TestExtension.standard(0x11, critical: critical, names)]
            }
            expectRejection(template, error, "critical: \(critical)")
        }
    }

    /// RFC 5280 §4.2.2.1.
    @Test func authorityInformationAccess() {
        let access = DER.oid(0x2B, 6, 1, 5, 5, 7, 1, 1)
        let field = CertificateField.authorityInformationAccess
        let description = DER.sequence(DER.oid(0x2A), DER.implicit(6, Array("http://x".utf8)))
        expect(nil, TestExtension.custom(access, DER.sequence(description)))
        expect(.emptyList(field), TestExtension.custom(access, DER.sequence()))
        expect(
            .malformed(field, .unexpectedEnd), TestExtension.custom(access, DER.sequence(DER.sequence(DER.oid(0x2A)))))
        expect(.malformed(field, .unexpectedEnd), TestExtension.custom(access, Array("malformed".utf8)))
    }

    /// RFC 5280 §4.2.1.4, §4.2.1.5, §4.2.1.10, §4.2.1.11, §4.2.1.14.
    @Test func constraints() {
        let names = CertificateField.nameConstraints
        let subtree = { (name: [UInt8]) in
            TestExtension.standard(0x1E, critical: true, DER.sequence(DER.context(0, DER.sequence(name))))
        }
        expect(nil, subtree(DER.implicit(2, Array("example.com".utf8))))
        expect(nil, subtree(DER.implicit(7, [10, 0, 0, 0, 255, 0, 0, 0])))
        expect(.invalidGeneralName(names), subtree(DER.implicit(7, [10, 0, 0, 0])))
        expect(.invalidGeneralName(names), subtree(DER.implicit(7, [10, 0, 0, 0, 255, 0, 0, 0, 0])))
        // minimum and maximum.
        expect(.malformed(names, .trailingBytes), subtree(DER.implicit(2, []) + DER.implicit(0, [1])))
        expect(.emptyList(names), TestExtension.standard(0x1E, DER.sequence()))
        expect(.emptyList(names), TestExtension.standard(0x1E, DER.sequence(DER.context(1))))

        let policies = { (parts: [UInt8]...) in TestExtension.standard(0x20, DER.element(0x30, parts.flatMap { $0 })) }
        let policiesField = CertificateField.certificatePolicies
        let qualifier = DER.sequence(DER.oid(0x2B, 6, 1, 5, 5, 7, 2, 1), DER.element(0x16, Array("http://x".utf8)))
        expect(nil, policies(DER.sequence(DER.oid(0x2A, 3)), DER.sequence(DER.oid(0x2A, 4), DER.sequence(qualifier))))
        // A policy must not occur twice, whatever the two positions.
        let one = DER.sequence(DER.oid(0x2A, 3)), two = DER.sequence(DER.oid(0x2A, 4))
        let qualified = DER.sequence(DER.oid(0x2A, 3), DER.sequence(qualifier))
        let long = DER.sequence(DER.element(6, [0x2A] + [UInt8](repeating: 3, count: 20)))
        let longer = DER.sequence(DER.element(6, [0x2A] + [UInt8](repeating: 3, count: 21)))
        for list in [[one, one], [one, two, qualified], [long, one, long], [two, long, longer, two]] {
            expect(.invalidValue(policiesField), policies(list.flatMap { $0 }))
        }
        expect(nil, policies(one, long, two, longer))
        expect(.emptyList(policiesField), policies())
        expect(.emptyList(policiesField), policies(DER.sequence(DER.oid(0x2A, 3), DER.sequence())))
        expect(
            .malformed(policiesField, .unexpectedEnd),
            policies(DER.sequence(DER.oid(0x2A, 3), DER.sequence(DER.sequence(DER.oid(0x2A))))))

        let mapping = DER.sequence(DER.oid(0x2A, 3), DER.oid(0x2A, 4))
        expect(nil, TestExtension.standard(0x21, DER.sequence(mapping)))
        expect(.emptyList(.policyMappings), TestExtension.standard(0x21, DER.sequence()))

        expect(nil, TestExtension.standard(0x24, DER.sequence(DER.implicit(0, [0]), DER.implicit(1, [1]))))
        expect(.emptyList(.policyConstraints), TestExtension.standard(0x24, DER.sequence()))
        expect(
            .invalidValue(.policyConstraints), TestExtension.standard(0x24, DER.sequence(DER.implicit(1, [0xFF]))))
        expect(nil, TestExtension.standard(0x36, DER.integer(0)))
        expect(.invalidValue(.inhibitAnyPolicy), TestExtension.standard(0x36, DER.integer(0xFF)))
    }
}
