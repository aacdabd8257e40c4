package import PureAttestTesting
import PureDER
package import PureECDSA
package import PureKeyAttestation
import PureRSA
import PureSHA2

/// A private key of an authority or a device. **For tests only.**
package enum AndroidSigningKey: Sendable {
    case p256(SigningKey<P256>)
    case p384(SigningKey<P384>)
    case rsa(RSASigningKey)

    /// Derives a P-256 key from a number.
    package static func p256(_ seed: UInt64) -> AndroidSigningKey {
        var random = TestRandom(seed: seed, purpose: "android")
        return .p256(SigningKey(from: &random))
    }

    /// Derives a P-384 key from a number.
    package static func p384(_ seed: UInt64) -> AndroidSigningKey {
        var random = TestRandom(seed: seed, purpose: "android")
        return .p384(SigningKey(from: &random))
    }

    /// The key as DER SubjectPublicKeyInfo.
    package var subjectPublicKeyInfo: [UInt8] {
        switch self {
        case .p256(let key): PureAttestTesting.subjectPublicKeyInfo(.secp256r1, point: key.x963)
        case .p384(let key): PureAttestTesting.subjectPublicKeyInfo(.secp384r1, point: key.x963)
        case .rsa(let key): key.publicKey.derRepresentation
        }
    }

    /// The public key that verifies issued certificates.
    package var chainKey: AndroidPublicKey {
        do {
            return switch self {
            case .p256(let key): .p256(try P256.Signing.PublicKey(x963Representation: key.x963))
            case .p384(let key): .p384(try P384.Signing.PublicKey(x963Representation: key.x963))
            case .rsa(let key): .rsa(key.publicKey)
            }
        } catch { preconditionFailure("a point that was computed is none: \(error)") }
    }

    /// The AlgorithmIdentifier of its certificate signatures: ECDSA with the curve's own hash function, or RSA with
    /// SHA-256.
    package var algorithmIdentifier: [UInt8] {
        switch self {
        case .p256: der(.sequence, der(.ecdsaWithSHA256))
        case .p384: der(.sequence, der(.ecdsaWithSHA384))
        case .rsa: der(.sequence, der(.sha256WithRSAEncryption), derNull)
        }
    }

    /// Signs a certificate.
    package func sign(certificate message: [UInt8]) -> [UInt8] {
        switch self {
        case .p256(let key): key.sign(message, hash: SHA256.self).derRepresentation
        case .p384(let key): key.sign(message, hash: SHA384.self).derRepresentation
        case .rsa(let key): key.sign(message)
        }
    }

    /// Signs data like `SHA256withECDSA` or `SHA256withRSA`.
    package func sign(_ data: [UInt8]) -> [UInt8] {
        switch self {
        case .p256(let key): key.sign(data, hash: SHA256.self).derRepresentation
        case .p384(let key): key.sign(data, hash: SHA256.self).derRepresentation
        case .rsa(let key): key.sign(data)
        }
    }
}

extension ASN1ObjectIdentifier {
    /// ecdsa-with-SHA384, 1.2.840.10045.4.3.3 (RFC 5758 §3.2).
    static var ecdsaWithSHA384: Self { Self(encodedAs: 0x2A_86_48_CE_3D_04_03_03) }
    /// sha256WithRSAEncryption, 1.2.840.113549.1.1.11 (RFC 4055 §5).
    static var sha256WithRSAEncryption: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_01_0B) }
    /// id-at-serialNumber, 2.5.4.5.
    static var serialNumber: Self { Self(encodedAs: 0x55_04_05) }
    /// id-at-title, 2.5.4.12.
    static var title: Self { Self(encodedAs: 0x55_04_0C) }
    /// The key description, 1.3.6.1.4.1.11129.2.1.17.
    static var keyDescription: Self { Self(encodedAs: 0x2B_06_01_04_01_D6_79_02_01_11) }
    /// The provisioning server's statement about the device, 1.3.6.1.4.1.11129.2.1.30.
    static var provisioningInformation: Self { Self(encodedAs: 0x2B_06_01_04_01_D6_79_02_01_1E) }
}
