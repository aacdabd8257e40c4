import PureDER
package import PureECDSA
package import PureRSA
import PureSHA2
import PureX509

/// A key that signs certificates of a chain.
///
/// RSA is here and not in PureX509, which App Attest links.
package enum ChainKey: Hashable, Sendable {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case rsa(RSA.Signing.PublicKey)

    /// A certificate's key; `nil` if it is none of these. `position` is its number in errors.
    init?(
        _ publicKey: CertificatePublicKey, _ subjectPublicKeyInfo: ArraySlice<UInt8>, position: Int
    ) throws(KeyAttestationError) {
        switch publicKey {
        case .p256(let key): self = .p256(key)
        case .p384(let key): self = .p384(key)
        case .unsupported(.rsaEncryptionKey):
            do {
                self = .rsa(try RSA.Signing.PublicKey(derRepresentation: subjectPublicKeyInfo))
            } catch {
                throw .malformedRSAKey(error, certificate: position)
            }
        default: return nil
        }
    }

    /// RFC 5280 §6.1.3 (a)(1): whether this key signed the certificate. False too if the algorithm is another one's.
    func hasSigned(_ certificate: SignedCertificate, _ algorithm: ChainSignatureAlgorithm) -> Bool {
        let message = certificate.tbsCertificate
        return switch algorithm.hash {
        case .sha256: isValid(certificate.signature, algorithm, SHA256.hash(data: message))
        case .sha384: isValid(certificate.signature, algorithm, SHA384.hash(data: message))
        case .sha512: isValid(certificate.signature, algorithm, SHA512.hash(data: message))
        }
    }

    private func isValid(
        _ signature: ArraySlice<UInt8>, _ algorithm: ChainSignatureAlgorithm, _ digest: some Digest
    ) -> Bool {
        switch self {
        case .p256(let key):
            guard !algorithm.isRSA, let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else {
                return false
            }
            return key.isValidSignature(signature, for: digest)
        case .p384(let key):
            guard !algorithm.isRSA, let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature)
            else {
                return false
            }
            return key.isValidSignature(signature, for: digest)
        case .rsa(let key):
            guard algorithm.isRSA, let signature = try? RSA.Signing.RSASignature(rawRepresentation: signature) else {
                return false
            }
            return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        }
    }
}

/// A root that is trusted.
package struct ChainRoot: Hashable, Sendable {
    /// Its subject, a DER Name: the issuer of what it issued.
    let name: [UInt8]
    let key: ChainKey

    package init(name: [UInt8], key: ChainKey) { (self.name, self.key) = (name, key) }
}

/// How a certificate of a chain is signed.
struct ChainSignatureAlgorithm {
    enum Hash { case sha256, sha384, sha512 }

    let isRSA: Bool
    let hash: Hash

    /// Reads the contents of an AlgorithmIdentifier; `nil` if it is not known, or its parameters are not what they must be.
    init?(_ contents: ArraySlice<UInt8>) {
        var reader = DERReader(contents)
        switch try? reader.readObjectIdentifier() {
        case .ecdsaWithSHA256Signature?: (isRSA, hash) = (false, .sha256)
        case .ecdsaWithSHA384Signature?: (isRSA, hash) = (false, .sha384)
        case .ecdsaWithSHA512Signature?: (isRSA, hash) = (false, .sha512)
        case .sha256WithRSAEncryption?: (isRSA, hash) = (true, .sha256)
        case .sha384WithRSAEncryption?: (isRSA, hash) = (true, .sha384)
        case .sha512WithRSAEncryption?: (isRSA, hash) = (true, .sha512)
        default: return nil
        }
        // RFC 4055 §5: "the parameters MUST be NULL". RFC 5758 §3.2: they are absent.
        let parameters: [UInt8] = isRSA ? [0x05, 0x00] : []
        guard reader.remaining == parameters[...] else { return nil }
    }
}
