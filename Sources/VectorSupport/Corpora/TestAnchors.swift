package import PureAttest
import PureX509

/// The roots of a virtual device's object file. They are trusted only for the objects of this file.
package struct TestAnchors: Decodable, Sendable {
    /// In DER.
    let attestationRoot: Data
    let receiptRoot: Data

    /// Returns a verifier that trusts these roots instead of Apple's roots; `nil` if a root is not a certificate.
    package func trusted(by verifier: AppAttestVerifier) -> AppAttestVerifier? {
        guard let attestation = Self.anchor(attestationRoot), let receipt = Self.anchor(receiptRoot) else {
            return nil
        }
        return verifier.trusting(testAnchors: [attestation], testReceiptAnchors: [receipt])
    }

    private static func anchor(_ certificate: Data) -> TrustAnchor? {
        try? TrustAnchor(Certificate(derEncoded: [UInt8](certificate)[...]))
    }
}
