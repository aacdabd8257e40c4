public import PureAttest
import PureX509

/// The roots of a virtual device's object file. For the objects of the file, only these roots are trusted. They are not
/// trusted for other objects.
public struct TestAnchors: Decodable, Sendable {
    /// The root certificate in DER.
    let attestationRoot: Data
    let receiptRoot: Data

    /// Returns a verifier that trusts these roots instead of Apple's roots; `nil` if a root is not a certificate.
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
