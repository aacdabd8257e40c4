import PureDER
import PureECDSA
import PureSHA2

// Precomputed multiples and tables speed up the verification of a known key's assertions. They do not change the
// verdict.

extension AttestedKey {
    /// Whether the key has the multiples that ``withPublicKeyMultiples()`` computes.
    public var hasPublicKeyMultiples: Bool { multiples != nil }

    func isValidSignature(_ signature: P256.Signing.ECDSASignature, for digest: SHA256Digest) -> Bool {
        #if !hasFeature(Embedded)
            if let table = table.value { return table.isValidSignature(signature, for: digest) }
        #endif
        if let multiples { return multiples.isValidSignature(signature, for: digest) }
        return publicKey.isValidSignature(signature, for: digest)
    }

    #if !hasFeature(Embedded)
        /// Returns a batch entry: the signature and the fastest available form of the public key. In order of speed,
        /// the forms are the key's table, its multiples, and the plain key.
        func signatureToVerify(
            _ signature: P256.Signing.ECDSASignature, for digest: SHA256Digest
        ) -> P256.Signing.SignatureToVerify {
            if let table = table.value { return .init(signature, for: digest, publicKey: table) }
            if let multiples { return .init(signature, for: digest, publicKey: multiples) }
            return .init(signature, for: digest, publicKey: publicKey)
        }
    #endif
}

#if !hasFeature(Embedded)
    extension AttestedKey {
        /// Returns the key with three precomputed multiples of its public key Q: 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q.
        ///
        /// With the multiples, the verification of an assertion takes less than two thirds of its usual time. Computing
        /// the multiples takes more than half as long as a verification without multiples. ``serialized`` includes the
        /// multiples and grows by 194 bytes. A key with multiples is returned unchanged.
        ///
        /// ``init(serialized:)`` checks that the multiples are points on the curve, but **not** that they are multiples
        /// of this key. Because verification relies on the multiples, protect them like the public key. A MAC over
        /// stored records must cover all of ``serialized``.
        ///
        /// Embedded builds preserve the multiples in records, but can neither compute them nor verify with them.
        public func withPublicKeyMultiples() -> AttestedKey {
            guard multiples == nil else { return self }
            var key = self
            key.multiples = P256.Signing.PublicKeyMultiples(publicKey)
            return key
        }

        /// Returns the key with a precomputed table of multiples of its public key, for processes that keep the key in
        /// memory.
        ///
        /// With the table, the verification of an assertion takes two fifths of its usual time. The table occupies 4
        /// KiB, and computing the table takes nearly as long as one verification without it. ``serialized`` omits the
        /// table, and `==` ignores it. A key with a table is returned unchanged.
        public func withPublicKeyTable() -> AttestedKey {
            guard table.value == nil else { return self }
            var key = self
            key.table.value = P256.Signing.PrecomputedPublicKey(publicKey)
            return key
        }

        /// Returns the key with the table of `other`, if `other` has a table and the same public key.
        ///
        /// Use this method in a process that keeps tables in memory, but must reread records because other processes
        /// advance the counters.
        public func withPublicKeyTable(of other: AttestedKey) -> AttestedKey {
            guard let shared = other.table.value, shared.publicKey == publicKey else { return self }
            var key = self
            key.table.value = shared
            return key
        }
    }

    /// An optional table that `==` and hashing ignore, so any two values are equal.
    struct PublicKeyTable: Hashable, Sendable {
        var value: P256.Signing.PrecomputedPublicKey?

        static func == (_: Self, _: Self) -> Bool { true }

        func hash(into _: inout Hasher) {}
    }
#endif
