import PureDER
import PureECDSA
import PureSHA2

// What makes the assertions of a key that is known cheaper to verify. Neither the verdict nor the key's value depends on it.

extension AttestedKey {
    /// Whether the key has the multiples that ``withPublicKeyMultiples()`` makes.
    public var hasPublicKeyMultiples: Bool { multiples != nil }

    /// Whether `signature` is the key's signature of a message with this digest.
    func isValidSignature(_ signature: P256.Signing.ECDSASignature, for digest: SHA256Digest) -> Bool {
        #if !hasFeature(Embedded)
            if let table = table.value { return table.isValidSignature(signature, for: digest) }
        #endif
        if let multiples { return multiples.isValidSignature(signature, for: digest) }
        return publicKey.isValidSignature(signature, for: digest)
    }
}

#if !hasFeature(Embedded)
    extension AttestedKey {
        /// The same key with three multiples of the public key, 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q, which ``serialized`` holds too: for a device
        /// that returns. Its assertions verify in less than two thirds of the time; making the multiples takes more than half a
        /// verification, and a record grows by 194 bytes. A key that has them is returned as it is.
        ///
        /// Read from a record they are checked to be points of the curve, and **not** to be this key's multiples: they are as trusted
        /// as the public key beside them, and signatures are verified with them. A MAC that protects stored records must cover the whole of
        /// ``serialized``, multiples included. Embedded builds keep and write them and verify without; they can't make them.
        public func withPublicKeyMultiples() -> AttestedKey {
            guard multiples == nil else { return self }
            var key = self
            key.multiples = P256.Signing.PublicKeyMultiples(publicKey)
            return key
        }

        /// The same key with a table of its public key's multiples, for a process that keeps the key in memory: its assertions verify in
        /// two fifths of the time. A table takes 4 KiB and most of a verification to make, and is neither part of ``serialized``
        /// nor compared by `==`. A key that has one is returned as it is.
        public func withPublicKeyTable() -> AttestedKey {
            guard table.value == nil else { return self }
            var key = self
            key.table.value = P256.Signing.PrecomputedPublicKey(publicKey)
            return key
        }

        /// The same key with the table of `other`, if that has one and the same public key: for a process that keeps tables and reads the
        /// records anew, as another process may have advanced them.
        public func withPublicKeyTable(of other: AttestedKey) -> AttestedKey {
            guard let shared = other.table.value, shared.publicKey == publicKey else { return self }
            var key = self
            key.table.value = shared
            return key
        }
    }

    /// A table that is no part of the value that has it: all are equal.
    struct PublicKeyTable: Hashable, Sendable {
        var value: P256.Signing.PrecomputedPublicKey?

        static func == (_: Self, _: Self) -> Bool { true }

        func hash(into _: inout Hasher) {}
    }
#endif
