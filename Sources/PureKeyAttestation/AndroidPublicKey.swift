import PureDER
public import PureECDSA
public import PureRSA
import PureBytes
import PureSHA2
package import PureX509

/// The public key of an attested key pair, or of an issuer in the certificate chain.
///
/// Supports RSA, unlike `CertificatePublicKey`. PureX509 has no RSA code, because App Attest does not need RSA.
@nonexhaustive
public enum AndroidPublicKey: Hashable, Sendable {
    /// A P-256 key. Most attested keys are P-256 keys.
    case p256(P256.Signing.PublicKey)
    /// A P-384 key.
    case p384(P384.Signing.PublicKey)
    /// An RSA key.
    case rsa(RSA.Signing.PublicKey)

    /// Rule K10: reads the leaf's key, and compares the key with the hardware-enforced list.
    init(ofLeaf leaf: LeafCertificate, _ description: KeyDescription) throws(KeyAttestationError) {
        guard let key = try AndroidPublicKey(leaf.publicKey, leaf.subjectPublicKeyInfo, position: 0) else {
            throw .unsupportedLeafKey
        }
        let list = description.hardwareEnforced
        let algorithm, size: UInt64
        var curve, exponent: UInt64?
        switch key {
        case .p256: (algorithm, size, curve) = (KeyAlgorithm.ellipticCurve, 256, 1)
        case .p384: (algorithm, size, curve) = (KeyAlgorithm.ellipticCurve, 384, 2)
        case .rsa(let key):
            (algorithm, size) = (KeyAlgorithm.rsa, UInt64(key.keySizeInBits))
            exponent = key.publicExponent
        }
        // The list always states the algorithm. For some EC keys, it states no size, and old schema versions state no
        // curve.
        guard list.algorithm == algorithm, list.keySize ?? size == size, list.ecCurve == nil || list.ecCurve == curve,
            list.rsaPublicExponent == nil || list.rsaPublicExponent == exponent
        else {
            throw .keyMismatch
        }
        self = key
    }

    /// Reads the key of the certificate at `position`, or returns `nil` if the kind of key is not supported.
    package init?(
        _ publicKey: CertificatePublicKey, _ subjectPublicKeyInfo: ArraySlice<UInt8>, position: Int
    ) throws(KeyAttestationError) {
        switch publicKey {
        case .p256(let key): self = .p256(key)
        case .p384(let key): self = .p384(key)
        case .unsupported(.rsaEncryption):
            do {
                self = .rsa(try RSA.Signing.PublicKey(derRepresentation: subjectPublicKeyInfo))
            } catch {
                throw .malformedRSAKey(error, certificate: position)
            }
        default: return nil
        }
    }

    /// The key as a DER SubjectPublicKeyInfo.
    public var derRepresentation: [UInt8] {
        switch self {
        case .p256(let key): key.derRepresentation
        case .p384(let key): key.derRepresentation
        case .rsa(let key): key.derRepresentation
        }
    }

    private enum Kind {
        static var p256: UInt8 { 1 }
        static var p384: UInt8 { 2 }
        static var rsa: UInt8 { 3 }
    }

    /// The encoding of the key in a record: a byte for the kind of key, followed by the key. An EC key is encoded as an
    /// uncompressed point. An RSA key is encoded as exponent (8 bytes), modulus length (2 bytes) and modulus.
    var recorded: [UInt8] {
        // Appends, because several literals in one function are miscompiled (outlined-constants.py).
        var octets: [UInt8] = []
        switch self {
        case .p256(let key):
            octets.append(Kind.p256)
            octets += key.x963Representation
        case .p384(let key):
            octets.append(Kind.p384)
            octets += key.x963Representation
        case .rsa(let key):
            octets.append(Kind.rsa)
            octets += bigEndian(key.publicExponent)
            let modulus = key.modulus
            octets += bigEndian(UInt16(truncatingIfNeeded: modulus.count))
            octets += modulus
        }
        return octets
    }

    /// Reads the encoding that ``recorded`` returns. Rejects all other encodings of a key.
    init?(recorded octets: ArraySlice<UInt8>) {
        let rest = octets.dropFirst()
        switch octets.first {
        case Kind.p256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: rest) else { return nil }
            self = .p256(key)
        case Kind.p384:
            guard let key = try? P384.Signing.PublicKey(x963Representation: rest) else { return nil }
            self = .p384(key)
        case Kind.rsa:
            var reader = ByteReader(rest)
            // The length field reveals truncated records.
            guard let exponent = try? reader.readBytes(8), let size: UInt16 = try? reader.readBigEndian(),
                reader.remaining.count == size, reader.peek() != 0,
                let key = try? RSA.Signing.PublicKey(n: reader.remaining, e: exponent)
            else {
                return nil
            }
            self = .rsa(key)
        default: return nil
        }
    }

    /// Whether `signature` is valid for this key, as Android's `SHA256withECDSA` (DER) or `SHA256withRSA` creates it.
    public func isValidSignature(_ signature: some Collection<UInt8>, for data: some Collection<UInt8>) -> Bool {
        isValid(ArraySlice(signature), SHA256.hash(data: data))
    }

    /// RFC 5280 §6.1.3 (a)(1): whether the signature of the message is valid for this key and algorithm.
    func isValidSignature(
        _ signature: ArraySlice<UInt8>, _ algorithm: SignatureAlgorithm, of message: ArraySlice<UInt8>
    ) -> Bool {
        guard algorithm.isECDSA != isRSA else { return false }
        return switch algorithm {
        case .ecdsaWithSHA256, .sha256WithRSAEncryption: isValid(signature, SHA256.hash(data: message))
        case .ecdsaWithSHA384, .sha384WithRSAEncryption: isValid(signature, SHA384.hash(data: message))
        case .ecdsaWithSHA512, .sha512WithRSAEncryption: isValid(signature, SHA512.hash(data: message))
        default: false
        }
    }

    private var isRSA: Bool { if case .rsa = self { true } else { false } }

    private func isValid(_ signature: ArraySlice<UInt8>, _ digest: some Digest) -> Bool {
        switch self {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest)
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest)
        case .rsa(let key):
            guard let signature = try? RSA.Signing.RSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        }
    }
}
