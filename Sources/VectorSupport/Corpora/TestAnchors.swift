public import PureAttest
import PureX509

/// The only trusted roots for the objects of a virtual device's object file. They are not trusted for other objects.
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
