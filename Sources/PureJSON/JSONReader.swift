import PureBytes

/// A cursor over JSON (RFC 8259) that builds no values. ``JSONValue`` uses this cursor to build values.
///
/// Rejects comments, trailing commas, `NaN` and a byte order mark. Does not check UTF-8: ``JSONValue`` does, once for
/// the whole text.
package struct JSONReader {
    let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package var offset: Int { position - bytes.startIndex }

    package var malformed: JSONError { .malformed(offset: offset) }

    var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    /// Skips white space (§2).
    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips white space and this character. Returns `false` if a different character follows.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard let byte = next, byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    package mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard skip(character) else { throw malformed }
    }

    /// Requires that only white space remains.
    package mutating func finish() throws(JSONError) {
        skipSpace()
        guard next == nil else { throw malformed }
    }

    /// Skips `true`, `false` or `null`.
    mutating func skipWord(_ word: StaticString) throws(JSONError) {
        let word = ascii(word)
        guard bytes[position...].starts(with: word) else { throw malformed }
        position += word.count
    }
}

// MARK: Strings

extension JSONReader {
    /// Reads a string of printable ASCII. Rejects escapes, because an escape could hide a duplicate name.
    package mutating func readPlainString() throws(JSONError) -> ArraySlice<UInt8> {
        let (content, hasEscapes) = try scanString()
        guard !hasEscapes, content.allSatisfy({ 0x20...0x7E ~= $0 }) else { throw malformed }
        return content
    }

    /// Reads a string (§7) and returns its UTF-8. If the string has no escapes, the result is a slice of the text.
    mutating func readString() throws(JSONError) -> ArraySlice<UInt8> {
        let (content, hasEscapes) = try scanString()
        return hasEscapes ? try unescaped(content) : content
    }

    /// Scans a string and returns the text between the quotation marks.
    private mutating func scanString() throws(JSONError) -> (content: ArraySlice<UInt8>, hasEscapes: Bool) {
        try expect("\"")
        let start = position
        var hasEscapes = false
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return (bytes[start..<position - 1], hasEscapes) }
            // §7: control characters must be escaped.
            guard byte >= 0x20 else { break }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try skipEscape()
            }
        }
        throw malformed
    }

    /// Skips the rest of an escape after its backslash (§7).
    private mutating func skipEscape() throws(JSONError) {
        guard let byte = next else { throw malformed }
        position += 1
        guard byte != UInt8(ascii: "u") else {
            for _ in 0..<4 {
                guard let digit = next, Hex.value(of: digit) != nil else { throw malformed }
                position += 1
            }
            return
        }
        guard escapedCharacter(byte) != nil else { throw malformed }
    }

    private func unescaped(_ content: ArraySlice<UInt8>) throws(JSONError) -> ArraySlice<UInt8> {
        var text: [UInt8] = []
        var rest = content
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                text.append(byte)
                continue
            }
            if let character = escapedCharacter(escape) {
                text.append(character)
            } else {
                var unit = codeUnit(&rest)
                // RFC 8259 §7: a character beyond U+FFFF is a pair of a high and a low surrogate.
                if 0xD800...0xDBFF ~= unit, rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
                    rest = rest.dropFirst(2)
                    let low = codeUnit(&rest)
                    guard 0xDC00...0xDFFF ~= low else { throw .unpairedSurrogate(offset: offset) }
                    unit = 0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00)
                }
                // RFC 7493 §2.1: strings must not contain surrogates.
                guard let scalar = Unicode.Scalar(unit) else { throw .unpairedSurrogate(offset: offset) }
                text.append(contentsOf: UTF8.encode(scalar).map { ArraySlice($0) } ?? [])
            }
        }
        return text[...]
    }

    /// Reads four hexadecimal digits, which the scan has checked.
    private func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        return digits.reduce(0) { $0 << 4 | UInt32(Hex.value(of: $1) ?? 0) }
    }
}

/// Returns the character that a two-character escape represents, or `nil` for any other escape (§7).
private func escapedCharacter(_ escape: UInt8) -> UInt8? {
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): escape
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
}

// MARK: Numbers and skipped values

extension JSONReader {
    /// Reads a number (§6).
    mutating func readNumber() throws(JSONError) -> JSONNumber {
        let start = position
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
        return JSONNumber(literal: bytes[start..<position])
    }

    private mutating func skipDigits() -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        return bytes[start..<position]
    }

    /// Skips a value of any type. Arrays and objects may nest `depth` deep.
    package mutating func skipValue(depth: Int) throws(JSONError) {
        skipSpace()
        guard let first = next else { throw malformed }
        switch first {
        case UInt8(ascii: "\""): _ = try scanString()
        case UInt8(ascii: "{"):
            guard depth > 0 else { throw .depthLimitExceeded }
            position += 1
            if skip("}") { return }
            repeat {
                _ = try scanString()
                try expect(":")
                try skipValue(depth: depth - 1)
            } while skip(",")
            try expect("}")
        case UInt8(ascii: "["):
            guard depth > 0 else { throw .depthLimitExceeded }
            position += 1
            if skip("]") { return }
            repeat { try skipValue(depth: depth - 1) } while skip(",")
            try expect("]")
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        default: _ = try readNumber()
        }
    }
}
