import PureDER
import PureECDSA
import PureSHA2

// These extensions make the assertions of a known key cheaper to verify. The verdict is the same without the multiples
// and tables.

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
        /// The signature for a batch, with what the key has: its table, its multiples, or neither.
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
        /// Returns the key with three multiples of its public key, 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q, for a device that returns.
        ///
        /// The key's assertions then verify in less than two thirds of the time. Computing the multiples takes more
        /// than half of the time of a verification. ``serialized`` includes the multiples and grows by 194 bytes. A key
        /// that has multiples is returned unchanged.
        ///
        /// Reading a record checks that the multiples are points on the curve, but **not** that they are this key's
        /// multiples. Signatures are verified with them, so the multiples are trusted like the public key itself. A MAC
        /// that protects stored records must cover the whole of ``serialized``, multiples included.
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
        /// The key's assertions then verify in two fifths of the time. A table occupies 4 KiB. Computing it takes most
        /// of the time of a verification. ``serialized`` does not include the table, and `==` ignores it. A key that
        /// has a table is returned unchanged.
        public func withPublicKeyTable() -> AttestedKey {
            guard table.value == nil else { return self }
            var key = self
            key.table.value = P256.Signing.PrecomputedPublicKey(publicKey)
            return key
        }

        /// Returns the key with the table of `other`, if `other` has a table and the same public key.
        ///
        /// For a process that keeps tables in memory, and reads each record again because another process may have
        /// advanced its counter.
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
