/// A cursor over JSON (RFC 8259), for the subset in Google's revocation list. It builds no values.
struct StatusListReader {
    /// The maximum depth of skipped values: 8. The list has 3.
    static var maximumDepth: Int { 8 }

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The cursor's offset from the start.
    var offset: Int { position - bytes.startIndex }

    var malformed: KeyAttestationError { .malformedRevocationList(offset: offset) }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips white space and this character, or returns `false` if another character follows.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard let byte = next, byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws(KeyAttestationError) {
        guard skip(character) else { throw malformed }
    }

    /// Requires that only white space remains.
    mutating func finish() throws(KeyAttestationError) {
        skipSpace()
        guard next == nil else { throw malformed }
    }

    /// Reads a name or a status: printable ASCII without escapes, as Google writes them. Escaped spellings could hide a
    /// duplicate name.
    mutating func readPlainString() throws(KeyAttestationError) -> ArraySlice<UInt8> {
        try expect("\"")
        let start = position
        while let byte = next {
            if byte == UInt8(ascii: "\"") {
                position += 1
                return bytes[start..<position - 1]
            }
            guard 0x20...0x7E ~= byte, byte != UInt8(ascii: "\\") else { throw malformed }
            position += 1
        }
        throw malformed
    }

    /// Skips a value of any type. Strings are only scanned for their end.
    mutating func skipValue(depth: Int = 0) throws(KeyAttestationError) {
        guard depth < Self.maximumDepth else { throw malformed }
        skipSpace()
        guard let first = next else { throw malformed }
        switch first {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "{"):
            position += 1
            if skip("}") { return }
            repeat {
                skipSpace()
                try skipString()
                try expect(":")
                try skipValue(depth: depth + 1)
            } while skip(",")
            try expect("}")
        case UInt8(ascii: "["):
            position += 1
            if skip("]") { return }
            repeat { try skipValue(depth: depth + 1) } while skip(",")
            try expect("]")
        case UInt8(ascii: "t"): try skipWord([0x74, 0x72, 0x75, 0x65])
        case UInt8(ascii: "f"): try skipWord([0x66, 0x61, 0x6C, 0x73, 0x65])
        case UInt8(ascii: "n"): try skipWord([0x6E, 0x75, 0x6C, 0x6C])
        default: try skipNumber()
        }
    }

    private mutating func skipString() throws(KeyAttestationError) {
        guard next == UInt8(ascii: "\"") else { throw malformed }
        position += 1
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return }
            guard byte >= 0x20 else { throw malformed }
            if byte == UInt8(ascii: "\\") { try skipEscape() }
        }
        throw malformed
    }

    /// Skips the rest of an escape after its backslash (RFC 8259 §7).
    private mutating func skipEscape() throws(KeyAttestationError) {
        guard let byte = next else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard let digit = next, isHexadecimal(digit) else { throw malformed }
                position += 1
            }
        default: throw malformed
        }
    }

    /// Skips `true`, `false` or `null`.
    private mutating func skipWord(_ word: [UInt8]) throws(KeyAttestationError) {
        guard bytes[position...].starts(with: word) else { throw malformed }
        position += word.count
    }

    /// Skips a number (RFC 8259 §6).
    private mutating func skipNumber() throws(KeyAttestationError) {
        if next == UInt8(ascii: "-") { position += 1 }
        let integer = skipDigits()
        guard integer.count > 0, integer.count == 1 || integer.first != UInt8(ascii: "0") else { throw malformed }
        if next == UInt8(ascii: ".") {
            position += 1
            guard skipDigits().count > 0 else { throw malformed }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard skipDigits().count > 0 else { throw malformed }
        }
    }

    private mutating func skipDigits() -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        return bytes[start..<position]
    }
}

/// Whether the character is a hexadecimal digit of either case.
private func isHexadecimal(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
