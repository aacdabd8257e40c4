import CertificateDrafts
import PureDER
import PureECDSA
import PureX509
import ReferenceModel
import Testing

/// Tests RFC 5280 §4.1 with one defect per case, except in names and extensions.
@Suite struct CertificateParsingTests {
    static let key = TestKey.p256(7)
    static let valid = TestCertificate("Leaf", key, issuer: "CA", signer: key)

    @Test func fields() throws {
        var template = Self.valid
        template.extensions = [TestExtension.digitalSignature]
        let certificate = try template.certificate()
        #expect(certificate.derEncoded.elementsEqual(template.encoded))
        #expect(certificate.tbsCertificate.elementsEqual(template.toBeSigned))
        #expect(certificate.version == 3)
        #expect(certificate.serialNumber == [1])
        #expect(certificate.signatureAlgorithm == .ecdsaWithSHA256)
        #expect(certificate.issuer.elementsEqual(DER.name("CA")))
        #expect(certificate.subject.elementsEqual(DER.name("Leaf")))
        // date -u -d 2020-01-01 +%s
        #expect(certificate.notBefore.secondsSince1970 == 1_577_836_800)
        #expect(certificate.notAfter.secondsSince1970 == 1_893_456_000)
        #expect(certificate.subjectPublicKeyInfo.elementsEqual(Self.key.subjectPublicKeyInfo))
        guard case .p256(let key) = certificate.publicKey else { throw TestFailure.unexpected }
        #expect(key.x963Representation == Self.key.point)
        #expect(certificate.extensions.count == 1 && certificate.keyUsage == .digitalSignature)
        #expect(certificate.extension(.keyUsage)?.isCritical == true && certificate.basicConstraints == nil)
        #expect(certificate.issuer != certificate.subject)
    }

    /// The properties of a certificate are slices of one buffer, so they share the buffer's indices.
    @Test func slicesOfOneBuffer() throws {
        let encoded = Self.valid.encoded
        let padded = [0xAA, 0xBB, 0xCC] + encoded + [0xDD]
        let certificate = try Certificate(derEncoded: padded[3..<3 + encoded.count])
        let parts = [
            certificate.derEncoded, certificate.tbsCertificate, certificate.serialNumber, certificate.issuer,
            certificate.subject, certificate.subjectPublicKeyInfo, certificate.signature,
        ]
        for part in parts {
            #expect(part.startIndex >= 3 && part.endIndex <= 3 + encoded.count)
            #expect(part == padded[part.indices])
        }
        #expect(certificate.tbsCertificate.startIndex == 3 + 4)
    }

    struct Case: Sendable {
        let name: String
        let error: X509Error?
        let certificate: TestCertificate

        init(_ name: String, _ error: X509Error?, _ change: (inout TestCertificate) -> Void) {
            self.name = name
            self.error = error
            certificate = CertificateParsingTests.valid.changing(change)
        }
    }

    static let cases: [Case] = [
        Case("v1, no extensions", nil) { $0.version = [] },
        Case("v1 written out", .encodedDefault(.version)) { $0.version = DER.context(0, DER.integer(0)) },
        Case("v2", nil) { $0.version = DER.context(0, DER.integer(1)) },
        Case("v4", .unknownVersion) { $0.version = DER.context(0, DER.integer(3)) },
        Case("version -1", .unknownVersion) { $0.version = DER.context(0, DER.integer(0xFF)) },
        Case("version 2^64 + 2", .malformed(.version, .integerOutOfRange)) {
            $0.version = DER.context(0, DER.integer(1, 0, 0, 0, 0, 0, 0, 0, 2))
        },
        Case("version and more", .malformed(.version, .trailingBytes)) {
            $0.version = DER.context(0, DER.integer(2), DER.null)
        },
        Case("v1 with extensions", .fieldNotAllowedInVersion(.extensions)) {
            $0.version = []
            $0.extensions = [TestExtension.digitalSignature]
        },
        Case("v2 with extensions", .fieldNotAllowedInVersion(.extensions)) {
            $0.version = DER.context(0, DER.integer(1))
            $0.extensions = [TestExtension.digitalSignature]
        },
        Case("v1 with a unique identifier", .fieldNotAllowedInVersion(.uniqueIdentifier)) {
            $0.version = []
            $0.uniqueIDs = DER.implicit(1, [0, 1])
        },
        Case("unique identifiers", nil) { $0.uniqueIDs = DER.implicit(1, [0, 1]) + DER.implicit(2, [3, 8]) },
        Case("unique identifiers in the wrong order", .malformed(.tbsCertificate, .trailingBytes)) {
            $0.uniqueIDs = DER.implicit(2, [0, 1]) + DER.implicit(1, [0, 1])
        },
        Case("unique identifier with unused bits", .malformed(.uniqueIdentifier, .nonZeroUnusedBits)) {
            $0.uniqueIDs = DER.implicit(1, [3, 1])
        },

        Case("serial 0", .serialNumberNotPositive) { $0.serial = DER.integer(0) },
        Case("serial -1", .serialNumberNotPositive) { $0.serial = DER.integer(0xFF) },
        Case("serial of 20 octets", nil) { $0.serial = DER.element(2, [UInt8](repeating: 0x7F, count: 20)) },
        Case("serial of 20 octets and a sign", .serialNumberTooLong) {
            $0.serial = DER.element(2, [0] + [UInt8](repeating: 0x80, count: 20))
        },
        Case("serial of 65,000 octets", .serialNumberTooLong) {
            $0.serial = DER.element(2, [UInt8](repeating: 1, count: 65_000))
        },
        Case("serial not minimal", .malformed(.serialNumber, .nonMinimalInteger)) { $0.serial = DER.integer(0, 1) },
        Case("serial empty", .malformed(.serialNumber, .emptyInteger)) { $0.serial = DER.integer() },

        Case("NULL parameters, inside and outside", .unexpectedAlgorithmParameters) {
            $0.innerAlgorithm = TestCertificate.algorithm(.sha256, parameters: DER.null)
            $0.outerAlgorithm = $0.innerAlgorithm
        },
        Case("NULL parameters outside only", .signatureAlgorithmMismatch) {
            $0.outerAlgorithm = TestCertificate.algorithm(.sha256, parameters: DER.null)
        },
        Case("another hash outside", .signatureAlgorithmMismatch) {
            $0.outerAlgorithm = TestCertificate.algorithm(.sha512)
        },
        Case("two parameters", .malformed(.signatureAlgorithm, .trailingBytes)) {
            $0.innerAlgorithm = TestCertificate.algorithm(.sha256, parameters: DER.null + DER.null)
            $0.outerAlgorithm = $0.innerAlgorithm
        },
        Case("algorithm a NULL", .malformed(.signatureAlgorithm, .unexpectedTag(expected: .sequence, found: .null))) {
            $0.innerAlgorithm = DER.null
        },
        Case("no algorithm", .malformed(.signatureAlgorithm, .unexpectedEnd)) {
            $0.innerAlgorithm = DER.sequence()
            $0.outerAlgorithm = $0.innerAlgorithm
        },
        Case("ecdsa-with-SHA1: read, never verified", nil) {
            $0.innerAlgorithm = DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01))
            $0.outerAlgorithm = $0.innerAlgorithm
        },
        Case("signature with unused bits", .notWholeOctets(.signatureValue)) {
            $0.signature = DER.bits([0x30, 0x00], unused: 1)
        },
        Case("signature without octets: read, never verified", nil) { $0.signature = DER.bits([]) },
        Case(
            "signature an OCTET STRING",
            .malformed(.signatureValue, .unexpectedTag(expected: .bitString, found: .octetString))
        ) {
            $0.signature = DER.octets([0])
        },

        Case("no subject", .noSubject) { $0.subject = DER.sequence() },
        Case("no issuer", .emptyList(.issuer)) { $0.issuer = DER.sequence() },
        Case("after the extensions", .malformed(.tbsCertificate, .trailingBytes)) { $0.tail = DER.null },
        Case("extensions that end too late", .malformed(.extensions, .unexpectedEnd)) { $0.tail = [0xA3, 0x01] },
        Case("after the signature", .malformed(.signatureValue, .trailingBytes)) { $0.outerTail = DER.null },
        Case("three times", .malformed(.validity, .trailingBytes)) {
            $0.validity = DER.sequence(
                DER.utcTime("200101000000Z"), DER.utcTime("200101000000Z"), DER.utcTime("200101000000Z"))
        },
        Case("one time", .malformed(.validity, .unexpectedEnd)) {
            $0.validity = DER.sequence(DER.utcTime("200101000000Z"))
        },
        Case(
            "a time of another type", .malformed(.validity, .unexpectedTag(expected: .utcTime, found: .printableString))
        ) {
            $0.validity = DER.sequence(DER.printable("200101000000Z"), DER.utcTime("200101000000Z"))
        },
        Case("both times generalized", nil) {
            $0.validity = DER.sequence(DER.generalizedTime("20200101000000Z"), DER.generalizedTime("99991231235959Z"))
        },
    ]

    /// RFC 5280 §4.1.1.2, §4.1.2.1, §4.1.2.2, §4.1.2.8, §4.1.2.9.
    @Test(arguments: cases) func rejects(_ test: Case) {
        expectRejection(test.certificate, test.error, test.name)
    }

    /// Cases for the rules of public keys: RFC 5480 §2, SEC 1 §3.2.2.1.
    static let keyCases: [(String, X509Error?, [UInt8])] = {
        let curve = DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07)
        let point = key.point
        let info = { (parameters: [UInt8], point: [UInt8]) in
            TestKey.publicKeyInfo(parameters: parameters, point: point)
        }
        let compressed = [point[64] & 1 == 0 ? 0x02 : 0x03] + point[1...32]
        return [
            ("compressed", nil, info(curve, compressed)),
            (
                "compressed, of P-384", nil,
                TestKey.publicKeyInfo(
                    parameters: DER.oid(0x2B, 0x81, 0x04, 0x00, 0x22),
                    point: [TestKey.p384(7).point[96] & 1 == 0 ? 0x02 : 0x03] + TestKey.p384(7).point[1...48])
            ),
            ("NULL for a curve (implicitCurve)", .curveNotNamed, info(DER.null, point)),
            ("no curve", .curveNotNamed, info([], point)),
            ("explicit parameters", .curveNotNamed, info(DER.sequence(DER.integer(1), DER.sequence()), point)),
            ("another curve: read, never verified with", nil, info(DER.oid(0x2B, 0x81, 0x04, 0x00, 0x23), point)),
            ("two curves", .malformed(.subjectPublicKeyInfo, .trailingBytes), info(curve + curve, point)),
            ("no point", .invalidPublicKey(.invalidLength), info(curve, [])),
            ("infinity", .invalidPublicKey(.invalidLength), info(curve, [0])),
            ("hybrid", .invalidPublicKey(.invalidLength), info(curve, [0x06 | point[64] & 1] + point[1...])),
            ("off the curve", .invalidPublicKey(.pointNotOnCurve), info(curve, point.dropLast() + [point[64] ^ 1])),
            (
                "x = p", .invalidPublicKey(.coordinateOutOfRange),
                info(curve, [4] + key.curve.p.bigEndianBytes(count: 32) + point[33...])
            ),
            ("one octet more", .invalidPublicKey(.invalidLength), info(curve, point + [0])),
            (
                "unused bits", .notWholeOctets(.subjectPublicKeyInfo),
                TestKey.publicKeyInfo(parameters: curve, point: point.dropLast() + [0], unused: 1)
            ),
            (
                "RSA: read, never verified with", nil,
                TestKey.publicKeyInfo(
                    algorithm: DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01), parameters: DER.null,
                    point: [0x30, 0])
            ),
            (
                "after the point", .malformed(.subjectPublicKeyInfo, .trailingBytes),
                DER.sequence(DER.sequence(DER.oid(0x2A)), DER.bits([]), DER.null)
            ),
        ]
    }()

    /// RFC 5280 §4.1.2.7, RFC 5480 §2.1.1, §2.2.
    @Test(arguments: keyCases.indices) func keys(_ index: Int) {
        let (name, error, info) = Self.keyCases[index]
        expectRejection(Self.valid.changing { $0.publicKeyInfo = info }, error, name)
    }

    /// RFC 5280 §4.1.2.5: each time type has only one valid form, and the time must exist in the calendar.
    @Test func times() {
        let seconds = { (time: [UInt8]) in
            try? Self.valid.changing { $0.validity = DER.sequence(time, time) }.certificate().notBefore.secondsSince1970
        }
        // date -u -d … +%s
        #expect(seconds(DER.utcTime("500101000000Z")) == -631_152_000)
        #expect(seconds(DER.utcTime("491231235959Z")) == 2_524_607_999)
        #expect(seconds(DER.utcTime("000229000000Z")) == 951_782_400)
        #expect(seconds(DER.utcTime("700101000000Z")) == 0)
        #expect(seconds(DER.generalizedTime("20500101000000Z")) == 2_524_608_000)
        #expect(seconds(DER.generalizedTime("00000101000000Z")) == -62_167_219_200)
        #expect(seconds(DER.generalizedTime("99991231235959Z")) == 253_402_300_799)
        let wrongForm = [
            "2001010000Z", "200101000000", "200101000000+0000", "2001010000000Z", "20010100000 Z", "2001010000+1Z",
            "-00101000000Z", "200101000000z", " 20101000000Z", "200101000000.0Z",
        ]
        let impossible = [
            "200001000000Z", "201301000000Z", "200100000000Z", "200132000000Z", "200230000000Z", "210229000000Z",
            "200431000000Z", "200101240000Z", "200101006000Z", "200101000060Z",
        ]
        for time in wrongForm {
            expectTimeRejection(DER.utcTime(time), .invalidTimeForm)
            expectTimeRejection(DER.generalizedTime("20" + time), .invalidTimeForm)
        }
        for time in impossible {
            expectTimeRejection(DER.utcTime(time), .impossibleTime)
            expectTimeRejection(DER.generalizedTime("20" + time), .impossibleTime)
        }
        // 1900 was not a leap year, 2000 was.
        expectTimeRejection(DER.generalizedTime("19000229000000Z"), .impossibleTime)
        #expect(seconds(DER.generalizedTime("20000229000000Z")) != nil)
    }

    private func expectTimeRejection(_ time: [UInt8], _ error: DERError) {
        expectRejection(
            Self.valid.changing { $0.validity = DER.sequence(time, time) }, .malformed(.validity, error), "\(time)")
    }

    @Test func size() {
        let padding = Certificate.maximumEncodedSize
        let template = Self.valid.changing {
            $0.extensions = [TestExtension.custom(DER.oid(0x2A, 0x03), [UInt8](repeating: 0, count: padding))]
        }
        expectRejection(template, .certificateTooLarge, "too large")
        #expect(throws: X509Error.certificateTooLarge) { try Certificate(derEncoded: template.encoded[...]) }
        let excess = template.encoded.count - padding
        let largest = Self.valid.changing {
            $0.extensions = [TestExtension.custom(DER.oid(0x2A, 0x03), [UInt8](repeating: 0, count: padding - excess))]
        }
        #expect(largest.encoded.count == padding)
        expectRejection(largest, nil, "as large as may be")
    }

    @Test func equality() throws {
        let certificate = try Self.valid.certificate()
        let again = try Certificate(derEncoded: ([0] + Self.valid.encoded)[1...])
        #expect(certificate == again && certificate.hashValue == again.hashValue)
        let other = try Self.valid.changing { $0.serial = DER.integer(2) }.certificate()
        #expect(certificate != other && certificate.hashValue != other.hashValue)
    }
}

enum TestFailure: Error { case unexpected }

func expectRejection(
    _ template: TestCertificate, _ error: X509Error?, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    var thrown: X509Error?
    do { _ = try template.certificate() } catch { thrown = error }
    #expect(thrown == error, "\(name)", sourceLocation: sourceLocation)
}
