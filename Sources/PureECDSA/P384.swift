public import PureSHA2

/// NIST P-384, also known as secp384r1 (SP 800-186 §3.2.1.4): public keys and signature verification.
///
/// This module does not support private keys.
public enum P384 {
    /// ECDSA with P-384 (FIPS 186-5 §6).
    public enum Signing {}
}

extension P384.Signing {
    /// A validated public key: a point on the curve, not the point at infinity.
    ///
    /// To verify several signatures with one key, create a ``PrecomputedPublicKey`` from the key.
    public struct PublicKey: Hashable, Sendable {
        let point: AffinePoint<P384Curve>

        /// Reads x ‖ y, 96 bytes, big-endian.
        @inlinable
        public init(rawRepresentation bytes: some Collection<UInt8>) throws(ECDSAError) {
            try self.init(raw: ArraySlice(bytes))
        }

        /// Reads the uncompressed point of X9.63, 04 ‖ x ‖ y, 97 bytes.
        @inlinable
        public init(x963Representation bytes: some Collection<UInt8>) throws(ECDSAError) {
            try self.init(x963: ArraySlice(bytes))
        }

        /// Reads the compressed point, 02 or 03 ‖ x, 49 bytes.
        @inlinable
        public init(compressedRepresentation bytes: some Collection<UInt8>) throws(ECDSAError) {
            try self.init(compressed: ArraySlice(bytes))
        }

        /// Reads x, 48 bytes, and selects the smaller of the two possible y. Use this initialiser only for keys that
        /// were generated with the smaller y.
        @inlinable
        public init(compactRepresentation bytes: some Collection<UInt8>) throws(ECDSAError) {
            try self.init(compact: ArraySlice(bytes))
        }

        /// Reads a DER SubjectPublicKeyInfo (RFC 5480) that names the curve, with an uncompressed or compressed point.
        /// Rejects explicit curve parameters, even if they describe this curve.
        @inlinable
        public init(derRepresentation bytes: some Collection<UInt8>) throws(ECDSAError) {
            try self.init(subjectPublicKeyInfo: ArraySlice(bytes))
        }

        // The generic initialisers above are inlined into other modules. The initialisers below are not.

        @usableFromInline
        init(raw bytes: ArraySlice<UInt8>) throws(ECDSAError) {
            point = try AffinePoint(raw: bytes)
        }

        @usableFromInline
        init(x963 bytes: ArraySlice<UInt8>) throws(ECDSAError) {
            point = try AffinePoint(x963: bytes)
        }

        @usableFromInline
        init(compressed bytes: ArraySlice<UInt8>) throws(ECDSAError) {
            point = try AffinePoint(compressed: bytes)
        }

        @usableFromInline
        init(compact bytes: ArraySlice<UInt8>) throws(ECDSAError) {
            point = try AffinePoint(compact: bytes)
        }

        @usableFromInline
        init(subjectPublicKeyInfo bytes: ArraySlice<UInt8>) throws(ECDSAError) {
            point = try AffinePoint(subjectPublicKeyInfo: bytes)
        }

        /// x ‖ y, 96 bytes, big-endian.
        public var rawRepresentation: [UInt8] { point.raw }

        /// The uncompressed point of X9.63, 04 ‖ x ‖ y, 97 bytes.
        public var x963Representation: [UInt8] { point.x963 }

        /// The compressed point, 02 or 03 ‖ x, 49 bytes.
        public var compressedRepresentation: [UInt8] { point.compressed }

        /// The x-coordinate, 48 bytes. `nil` if p − y is smaller than y, as for half of all keys.
        public var compactRepresentation: [UInt8]? { point.compact }

        /// A DER SubjectPublicKeyInfo with the curve's name and the uncompressed point.
        public var derRepresentation: [UInt8] { point.subjectPublicKeyInfo }

        /// Returns whether `signature` is this key's signature of a message with this digest.
        ///
        /// Time: variable, because signature, digest and key are not secret.
        public func isValidSignature(_ signature: ECDSASignature, for digest: SHA256Digest) -> Bool {
            P384Curve.isValid(signature.scalars, digest: digest.bytes.span, publicKey: point)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest.
        public func isValidSignature(_ signature: ECDSASignature, for digest: SHA384Digest) -> Bool {
            P384Curve.isValid(signature.scalars, digest: digest.bytes.span, publicKey: point)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest.
        public func isValidSignature(_ signature: ECDSASignature, for digest: SHA512Digest) -> Bool {
            P384Curve.isValid(signature.scalars, digest: digest.bytes.span, publicKey: point)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest. For generic code.
        public func isValidSignature(_ signature: ECDSASignature, for digest: some Digest) -> Bool {
            switch digest.sha2 {
            case .sha256(let digest): isValidSignature(signature, for: digest)
            case .sha384(let digest): isValidSignature(signature, for: digest)
            case .sha512(let digest): isValidSignature(signature, for: digest)
            }
        }

        /// Returns whether `signature` is this key's signature of `data`, hashed with SHA-384.
        @inlinable
        public func isValidSignature(_ signature: ECDSASignature, for data: some Collection<UInt8>) -> Bool {
            isValidSignature(signature, for: SHA384.hash(data: data))
        }
    }

    /// A signature: two numbers r and s. Reading rejects numbers outside [1, n − 1].
    ///
    /// Both s and n − s are accepted ("high s" is not rejected), as in FIPS 186-5.
    public struct ECDSASignature: Hashable, Sendable {
        let scalars: SignatureScalars<P384Curve>

        /// Reads r ‖ s, 96 bytes, big-endian (IEEE P1363).
        @inlinable
        public init(rawRepresentation bytes: some Collection<UInt8>) throws(ECDSAError) {
            try self.init(raw: ArraySlice(bytes))
        }

        /// Reads an Ecdsa-Sig-Value (RFC 3279 §2.2.3) in strict DER.
        @inlinable
        public init(derRepresentation bytes: some Collection<UInt8>) throws(ECDSAError) {
            try self.init(der: ArraySlice(bytes))
        }

        @usableFromInline
        init(raw bytes: ArraySlice<UInt8>) throws(ECDSAError) {
            scalars = try SignatureScalars(raw: bytes)
        }

        @usableFromInline
        init(der bytes: ArraySlice<UInt8>) throws(ECDSAError) {
            scalars = try SignatureScalars(der: bytes)
        }

        /// r ‖ s, 96 bytes, big-endian.
        public var rawRepresentation: [UInt8] { scalars.raw }

        /// An Ecdsa-Sig-Value in DER.
        public var derRepresentation: [UInt8] { scalars.der }
    }

    /// A public key with a table that makes each verification more than twice as fast.
    ///
    /// The table takes 9 KiB; computing it takes as long as a verification. It pays off from the second signature on.
    public struct PrecomputedPublicKey: Sendable {
        /// The key itself.
        public let publicKey: PublicKey
        let table: WindowTable<P384Curve>

        /// Computes the table.
        public init(_ publicKey: PublicKey) {
            self.publicKey = publicKey
            table = WindowTable(publicKey.point, P384Curve.keyShape)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest.
        public func isValidSignature(_ signature: ECDSASignature, for digest: SHA256Digest) -> Bool {
            P384Curve.isValid(signature.scalars, digest: digest.bytes.span, publicKey: table)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest.
        public func isValidSignature(_ signature: ECDSASignature, for digest: SHA384Digest) -> Bool {
            P384Curve.isValid(signature.scalars, digest: digest.bytes.span, publicKey: table)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest.
        public func isValidSignature(_ signature: ECDSASignature, for digest: SHA512Digest) -> Bool {
            P384Curve.isValid(signature.scalars, digest: digest.bytes.span, publicKey: table)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest. For generic code.
        public func isValidSignature(_ signature: ECDSASignature, for digest: some Digest) -> Bool {
            switch digest.sha2 {
            case .sha256(let digest): isValidSignature(signature, for: digest)
            case .sha384(let digest): isValidSignature(signature, for: digest)
            case .sha512(let digest): isValidSignature(signature, for: digest)
            }
        }

        /// Returns whether `signature` is this key's signature of `data`, hashed with SHA-384.
        @inlinable
        public func isValidSignature(_ signature: ECDSASignature, for data: some Collection<UInt8>) -> Bool {
            isValidSignature(signature, for: SHA384.hash(data: data))
        }
    }
}
