public import PureSHA2

/// RSA (RFC 8017): keys and signatures for verification.
///
/// There are no private keys here: this module verifies.
public enum RSA {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
    public enum Signing {}
}

extension RSA.Signing {
    /// How a digest becomes the number that is signed.
    public struct Padding: Hashable, Sendable {
        private init() {}

        /// EMSA-PKCS1-v1_5 (RFC 8017 §9.2), under swift-crypto's name: no attack on its signatures is known where the verifier
        /// compares whole encodings, as here, but new designs should use another scheme.
        public static var insecurePKCS1v1_5: Padding { Padding() }
    }

    /// A public key whose numbers have sizes that were checked when it was read.
    ///
    /// Whether the modulus is a product of two primes can't be seen, and is not asked: whoever trusts a key trusts its maker.
    public struct PublicKey: Hashable, Sendable {
        /// The shortest modulus in bits, 2,048: NIST SP 800-131A Rev. 2 §3, table 2 disallows shorter ones from 2031, and accepts
        /// them for old signatures only.
        public static var minimumModulusSize: Int { 2048 }

        /// The longest modulus in bits, 4,096: the longest of Android's attestation chains. It bounds the time of a verification.
        public static var maximumModulusSize: Int { 4096 }

        /// Exponents are below 2³³: those of BoringSSL, `kMaxExponentBits`. It bounds the time of a verification.
        public static var exponentLimit: UInt64 { 1 << 33 }

        let modulusNumber: MontgomeryModulus
        /// The public exponent e: odd, 3 or more, below ``exponentLimit``.
        public let publicExponent: UInt64

        /// From the two numbers, big-endian; zeros may stand before them.
        @inlinable
        public init(n modulus: some Collection<UInt8>, e exponent: some Collection<UInt8>) throws(RSAError) {
            try self.init(modulus: ArraySlice(modulus), exponent: ArraySlice(exponent))
        }

        /// From a DER SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) of rsaEncryption with NULL parameters. A key for RSASSA-PSS alone
        /// (id-RSASSA-PSS) is refused.
        @inlinable
        public init(derRepresentation bytes: some Collection<UInt8>) throws(RSAError) {
            try self.init(subjectPublicKeyInfo: ArraySlice(bytes))
        }

        /// From a DER RSAPublicKey (RFC 8017 §A.1.1).
        @inlinable
        public init(pkcs1DERRepresentation bytes: some Collection<UInt8>) throws(RSAError) {
            try self.init(rsaPublicKey: ArraySlice(bytes))
        }

        // What the generic initialisers forward to: those are inlined into other modules, this is compiled here.

        @usableFromInline
        init(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) throws(RSAError) {
            let modulus = modulus.drop { $0 == 0 }, exponent = exponent.drop { $0 == 0 }
            // Before anything is made of it: a sender's number may have any length.
            guard modulus.count <= Self.maximumModulusSize / 8, let first = modulus.first else {
                throw .unsupportedModulusSize
            }
            let bitWidth = 8 * modulus.count - first.leadingZeroBitCount
            guard bitWidth >= Self.minimumModulusSize else { throw .unsupportedModulusSize }
            guard let number = MontgomeryModulus(bigEndian: modulus.span) else { throw .evenModulus }
            // Of 33 bits at most.
            guard exponent.count <= 5 else { throw .unsupportedExponent }
            var e: UInt64 = 0
            for octet in exponent { e = e << 8 | UInt64(octet) }
            // RFC 8017 §3.1: e is odd, as λ(n) is even and they have no common factor, and 3 or more.
            guard e >= 3, e & 1 == 1, e < Self.exponentLimit else { throw .unsupportedExponent }
            (modulusNumber, publicExponent) = (number, e)
        }

        /// How many bits the modulus has.
        public var keySizeInBits: Int { modulusNumber.bitWidth }

        /// How many octets a signature has: k of RFC 8017.
        public var signatureByteCount: Int { (modulusNumber.bitWidth + 7) / 8 }

        /// The modulus n, big-endian, without leading zeros.
        public var modulus: [UInt8] {
            let limbs = modulusNumber.limbs
            return (0..<signatureByteCount).reversed().map { octet($0, of: limbs[$0 >> 3]) }
        }

        /// Whether `signature` is this key's signature of a message with this digest.
        ///
        /// Time: variable; none of the three is secret.
        public func isValidSignature(
            _ signature: RSASignature, for digest: SHA256Digest, padding _: Padding
        ) -> Bool {
            isValid(signature, digest: digest.bytes.span, algorithm: 1)
        }

        /// Whether `signature` is this key's signature of a message with this digest.
        public func isValidSignature(
            _ signature: RSASignature, for digest: SHA384Digest, padding _: Padding
        ) -> Bool {
            isValid(signature, digest: digest.bytes.span, algorithm: 2)
        }

        /// Whether `signature` is this key's signature of a message with this digest.
        public func isValidSignature(
            _ signature: RSASignature, for digest: SHA512Digest, padding _: Padding
        ) -> Bool {
            isValid(signature, digest: digest.bytes.span, algorithm: 3)
        }

        /// Whether `signature` is this key's signature of a message with this digest, in code that is generic over digests.
        public func isValidSignature(
            _ signature: RSASignature, for digest: some Digest, padding: Padding
        ) -> Bool {
            switch digest.sha2 {
            case .sha256(let digest): isValidSignature(signature, for: digest, padding: padding)
            case .sha384(let digest): isValidSignature(signature, for: digest, padding: padding)
            case .sha512(let digest): isValidSignature(signature, for: digest, padding: padding)
            }
        }

        /// Whether `signature` is this key's signature of `data`, hashed with SHA-256.
        @inlinable
        public func isValidSignature(
            _ signature: RSASignature, for data: some Collection<UInt8>, padding: Padding
        ) -> Bool {
            isValidSignature(signature, for: SHA256.hash(data: data), padding: padding)
        }
    }

    /// A signature: the octets of a number, as many as the modulus has.
    ///
    /// The number is compared with the modulus when it is verified, as only the key has one.
    public struct RSASignature: Hashable, Sendable {
        let octets: ArraySlice<UInt8>

        /// From the octets that RFC 8017 §8.2.1 makes: 256 to 512 of them.
        @inlinable
        public init(rawRepresentation bytes: some Collection<UInt8>) throws(RSAError) {
            guard bytes.count >= 256, bytes.count <= 512 else { throw .invalidSignatureLength }
            self.init(octets: ArraySlice(bytes))
        }

        @usableFromInline
        init(octets: ArraySlice<UInt8>) { self.octets = octets }

        /// The octets.
        public var rawRepresentation: [UInt8] { Array(octets) }
    }
}

/// The octet of weight 2^(8·index) of a number, from the limb that holds it.
func octet(_ index: Int, of limb: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: limb >> UInt64(truncatingIfNeeded: 8 * (index & 7)))
}
