import CertificateDrafts

@testable import PureX509Paths

/// An OCSP response in which a test may replace each part with a different encoding, well-formed or malformed.
struct TestOCSPResponse {
    /// The encoding of id-pkix-ocsp-basic.
    static let basic = DER.oid(0x2B, 6, 1, 5, 5, 7, 0x30, 1, 1)
    /// id-kp-OCSPSigning.
    static let signing = TestExtension.extendedKeyUsage(DER.oid(0x2B, 6, 1, 5, 5, 7, 3, 9))
    static let delegateKey = TestKey.p256(31)
    /// The certificate of the responder to which the CA of ``TestChain`` delegates.
    static let delegate = TestCertificate(
        "Responder", delegateKey, issuer: "CA", signer: TestChain.authorityKey,
        extensions: [TestExtension.digitalSignature, signing])

    var signer = TestChain.authorityKey
    var hash = TestKey.Hash.sha256
    var responder = byName("CA")
    var statuses = [status()]
    /// The encoded certificates in the response; `nil` omits the field.
    var certificates: [[UInt8]]?
    /// The encoded BIT STRING of the signature, or `nil` for a valid signature.
    var signature: [UInt8]?

    static func byName(_ name: String) -> [UInt8] { DER.context(1, DER.name(name)) }
    static func byKey(_ key: TestKey) -> [UInt8] { DER.context(2, DER.octets(SHA1.hash(key.point[...]))) }

    /// Returns the SHA-1 identifier of a certificate that the CA issued, by default the leaf of ``TestChain``.
    static func identifier(
        issuer: String = "CA", key: TestKey = TestChain.authorityKey, serial: [UInt8] = TestChain.leaf.serial
    ) -> [UInt8] {
        DER.sequence(
            DER.sequence(DER.oid(0x2B, 0x0E, 3, 2, 0x1A), DER.null), DER.octets(SHA1.hash(DER.name(issuer)[...])),
            DER.octets(SHA1.hash(key.point[...])), serial)
    }

    /// Returns a SingleResponse that is valid for two months around ``TestChain/now``.
    static func status(
        _ value: [UInt8] = DER.implicit(0, []), of identifier: [UInt8] = identifier(),
        thisUpdate: String = "20241201000000Z", nextUpdate: String? = "20250201000000Z"
    ) -> [UInt8] {
        DER.sequence(
            identifier, value, DER.generalizedTime(thisUpdate),
            nextUpdate.map { DER.context(0, DER.generalizedTime($0)) } ?? [])
    }

    static func revoked(_ reason: UInt8? = nil) -> [UInt8] {
        DER.context(
            1, DER.generalizedTime("20241215000000Z"), reason.map { DER.context(0, DER.element(0x0A, [$0])) } ?? [])
    }

    static var delegated: TestOCSPResponse {
        TestOCSPResponse().changing {
            $0.signer = delegateKey
            $0.responder = byName("Responder")
            $0.certificates = [delegate.encoded]
        }
    }

    var encoded: [UInt8] {
        let data = DER.sequence(
            responder, DER.generalizedTime("20241201000000Z"), DER.element(0x30, statuses.flatMap { $0 }))
        let response = DER.sequence(
            data, TestCertificate.algorithm(hash), signature ?? DER.bits(signer.sign(data, hash)),
            certificates.map { DER.context(0, DER.element(0x30, $0.flatMap { $0 })) } ?? [])
        return DER.sequence(
            DER.element(0x0A, [0]), DER.context(0, DER.sequence(Self.basic, DER.octets(response))))
    }

    func changing(_ change: (inout TestOCSPResponse) -> Void) -> TestOCSPResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
