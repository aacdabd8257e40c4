import PureECDSA
import PureSHA2

/// A key that certificates are verified with. Held apart from ``CertificatePublicKey`` so that a key that is used again
/// can be held as its table.
enum IssuerKey: Sendable {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)

    /// `nil` if the key is none of ours.
    init?(_ key: CertificatePublicKey) {
        switch key {
        case .p256(let key): self = .p256(key)
        case .p384(let key): self = .p384(key)
        case .unsupported: return nil
        }
    }

    /// RFC 5280 §6.1.3 (a)(1): whether `certificate`'s signature is this key's. False too if the signature is not of a
    /// known algorithm, or not an encoded ECDSA-Sig-Value: a bad encoding is a bad signature.
    func hasSigned(_ certificate: Certificate) -> Bool {
        let message = certificate.tbsCertificate
        switch self {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: certificate.signature) else {
                return false
            }
            switch certificate.signatureAlgorithm {
            case .ecdsaWithSHA256: return key.isValidSignature(signature, for: SHA256.hash(data: message))
            case .ecdsaWithSHA384: return key.isValidSignature(signature, for: SHA384.hash(data: message))
            case .ecdsaWithSHA512: return key.isValidSignature(signature, for: SHA512.hash(data: message))
            case .unsupported: return false
            }
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(derRepresentation: certificate.signature) else {
                return false
            }
            switch certificate.signatureAlgorithm {
            case .ecdsaWithSHA256: return key.isValidSignature(signature, for: SHA256.hash(data: message))
            case .ecdsaWithSHA384: return key.isValidSignature(signature, for: SHA384.hash(data: message))
            case .ecdsaWithSHA512: return key.isValidSignature(signature, for: SHA512.hash(data: message))
            case .unsupported: return false
            }
        }
    }
}
