#if !hasFeature(Embedded)
    import PureBytes
    import PureSHA2

    /// What clients and servers do to a challenge or client data by mistake: each way gives another client data hash, which is
    /// tried out on the object.
    enum HashGuesses {
        /// The client data hashes that mistakes make of `data`, which should have been hashed once, each with its cause.
        static func ofData(_ data: ArraySlice<UInt8>, named name: String) -> [(hash: [UInt8], cause: String)] {
            let bytes = [UInt8](data)
            let hash = digest(bytes)
            var guesses = [
                (bytes, "the \(name) was used raw: the client passed it as the client data hash without hashing it"),
                (digest(hash), "the \(name) was hashed twice"),
                (Hex.encode(hash), "the client passed the hash of the \(name) as hexadecimal text"),
                (Base64.encode(hash), "the client passed the hash of the \(name) as base64 text"),
                (digest(Base64.encode(bytes)), "the client hashed the \(name) as base64 text"),
                (digest(Base64.encode(bytes, as: .urlSafeUnpadded)), "the client hashed the \(name) as base64url text"),
                (digest(Hex.encode(bytes)), "the client hashed the \(name) as hexadecimal text"),
            ]
            for variant in [Base64.Variant.standard, .urlSafeUnpadded] {
                guard let decoded = try? Base64.decode(bytes, as: variant) else { continue }
                guesses.append((digest(decoded), "the client decoded the \(name) from base64 before hashing it"))
            }
            if let decoded = try? Hex.decode(bytes) {
                guesses.append((digest(decoded), "the client decoded the \(name) from hexadecimal before hashing it"))
            }
            return guesses
        }

        /// The same for a client data hash that was given as such.
        static func ofHash(_ hash: ArraySlice<UInt8>) -> [(hash: [UInt8], cause: String)] {
            [
                (digest(hash), "the given client data hash is a challenge: the client hashed it, so pass it as such"),
                (Hex.encode(hash), "the client passed the hash as hexadecimal text"),
                (Base64.encode(hash), "the client passed the hash as base64 text"),
            ]
        }

        static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] { [UInt8](SHA256.hash(data: bytes)) }
    }
#endif
