package import PureAttestTesting
import PureDER
package import PureECDSA
package import PureKeyAttestation
import PureRSA
import PureSHA2
import Synchronization

/// A private key of an authority or a device. **For tests only.**
package enum AndroidSigningKey: Sendable {
    case p256(SigningKey<P256>)
    case p384(SigningKey<P384>)
    case rsa(RSASigningKey)

    package static func p256(_ seed: UInt64) -> AndroidSigningKey {
        var random = TestRandom(seed: seed, purpose: "android")
        return .p256(SigningKey(from: &random))
    }

    package static func p384(_ seed: UInt64) -> AndroidSigningKey {
        var random = TestRandom(seed: seed, purpose: "android")
        return .p384(SigningKey(from: &random))
    }

    package var subjectPublicKeyInfo: [UInt8] {
        switch self {
        case .p256(let key): PureAttestTesting.subjectPublicKeyInfo(.secp256r1, point: key.x963)
        case .p384(let key): PureAttestTesting.subjectPublicKeyInfo(.secp384r1, point: key.x963)
        case .rsa(let key): key.publicKey.derRepresentation
        }
    }

    /// The public key, for verifying certificates that this key signed.
    package var chainKey: AndroidPublicKey {
        do {
            return switch self {
            case .p256(let key): .p256(try P256.Signing.PublicKey(x963Representation: key.x963))
            case .p384(let key): .p384(try P384.Signing.PublicKey(x963Representation: key.x963))
            case .rsa(let key): .rsa(key.publicKey)
            }
        } catch { preconditionFailure("a point that was computed is none: \(error)") }
    }

    /// The AlgorithmIdentifier for this key's signatures: ECDSA with the hash that fits the curve, or RSA with SHA-256.
    package var algorithmIdentifier: [UInt8] {
        switch self {
        case .p256: der(.sequence, der(.ecdsaWithSHA256))
        case .p384: der(.sequence, der(.ecdsaWithSHA384))
        case .rsa: der(.sequence, der(.sha256WithRSAEncryption), derNull)
        }
    }

    /// Caches the signatures of issuers' certificates. The cache key is the signer's public key followed by the signed
    /// bytes. All chains of an authority contain the same certificates of issuers. In a debug build, each RSA signature
    /// takes about a second.
    private static let sharedSignatures = Mutex<[[UInt8]: [UInt8]]>([:])
    private static let sharedSignatureLimit = 256

    /// Signs a certificate. If `isShared` is true, caches the signature, so that an equal call need not compute it
    /// again.
    package func sign(certificate message: [UInt8], isShared: Bool) -> [UInt8] {
        guard isShared else { return sign(certificate: message) }
        // A fault may shorten the padding of RSA signatures. The public key then stays the same, and so does the cache
        // key. So such a signature must not enter the cache.
        if case .rsa(let key) = self, key.paddingLength != nil { return sign(certificate: message) }
        let input = subjectPublicKeyInfo + message
        if let signature = Self.sharedSignatures.withLock({ $0[input] }) { return signature }
        let signature = sign(certificate: message)
        Self.sharedSignatures.withLock { signatures in
            if signatures.count == Self.sharedSignatureLimit { signatures.removeAll() }
            signatures[input] = signature
        }
        return signature
    }

    private func sign(certificate message: [UInt8]) -> [UInt8] {
        guard case .p384(let key) = self else { return sign(message) }
        return key.sign(message, hash: SHA384.self).derRepresentation
    }

    /// Signs data like Android's `SHA256withECDSA` or `SHA256withRSA`.
    package func sign(_ data: [UInt8]) -> [UInt8] {
        switch self {
        case .p256(let key): key.sign(data, hash: SHA256.self).derRepresentation
        case .p384(let key): key.sign(data, hash: SHA256.self).derRepresentation
        case .rsa(let key): key.sign(data)
        }
    }
}
