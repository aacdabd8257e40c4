import PureDER
import PureECDSA
import PureSHA2

// Precomputed multiples and tables make the assertions of a known key cheaper to verify, with the same verdict.

extension AttestedKey {
    /// Whether the key has the multiples that ``withPublicKeyMultiples()`` computes.
    public var hasPublicKeyMultiples: Bool { multiples != nil }

    /// Whether `signature` is the key's signature of a message with this digest.
    func isValidSignature(_ signature: P256.Signing.ECDSASignature, for digest: SHA256Digest) -> Bool {
        #if !hasFeature(Embedded)
            if let table = table.value { return table.isValidSignature(signature, for: digest) }
        #endif
        if let multiples { return multiples.isValidSignature(signature, for: digest) }
        return publicKey.isValidSignature(signature, for: digest)
    }

    #if !hasFeature(Embedded)
        /// Returns the signature for a batch, with the fastest form of the key: its table, its multiples, or neither.
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
        /// Returns the key with three multiples of its public key Q, for repeated use: 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q.
        ///
        /// The key's assertions then verify in less than two thirds of the time. Computing the multiples costs more
        /// than half a verification. ``serialized`` includes them and grows by 194 bytes. A key with multiples is
        /// returned unchanged.
        ///
        /// Reading a record checks that the multiples are points on the curve, but **not** that they are this key's
        /// multiples. Signatures are verified with them, so protect the multiples like the public key. A MAC over
        /// stored records must cover the whole of ``serialized``.
        ///
        /// Embedded builds keep and write the multiples, but verify without them and cannot compute them.
        public func withPublicKeyMultiples() -> AttestedKey {
            guard multiples == nil else { return self }
            var key = self
            key.multiples = P256.Signing.PublicKeyMultiples(publicKey)
            return key
        }

        /// Returns the key with a table of its public key's multiples, for a process that keeps the key in memory.
        ///
        /// The key's assertions then verify in two fifths of the time. The table occupies 4 KiB and costs most of a
        /// verification. ``serialized`` omits it, and `==` ignores it. A key with a table is returned unchanged.
        public func withPublicKeyTable() -> AttestedKey {
            guard table.value == nil else { return self }
            var key = self
            key.table.value = P256.Signing.PrecomputedPublicKey(publicKey)
            return key
        }

        /// Returns the key with the table of `other`, if `other` has a table and the same public key.
        ///
        /// For a process that keeps tables in memory but rereads records, because other processes advance counters.
        public func withPublicKeyTable(of other: AttestedKey) -> AttestedKey {
            guard let shared = other.table.value, shared.publicKey == publicKey else { return self }
            var key = self
            key.table.value = shared
            return key
        }
    }

    /// A table that comparisons ignore: any two values compare as equal.
    struct PublicKeyTable: Hashable, Sendable {
        var value: P256.Signing.PrecomputedPublicKey?

        static func == (_: Self, _: Self) -> Bool { true }

        func hash(into _: inout Hasher) {}
    }
#endif
