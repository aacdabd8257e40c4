package import PureECDSA
import PureSHA2

/// A key that certificates are verified with. Held apart from ``CertificatePublicKey`` so that a key that is used again
/// can be held as its table.
package enum IssuerKey: Sendable {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)

    /// `nil` if the key is none of ours.
    package init?(_ key: CertificatePublicKey) {
        switch key {
        case .p256(let key): self = .p256(key)
        case .p384(let key): self = .p384(key)
        case .unsupported: return nil
        }
    }

    /// RFC 5280 §6.1.3 (a)(1): whether `certificate`'s signature is this key's.
    func hasSigned(_ certificate: Certificate) -> Bool {
        isValidSignature(
            certificate.signature, algorithm: certificate.signatureAlgorithm, message: certificate.tbsCertificate)
    }

    /// Whether `signature`, an encoded ECDSA-Sig-Value, is this key's signature of `message`. False too if it is no such
    /// encoding, or if the algorithm is not implemented: a bad encoding is a bad signature.
    package func isValidSignature(
        _ signature: ArraySlice<UInt8>, algorithm: SignatureAlgorithm, message: ArraySlice<UInt8>
    ) -> Bool {
        switch self {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            switch algorithm {
            case .ecdsaWithSHA256: return key.isValidSignature(signature, for: SHA256.hash(data: message))
            case .ecdsaWithSHA384: return key.isValidSignature(signature, for: SHA384.hash(data: message))
            case .ecdsaWithSHA512: return key.isValidSignature(signature, for: SHA512.hash(data: message))
            case .unsupported: return false
            }
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            switch algorithm {
            case .ecdsaWithSHA256: return key.isValidSignature(signature, for: SHA256.hash(data: message))
            case .ecdsaWithSHA384: return key.isValidSignature(signature, for: SHA384.hash(data: message))
            case .ecdsaWithSHA512: return key.isValidSignature(signature, for: SHA512.hash(data: message))
            case .unsupported: return false
            }
        }
    }
}
