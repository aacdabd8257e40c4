import PureBytes
import PureSHA2

/// Hashes that a client computes by common mistakes. A report compares these hashes with the object.
enum HashGuesses {
    typealias Guess = (hash: [UInt8], cause: VerificationReport.Cause)

    /// Returns the hashes that a client computes by mistakes in hashing `data`. The correct hash is SHA-256(`data`).
    static func ofData(_ data: ArraySlice<UInt8>, named name: VerificationReport.Parameter) -> [Guess] {
        let bytes = [UInt8](data)
        let hash = digest(bytes)
        var guesses: [Guess] = [
            (bytes, .init(.usedRaw, name)),
            (digest(hash), .init(.hashedTwice, name)),
            (Hex.encode(hash), .init(.hashAsHex, name)),
            (Base64.encode(hash), .init(.hashAsBase64, name)),
            (digest(Base64.encode(bytes)), .init(.hashedAsBase64, name)),
            (digest(Base64.encode(bytes, as: .urlSafeUnpadded)), .init(.hashedAsBase64URL, name)),
            (digest(Hex.encode(bytes)), .init(.hashedAsHex, name)),
        ]
        for variant in [Base64.Variant.standard, .urlSafeUnpadded] {
            guard let decoded = try? Base64.decode(bytes, as: variant) else { continue }
            guesses.append((digest(decoded), .init(.decodedFromBase64, name)))
        }
        if let decoded = try? Hex.decode(bytes) {
            guesses.append((digest(decoded), .init(.decodedFromHex, name)))
        }
        return guesses + ofJSON(around: bytes, named: name) + ofJSON(in: data, named: name)
    }

    /// Returns hashes for a client that hashed JSON containing `bytes`.
    private static func ofJSON(around bytes: [UInt8], named name: VerificationReport.Parameter) -> [Guess] {
        var forms = [Base64.encode(bytes), Base64.encode(bytes, as: .urlSafeUnpadded), Hex.encode(bytes)]
        // The bytes themselves are a candidate only if they need no escaping in JSON.
        if bytes.allSatisfy({ 0x20..<0x7f ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            forms.append(bytes)
        }
        return forms.flatMap { form in
            [
                (
                    digest(Array(#"{"challenge":""#.utf8) + form + Array(#""}"#.utf8)),
                    .init(.hashedWithinJSON, [name, name])
                ),
                (
                    digest([UInt8(ascii: "\"")] + form + [UInt8(ascii: "\"")]),
                    .init(.hashedAsJSONString, name)
                ),
            ]
        }
    }

    /// Returns hashes for a client that hashed a value inside the JSON `data`: the value's text, or the bytes that this
    /// text encodes. Of the texts between quotation marks, tries the first eight that are 4 to 1,024 bytes long.
    private static func ofJSON(in data: ArraySlice<UInt8>, named name: VerificationReport.Parameter) -> [Guess] {
        let quote = UInt8(ascii: "\"")
        guard let first = data.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == quote else {
            return []
        }
        // This also tries the text between two JSON strings, but such text matches no challenge.
        let parts = data.prefix(65_536).split(separator: quote, maxSplits: 17, omittingEmptySubsequences: false)
        let strings = parts.dropFirst().dropLast().filter { 4...1_024 ~= $0.count }.prefix(8)
        let cause = VerificationReport.Cause(.hashedValueInJSON, name)
        return strings.flatMap { string in
            var hashes: [Guess] = [(digest(string), cause)]
            for variant in [Base64.Variant.standard, .urlSafeUnpadded] {
                if let decoded = try? Base64.decode(string, as: variant) { hashes.append((digest(decoded), cause)) }
            }
            if let decoded = try? Hex.decode(string) { hashes.append((digest(decoded), cause)) }
            return hashes
        }
    }

    /// Returns the hashes that match if `hash` is the unhashed challenge, or if the client passed `hash` as hexadecimal
    /// or Base64 text.
    static func ofHash(_ hash: ArraySlice<UInt8>) -> [Guess] {
        [
            (digest(hash), .init(.hashIsChallenge)),
            (Hex.encode(hash), .init(.givenHashAsHex)),
            (Base64.encode(hash), .init(.givenHashAsBase64)),
        ]
    }

    static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] { [UInt8](SHA256.hash(data: bytes)) }
}
