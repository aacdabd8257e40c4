package import PureECDSA
package import PureSHA2

/// The encoding of a signature's integers r and s.
package enum VectorSignatureForm: Hashable, Sendable {
    /// `Ecdsa-Sig-Value` of RFC 3279 §2.2.3.
    case der
    /// r ‖ s, each as long as the order n (IEEE P1363).
    case raw
}

extension VectorCurve {
    /// Decodes a signature in one form, and encodes it in the same or a different form.
    package func rewriteSignature(
        _ bytes: some Collection<UInt8>, from source: VectorSignatureForm, to target: VectorSignatureForm
    ) throws(ECDSAError) -> [UInt8] {
        func rewrite<Key: VectorPublicKey>(_: Key.Type) throws(ECDSAError) -> [UInt8] {
            let signature = try Key.Signature(bytes, as: source)
            return target == .der ? signature.derRepresentation : signature.rawRepresentation
        }
        return try rewrite(keyType)
    }
}

/// The encoding of a public key.
package enum VectorKeyForm: Hashable, Sendable, CaseIterable {
    /// 04, x, y.
    case x963
    /// x, y.
    case raw
    /// 02 or 03, x.
    case compressed
    /// `SubjectPublicKeyInfo` of RFC 5480.
    case der
}

/// A public key on any ``VectorCurve``.
package struct VectorKey: Sendable {
    let key: any VectorPublicKey

    /// Decodes a key from bytes in this form.
    package init(
        _ bytes: some Collection<UInt8>, as form: VectorKeyForm, on curve: VectorCurve
    ) throws(ECDSAError) {
        key =
            switch form {
            case .x963: try curve.keyType.init(x963Representation: bytes)
            case .raw: try curve.keyType.init(rawRepresentation: bytes)
            case .compressed: try curve.keyType.init(compressedRepresentation: bytes)
            case .der: try curve.keyType.init(derRepresentation: bytes)
            }
    }

    /// Decodes a key from a point in the form of SEC 1 §2.3.3, compressed or uncompressed according to its length.
    package init(point: some Collection<UInt8>, on curve: VectorCurve) throws(ECDSAError) {
        try self.init(point, as: point.count == curve.byteCount + 1 ? .compressed : .x963, on: curve)
    }

    /// Returns the key in this form.
    package func bytes(as form: VectorKeyForm) -> [UInt8] {
        switch form {
        case .x963: key.x963Representation
        case .raw: key.rawRepresentation
        case .compressed: key.compressedRepresentation
        case .der: key.derRepresentation
        }
    }

    /// Verifies a signature of the message with this key. Also returns `false` if the bytes are not a signature.
    package func isValidSignature(
        _ signature: some Collection<UInt8>, as form: VectorSignatureForm, hash: VectorHash,
        message: some Collection<UInt8>
    ) -> Bool {
        switch hash {
        case .sha256: isValidSignature(signature, as: form, for: .sha256(SHA256.hash(data: message)))
        case .sha384: isValidSignature(signature, as: form, for: .sha384(SHA384.hash(data: message)))
        case .sha512: isValidSignature(signature, as: form, for: .sha512(SHA512.hash(data: message)))
        }
    }

    /// Verifies a signature of a digest with this key, optionally with the key's precomputed form.
    package func isValidSignature(
        _ signature: some Collection<UInt8>, as form: VectorSignatureForm, for digest: VectorDigest,
        isPrecomputed: Bool = false
    ) -> Bool {
        isPrecomputed
            ? key.precomputed.isValid(signature, as: form, for: digest) : key.isValid(signature, as: form, for: digest)
    }
}

extension VectorKey: Equatable {
    /// Returns whether both keys are the same point. Keys on different curves differ in length.
    package static func == (a: VectorKey, b: VectorKey) -> Bool { a.bytes(as: .x963) == b.bytes(as: .x963) }
}

/// A digest whose hash function is selected at run time.
package enum VectorDigest: Hashable, Sendable {
    case sha256(SHA256Digest)
    case sha384(SHA384Digest)
    case sha512(SHA512Digest)
}

protocol VectorVerifier: Sendable {
    associatedtype Signature: VectorSignature
    func isValidSignature(_ signature: Signature, for digest: SHA256Digest) -> Bool
    func isValidSignature(_ signature: Signature, for digest: SHA384Digest) -> Bool
    func isValidSignature(_ signature: Signature, for digest: SHA512Digest) -> Bool
}

extension VectorVerifier {
    fileprivate func isValid(
        _ bytes: some Collection<UInt8>, as form: VectorSignatureForm, for digest: VectorDigest
    ) -> Bool {
        let signature: Signature
        do throws(ECDSAError) {
            signature = try Signature(bytes, as: form)
        } catch {
            return false
        }
        return switch digest {
        case .sha256(let digest): isValidSignature(signature, for: digest)
        case .sha384(let digest): isValidSignature(signature, for: digest)
        case .sha512(let digest): isValidSignature(signature, for: digest)
        }
    }
}

protocol VectorSignature {
    init(derRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(rawRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    var derRepresentation: [UInt8] { get }
    var rawRepresentation: [UInt8] { get }
}

extension VectorSignature {
    fileprivate init(_ bytes: some Collection<UInt8>, as form: VectorSignatureForm) throws(ECDSAError) {
        switch form {
        case .der: try self.init(derRepresentation: bytes)
        case .raw: try self.init(rawRepresentation: bytes)
        }
    }
}

protocol VectorPublicKey: VectorVerifier {
    associatedtype Precomputed: VectorVerifier
    var precomputed: Precomputed { get }
    init(x963Representation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(rawRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(compressedRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(derRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    var x963Representation: [UInt8] { get }
    var rawRepresentation: [UInt8] { get }
    var compressedRepresentation: [UInt8] { get }
    var derRepresentation: [UInt8] { get }
}

extension P256.Signing.ECDSASignature: VectorSignature {}
extension P256.Signing.PublicKey: VectorPublicKey {
    var precomputed: P256KnownKey { P256KnownKey(self) }
}

/// A P-256 key in two precomputed forms: with a table, and with the multiples that a key record stores. For SHA-256
/// digests, verification runs with both forms, and the two verdicts must agree. For other digests, verification uses
/// only the table.
struct P256KnownKey: VectorVerifier {
    private let table: P256.Signing.PrecomputedPublicKey
    private let multiples: P256.Signing.PublicKeyMultiples

    init(_ key: P256.Signing.PublicKey) {
        table = P256.Signing.PrecomputedPublicKey(key)
        multiples = P256.Signing.PublicKeyMultiples(key)
    }

    func isValidSignature(_ signature: P256.Signing.ECDSASignature, for digest: SHA256Digest) -> Bool {
        let isValid = table.isValidSignature(signature, for: digest)
        precondition(
            multiples.isValidSignature(signature, for: digest) == isValid, "the key's multiples disagree with its table"
        )
        return isValid
    }
    func isValidSignature(_ signature: P256.Signing.ECDSASignature, for digest: SHA384Digest) -> Bool {
        table.isValidSignature(signature, for: digest)
    }
    func isValidSignature(_ signature: P256.Signing.ECDSASignature, for digest: SHA512Digest) -> Bool {
        table.isValidSignature(signature, for: digest)
    }
}

extension P384.Signing.ECDSASignature: VectorSignature {}
extension P384.Signing.PrecomputedPublicKey: VectorVerifier {}
extension P384.Signing.PublicKey: VectorPublicKey {
    var precomputed: P384.Signing.PrecomputedPublicKey { P384.Signing.PrecomputedPublicKey(self) }
}
