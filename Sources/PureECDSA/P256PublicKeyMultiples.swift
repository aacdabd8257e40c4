package import PureSHA2

extension P256.Signing {
    /// A public key Q with 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q. The multiples are small enough to store beside the key of a
    /// returning device. With the multiples, a verification needs 64 doublings instead of 256.
    ///
    /// Computing the multiples takes more than half as long as a verification. A verification with a
    /// ``PrecomputedPublicKey`` takes two thirds of the time of a verification with the multiples. However, the table
    /// of such a key takes 4 KiB, and computing the table takes about as long as one verification.
    ///
    /// In Embedded Swift, this type reads and writes the multiples, but verification does not use them, because the
    /// generator table has only one part.
    package struct PublicKeyMultiples: Hashable, Sendable {
        package let publicKey: PublicKey
        /// 2^(64·j)·Q at index j − 1.
        private let multiples: InlineArray<3, AffinePoint<P256Curve>>

        package static let byteCount = 192

        #if !hasFeature(Embedded)
            package init(_ publicKey: PublicKey) {
                self.publicKey = publicKey
                let points = WindowTable(publicKey.point, WindowShape(window: 2, partBits: 64)).points
                multiples = InlineArray { points[$0 + 1] }
            }
        #endif

        /// Reads x ‖ y of 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q, big-endian, 32 bytes a coordinate. Checks that each point is on
        /// the curve (SEC 1 §3.2.2.1). Does **not** check that each point is the right multiple of the key, because
        /// this check would cost as much as computing the multiple. Protect the stored multiples like the stored key:
        /// an attacker who can change either of them decides whose signatures are valid.
        package init(_ publicKey: PublicKey, rawRepresentation bytes: ArraySlice<UInt8>) throws(ECDSAError) {
            guard bytes.count == Self.byteCount else { throw .invalidLength }
            let first = bytes.startIndex
            self.publicKey = publicKey
            multiples = try InlineArray { (j) throws(ECDSAError) in
                try AffinePoint(raw: bytes[first + 64 * j..<first + 64 * (j + 1)])
            }
        }

        package var rawRepresentation: [UInt8] { multiples[0].raw + multiples[1].raw + multiples[2].raw }

        /// 2^(64·j)·Q at index j.
        var points: InlineArray<4, AffinePoint<P256Curve>> {
            [publicKey.point, multiples[0], multiples[1], multiples[2]]
        }

        /// Returns whether `signature` is the key's signature of a message with this digest. Time: variable, because
        /// signature, digest and key are not secret.
        package func isValidSignature(_ signature: ECDSASignature, for digest: SHA256Digest) -> Bool {
            #if hasFeature(Embedded)
                publicKey.isValidSignature(signature, for: digest)
            #else
                P256Curve.isValid(signature.scalars, digest: digest.bytes.span, publicKey: points)
            #endif
        }

        /// Returns whether `signature` is the key's signature of `data`, hashed with SHA-256.
        package func isValidSignature(_ signature: ECDSASignature, for data: some Collection<UInt8>) -> Bool {
            isValidSignature(signature, for: SHA256.hash(data: data))
        }

        package static func == (a: Self, b: Self) -> Bool {
            a.publicKey == b.publicKey && a.multiples[0] == b.multiples[0] && a.multiples[1] == b.multiples[1]
                && a.multiples[2] == b.multiples[2]
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(publicKey)
            for j in 0..<3 { hasher.combine(multiples[j]) }
        }
    }
}
