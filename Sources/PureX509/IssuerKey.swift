package import PureECDSA
import PureSHA2

/// A public key that verifies certificate signatures: a point, or a precomputed table for a key that is used often.
package enum IssuerKey: Sendable {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    #if !hasFeature(Embedded)
        case precomputedP256(P256.Signing.PrecomputedPublicKey)
        case precomputedP384(P384.Signing.PrecomputedPublicKey)
    #endif

    package init?(_ key: CertificatePublicKey) {
        switch key {
        case .p256(let key): self = .p256(key)
        case .p384(let key): self = .p384(key)
        case .unsupported: return nil
        }
    }

    /// Returns the key with a precomputed table, at the cost of about one verification. No effect in Embedded Swift.
    package func precomputed() -> IssuerKey {
        #if hasFeature(Embedded)
            self
        #else
            switch self {
            case .p256(let key): .precomputedP256(P256.Signing.PrecomputedPublicKey(key))
            case .p384(let key): .precomputedP384(P384.Signing.PrecomputedPublicKey(key))
            case .precomputedP256, .precomputedP384: self
            }
        #endif
    }

    /// Whether this key signed `certificate` (RFC 5280 §6.1.3 (a)(1)).
    package func hasSigned(_ certificate: Certificate) -> Bool {
        isValidSignature(
            certificate.signature, algorithm: certificate.signatureAlgorithm, message: certificate.tbsCertificate)
    }

    /// Whether `signature`, an ECDSA-Sig-Value, is valid. False for a malformed encoding or unsupported algorithm.
    ///
    /// Not inlined, because it contains a copy of the ECDSA code for each kind of key.
    @inline(never)
    package func isValidSignature(
        _ signature: ArraySlice<UInt8>, algorithm: SignatureAlgorithm, message: ArraySlice<UInt8>
    ) -> Bool {
        switch self {
        case .p256(let key): key.isValid(signature, algorithm, message)
        case .p384(let key): key.isValid(signature, algorithm, message)
        #if !hasFeature(Embedded)
            case .precomputedP256(let key): key.isValid(signature, algorithm, message)
            case .precomputedP384(let key): key.isValid(signature, algorithm, message)
        #endif
        }
    }
}

private protocol SignatureVerifier {
    associatedtype Signature
    static func decodeSignature(_ der: ArraySlice<UInt8>) -> Signature?
    func isValidSignature(_ signature: Signature, for digest: SHA256Digest) -> Bool
    func isValidSignature(_ signature: Signature, for digest: SHA384Digest) -> Bool
    func isValidSignature(_ signature: Signature, for digest: SHA512Digest) -> Bool
}

extension SignatureVerifier {
    func isValid(_ der: ArraySlice<UInt8>, _ algorithm: SignatureAlgorithm, _ message: ArraySlice<UInt8>) -> Bool {
        guard let signature = Self.decodeSignature(der) else { return false }
        return switch algorithm {
        case .ecdsaWithSHA256: isValidSignature(signature, for: SHA256.hash(data: message))
        case .ecdsaWithSHA384: isValidSignature(signature, for: SHA384.hash(data: message))
        case .ecdsaWithSHA512: isValidSignature(signature, for: SHA512.hash(data: message))
        default: false
        }
    }
}

extension SignatureVerifier where Signature == P256.Signing.ECDSASignature {
    static func decodeSignature(_ der: ArraySlice<UInt8>) -> Signature? { try? Signature(derRepresentation: der) }
}

extension SignatureVerifier where Signature == P384.Signing.ECDSASignature {
    static func decodeSignature(_ der: ArraySlice<UInt8>) -> Signature? { try? Signature(derRepresentation: der) }
}

extension P256.Signing.PublicKey: SignatureVerifier {}
extension P384.Signing.PublicKey: SignatureVerifier {}
#if !hasFeature(Embedded)
    extension P256.Signing.PrecomputedPublicKey: SignatureVerifier {}
    extension P384.Signing.PrecomputedPublicKey: SignatureVerifier {}
#endif
