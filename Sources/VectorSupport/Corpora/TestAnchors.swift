public import PureAttest
import PureX509

/// The roots in an object file of a virtual device. For the objects of the file, these are the only roots to trust; for
/// other objects, they are not trusted.
public struct TestAnchors: Decodable, Sendable {
    /// The DER of a certificate.
    let attestationRoot: Data
    let receiptRoot: Data

    /// Returns a verifier that trusts these roots in place of Apple's; `nil` if a root is not a certificate.
    public func trusted(by verifier: AppAttestVerifier) -> AppAttestVerifier? {
        guard let attestation = Self.anchor(attestationRoot), let receipt = Self.anchor(receiptRoot) else {
            return nil
        }
        return verifier.trusting(testAnchors: [attestation], testReceiptAnchors: [receipt])
    }

    private static func anchor(_ certificate: Data) -> TrustAnchor? {
        try? TrustAnchor(Certificate(derEncoded: [UInt8](certificate)[...]))
    }
}
