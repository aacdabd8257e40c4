/// The reason why a text is not valid hexadecimal.
@nonexhaustive
public enum HexError: Error, Hashable, Sendable {
    /// The number of digits is odd, but each byte needs two digits.
    case oddLength
    /// A character is not one of `0-9`, `a-f`, `A-F`. `offset` counts UTF-8 bytes from the start of the text.
    case invalidCharacter(offset: Int)
}

/// Converts between bytes and hexadecimal in ASCII (RFC 4648 §8). Encoding writes lower-case digits. Decoding accepts
/// digits of both cases, and rejects all other characters, including white space.
///
/// *Time:* variable; not for secrets.
public enum Hex {
    /// Encodes `bytes` as ASCII digits: high nibble first, lower case.
    @inlinable
    public static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] { encode(slice: ArraySlice(bytes)) }

    /// Decodes ASCII `text`.
    @inlinable
    public static func decode(_ text: some Collection<UInt8>) throws(HexError) -> [UInt8] {
        try decode(slice: ArraySlice(text))
    }

    // The generic functions forward to the functions below, for the reason given in Base64.swift.

    @usableFromInline
    static func encode(slice bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 0x0F))
        }
        return text
    }

    @usableFromInline
    static func decode(slice text: ArraySlice<UInt8>) throws(HexError) -> [UInt8] {
        guard text.count.isMultiple(of: 2) else { throw .oddLength }
        var bytes: [UInt8] = []
        var offset = 0
        var high: UInt8 = 0
        for character in text {
            guard let nibble = value(of: character) else { throw .invalidCharacter(offset: offset) }
            if offset.isMultiple(of: 2) { high = nibble << 4 } else { bytes.append(high | nibble) }
            offset += 1
        }
        return bytes
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + (nibble - 10)
    }

    /// Returns the value of a hexadecimal digit in lower or upper case, or `nil` for any other character.
    package static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

#if !hasFeature(Embedded)
    extension Array where Element == UInt8 {
        /// Decodes hexadecimal `text`; see ``Hex``.
        public init(hexEncoded text: String) throws(HexError) {
            self = try Hex.decode(text.utf8)
        }
    }

    /// Encodes `bytes` in hexadecimal; see ``Hex``.
    public func hexEncodedString(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: Hex.encode(bytes), as: UTF8.self)
    }

    extension HexError: CustomStringConvertible {
        /// Describes the error in one sentence.
        public var description: String {
            switch self {
            case .oddLength: "the number of hexadecimal digits is odd"
            case .invalidCharacter(let offset): "invalid hexadecimal digit at byte \(offset)"
            }
        }
    }
#endif
