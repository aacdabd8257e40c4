import PureBytes
import PureECDSA
import PureSHA2
import PureX509

/// Known-answer tests that detect whether this machine stores and loads the program without errors.
///
/// Run these tests when the program starts on a machine, in a browser or on a board. They take a few milliseconds. The
/// package's test suite, not this type, tests the verifier's rules.
public enum SelfTest {
    /// The error of a failed self-test.
    public struct Failure: Error, Hashable, Sendable {
        /// The first part that failed.
        public let part: Part
    }

    /// The tested parts, in this order.
    public enum Part: Hashable, Sendable, CaseIterable {
        /// The embedded table of multiples of P-256's generator: every point is on the curve.
        case generatorTableP256
        /// SHA-256 and ECDSA on P-256: the signature of "sample" (RFC 6979 appendix A.2.5) is valid only for "sample".
        case signatureP256
        /// The embedded table of multiples of P-384's generator: every point is on the curve.
        case generatorTableP384
        /// SHA-384, ECDSA on P-384, DER and X.509: each embedded certificate verifies under its issuer's key. The
        /// intermediate does not verify under the receipt root's key.
        case appleCertificates
        /// The embedded tables of multiples of Apple's keys: every point is on the curve. Embedded Swift builds have no
        /// such tables.
        case appleKeyTables
    }

    /// Tests all parts.
    ///
    /// - Throws: ``Failure`` with the first part that failed. After a failure, trust no verdict of this program.
    public static func run() throws(Failure) {
        try run(Part.allCases, isRight)
    }

    /// Tests the parts that ``AssertionVerifier`` uses: the cases for P-256.
    public static func runForAssertions() throws(Failure) {
        try run([.generatorTableP256, .signatureP256], isRightForAssertions)
    }

    static func run(_ parts: [Part], _ isRight: (Part) -> Bool) throws(Failure) {
        for part in parts where !isRight(part) { throw Failure(part: part) }
    }

    /// Tests one part for P-256. A separate function, so that a program that verifies only assertions does not link the
    /// other parts.
    private static func isRightForAssertions(_ part: Part) -> Bool {
        switch part {
        case .generatorTableP256: P256.Signing.hasGeneratorTableOnCurve()
        default: hasSignedSample(key: keyOfRFC6979, signature: signatureOfRFC6979)
        }
    }

    private static func isRight(_ part: Part) -> Bool {
        switch part {
        case .generatorTableP256, .signatureP256: isRightForAssertions(part)
        case .generatorTableP384: P384.Signing.hasGeneratorTableOnCurve()
        case .appleCertificates:
            haveSigned(
                root: AppleRoots.appAttestationRootCA, intermediate: AppleRoots.appAttestationCA1,
                receiptRoot: AppleRootCAG3.derEncoded)
        case .appleKeyTables: AppleRoots.haveKeyTablesOnCurve()
        }
    }

    static func hasSignedSample(key: [UInt8], signature: [UInt8]) -> Bool {
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: key),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: SHA256.hash(data: "sample".utf8))
            && !key.isValidSignature(signature, for: SHA256.hash(data: "simple".utf8))
    }

    static func haveSigned(root: [UInt8], intermediate: [UInt8], receiptRoot: [UInt8]) -> Bool {
        guard let root = try? Certificate(derEncoded: root),
            let receiptRoot = try? Certificate(derEncoded: receiptRoot),
            let intermediate = try? Certificate(derEncoded: intermediate)
        else { return false }
        return hasSigned(root, root) && hasSigned(root, intermediate) && hasSigned(receiptRoot, receiptRoot)
            && !hasSigned(receiptRoot, intermediate)
    }

    private static func hasSigned(_ issuer: Certificate, _ certificate: Certificate) -> Bool {
        guard let key = IssuerKey(issuer.publicKey) else { return false }
        return key.isValidSignature(
            certificate.signature, algorithm: certificate.signatureAlgorithm, message: certificate.tbsCertificate)
    }

    /// RFC 6979 appendix A.2.5: Ux and Uy.
    static let keyOfRFC6979: [UInt8] = [
        0x60, 0xfe, 0xd4, 0xba, 0x25, 0x5a, 0x9d, 0x31, 0xc9, 0x61, 0xeb, 0x74, 0xc6, 0x35, 0x6d, 0x68,
        0xc0, 0x49, 0xb8, 0x92, 0x3b, 0x61, 0xfa, 0x6c, 0xe6, 0x69, 0x62, 0x2e, 0x60, 0xf2, 0x9f, 0xb6,
        0x79, 0x03, 0xfe, 0x10, 0x08, 0xb8, 0xbc, 0x99, 0xa4, 0x1a, 0xe9, 0xe9, 0x56, 0x28, 0xbc, 0x64,
        0xf2, 0xf1, 0xb2, 0x0c, 0x2d, 0x7e, 0x9f, 0x51, 0x77, 0xa3, 0xc2, 0x94, 0xd4, 0x46, 0x22, 0x99,
    ]

    /// RFC 6979 appendix A.2.5, "With SHA-256, message = "sample"": r and s.
    static let signatureOfRFC6979: [UInt8] = [
        0xef, 0xd4, 0x8b, 0x2a, 0xac, 0xb6, 0xa8, 0xfd, 0x11, 0x40, 0xdd, 0x9c, 0xd4, 0x5e, 0x81, 0xd6,
        0x9d, 0x2c, 0x87, 0x7b, 0x56, 0xaa, 0xf9, 0x91, 0xc3, 0x4d, 0x0e, 0xa8, 0x4e, 0xaf, 0x37, 0x16,
        0xf7, 0xcb, 0x1c, 0x94, 0x2d, 0x65, 0x7c, 0x41, 0xd4, 0x36, 0xc7, 0xa1, 0xb6, 0xe2, 0x9f, 0x65,
        0xf3, 0xe9, 0x00, 0xdb, 0xb9, 0xaf, 0xf4, 0x06, 0x4d, 0xc4, 0xab, 0x2f, 0x84, 0x3a, 0xcd, 0xa8,
    ]
}
