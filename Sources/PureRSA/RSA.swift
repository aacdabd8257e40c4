public import PureSHA2

/// RSA (RFC 8017): public keys and signature verification. This module does not support private keys.
public enum RSA {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
    public enum Signing {}
}

extension RSA.Signing {
    /// The method that turns a digest into the signed number.
    public struct Padding: Hashable, Sendable {
        private init() {}

        /// EMSA-PKCS1-v1_5 (RFC 8017 §9.2), under swift-crypto's name.
        ///
        /// No attack on signatures with this padding is known if the verifier compares the whole encoding, as this
        /// module does. New designs should nevertheless use a different scheme.
        public static var insecurePKCS1v1_5: Padding { Padding() }
    }

    /// A public key whose modulus and exponent are within the supported ranges.
    ///
    /// No check can show that the modulus is a product of two primes. So you can trust a key only if you trust the
    /// party that generated the key.
    public struct PublicKey: Hashable, Sendable {
        /// The shortest modulus, 2,048 bits: NIST SP 800-131A Rev. 2 §3, table 2 disallows shorter moduli for new
        /// signatures and accepts them only for old signatures.
        public static var minimumModulusSize: Int { 2048 }

        /// The longest modulus, 4,096 bits, as in Android's attestation chains. The limit bounds the verification time.
        public static var maximumModulusSize: Int { 4096 }

        /// Exponents are below 2³³, as in BoringSSL (`kMaxExponentBits`). The limit bounds the verification time.
        public static var exponentLimit: UInt64 { 1 << 33 }

        let modulusNumber: MontgomeryModulus
        /// The public exponent e: odd, at least 3, below ``exponentLimit``.
        public let publicExponent: UInt64

        /// Creates a key from two big-endian numbers, which may have leading zeros.
        @inlinable
        public init(n modulus: some Collection<UInt8>, e exponent: some Collection<UInt8>) throws(RSAError) {
            try self.init(modulus: ArraySlice(modulus), exponent: ArraySlice(exponent))
        }

        /// Reads a DER SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) of rsaEncryption with NULL parameters. Rejects keys
        /// that are restricted to RSASSA-PSS (id-RSASSA-PSS).
        @inlinable
        public init(derRepresentation bytes: some Collection<UInt8>) throws(RSAError) {
            try self.init(subjectPublicKeyInfo: ArraySlice(bytes))
        }

        /// Reads a DER RSAPublicKey (RFC 8017 §A.1.1).
        @inlinable
        public init(pkcs1DERRepresentation bytes: some Collection<UInt8>) throws(RSAError) {
            try self.init(rsaPublicKey: ArraySlice(bytes))
        }

        // The generic initialisers above are inlined into other modules. The initialisers below are not.

        @usableFromInline
        init(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) throws(RSAError) {
            let modulus = modulus.drop { $0 == 0 }, exponent = exponent.drop { $0 == 0 }
            // The length is checked before the number is built, because a sender can choose any length.
            guard modulus.count <= Self.maximumModulusSize / 8, let first = modulus.first else {
                throw .unsupportedModulusSize
            }
            let bitWidth = 8 * modulus.count - first.leadingZeroBitCount
            guard bitWidth >= Self.minimumModulusSize else { throw .unsupportedModulusSize }
            guard let number = MontgomeryModulus(bigEndian: modulus.span) else { throw .evenModulus }
            // At most 33 bits.
            guard exponent.count <= 5 else { throw .unsupportedExponent }
            var e: UInt64 = 0
            for octet in exponent { e = e << 8 | UInt64(octet) }
            // RFC 8017 §3.1: e is at least 3 and has no common factor with λ(n). λ(n) is even, so e is odd.
            guard e >= 3, e & 1 == 1, e < Self.exponentLimit else { throw .unsupportedExponent }
            (modulusNumber, publicExponent) = (number, e)
        }

        /// The bit width of the modulus.
        public var keySizeInBits: Int { modulusNumber.bitWidth }

        /// The length of a signature in octets: k of RFC 8017.
        public var signatureByteCount: Int { (modulusNumber.bitWidth + 7) / 8 }

        /// The modulus n, big-endian, without leading zeros.
        public var modulus: [UInt8] {
            let blocks = modulusNumber.blocks
            return (0..<signatureByteCount).reversed().map { octet($0, of: blocks[$0 >> 5][$0 >> 3 & 3]) }
        }

        /// Returns whether `signature` is this key's signature of a message with this digest.
        ///
        /// Time: variable; the key, the signature and the digest are not secret.
        public func isValidSignature(
            _ signature: RSASignature, for digest: SHA256Digest, padding _: Padding
        ) -> Bool {
            isValid(signature, digest: digest.bytes.span, algorithm: 1)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest.
        public func isValidSignature(
            _ signature: RSASignature, for digest: SHA384Digest, padding _: Padding
        ) -> Bool {
            isValid(signature, digest: digest.bytes.span, algorithm: 2)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest.
        public func isValidSignature(
            _ signature: RSASignature, for digest: SHA512Digest, padding _: Padding
        ) -> Bool {
            isValid(signature, digest: digest.bytes.span, algorithm: 3)
        }

        /// Returns whether `signature` is this key's signature of a message with this digest. For generic code.
        public func isValidSignature(
            _ signature: RSASignature, for digest: some Digest, padding: Padding
        ) -> Bool {
            switch digest.sha2 {
            case .sha256(let digest): isValidSignature(signature, for: digest, padding: padding)
            case .sha384(let digest): isValidSignature(signature, for: digest, padding: padding)
            case .sha512(let digest): isValidSignature(signature, for: digest, padding: padding)
            }
        }

        /// Returns whether `signature` is this key's signature of `data`, hashed with SHA-256.
        @inlinable
        public func isValidSignature(
            _ signature: RSASignature, for data: some Collection<UInt8>, padding: Padding
        ) -> Bool {
            isValidSignature(signature, for: SHA256.hash(data: data), padding: padding)
        }
    }

    /// A signature: a number with as many octets as the modulus.
    ///
    /// The initialiser does not check that the number is below the modulus; the verification checks this.
    public struct RSASignature: Hashable, Sendable {
        let octets: ArraySlice<UInt8>

        /// Creates a signature from 256 to 512 octets (RFC 8017 §8.2.1).
        @inlinable
        public init(rawRepresentation bytes: some Collection<UInt8>) throws(RSAError) {
            guard bytes.count >= 256, bytes.count <= 512 else { throw .invalidSignatureLength }
            self.init(octets: ArraySlice(bytes))
        }

        @usableFromInline
        init(octets: ArraySlice<UInt8>) { self.octets = octets }

        /// The octets of the signature.
        public var rawRepresentation: [UInt8] { Array(octets) }
    }
}

/// Returns the octet of a number with the weight 2^(8·index). `limb` is the limb that contains this octet.
func octet(_ index: Int, of limb: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: limb >> UInt64(truncatingIfNeeded: 8 * (index & 7)))
}
