package import PureKeyAttestation
import PureRSA
import PureX509

extension TestAndroidAuthority {
    func root(_ provisioning: Provisioning) -> [UInt8] { provisioning == .remote ? remoteRoot : factoryRoot }
}

extension KeyAttestationVerifier {
    /// Creates a verifier that trusts the DER root of a test authority, and does **not** trust Google. Returns `nil` if
    /// the root is not a certificate with a supported key.
    package static func trusting(
        testRoot: [UInt8], apps: [AndroidApp], policy: KeyAttestationPolicy
    ) -> KeyAttestationVerifier? {
        guard let certificate = try? Certificate(derEncoded: testRoot) else { return nil }
        let key: AndroidPublicKey
        switch certificate.publicKey {
        case .p256(let point): key = .p256(point)
        case .p384(let point): key = .p384(point)
        default:
            guard let rsa = try? RSA.Signing.PublicKey(derRepresentation: certificate.subjectPublicKeyInfo) else {
                return nil
            }
            key = .rsa(rsa)
        }
        return KeyAttestationVerifier(
            apps: apps, policy: policy, roots: [ChainRoot(name: Array(certificate.subject), key: key)])
    }
}

/// The key of "Android Keystore Software Attestation Root". The private key is publicly known.
enum SoftwareKeystore {
    /// 04 ‖ x ‖ y.
    static var rootKey: [UInt8] { GoogleRoots.software.indices.map { GoogleRoots.software[$0] } }
}
