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
            return guesses + ofJSON(around: bytes, named: name) + ofJSON(in: data, named: name)
        }

        /// The client hashed JSON that holds `bytes`.
        private static func ofJSON(around bytes: [UInt8], named name: String) -> [(hash: [UInt8], cause: String)] {
            var forms = [Base64.encode(bytes), Base64.encode(bytes, as: .urlSafeUnpadded), Hex.encode(bytes)]
            // Only what stands in JSON as it is.
            if bytes.allSatisfy({ 0x20..<0x7f ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                forms.append(bytes)
            }
            return forms.flatMap { form in
                [
                    (
                        digest(Array(#"{"challenge":""#.utf8) + form + Array(#""}"#.utf8)),
                        "the client hashed JSON with the \(name) in it, {\"challenge\":\"…\"}: pass those bytes, or let it hash "
                            + "the \(name) alone"
                    ),
                    (
                        digest([UInt8(ascii: "\"")] + form + [UInt8(ascii: "\"")]),
                        "the client hashed the \(name) as a JSON string, with its quotation marks"
                    ),
                ]
            }
        }

        /// The client hashed a value that stands in `data`, which are JSON: its text, or the bytes that the text encodes. The first eight
        /// strings of at most 1,024 bytes are tried.
        private static func ofJSON(in data: ArraySlice<UInt8>, named name: String) -> [(hash: [UInt8], cause: String)] {
            let quote = UInt8(ascii: "\"")
            guard let first = data.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == quote else {
                return []
            }
            // Between the first and second mark, the second and third…: what stands outside of strings is no challenge either.
            let parts = data.prefix(65_536).split(separator: quote, maxSplits: 17, omittingEmptySubsequences: false)
            let strings = parts.dropFirst().dropLast().filter { 4...1_024 ~= $0.count }.prefix(8)
            let cause = "what was given as the \(name) is JSON, and the client hashed only a value in it"
            return strings.flatMap { string in
                var hashes = [(digest(string), cause)]
                for variant in [Base64.Variant.standard, .urlSafeUnpadded] {
                    if let decoded = try? Base64.decode(string, as: variant) { hashes.append((digest(decoded), cause)) }
                }
                if let decoded = try? Hex.decode(string) { hashes.append((digest(decoded), cause)) }
                return hashes
            }
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
