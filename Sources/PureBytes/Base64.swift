/// Why text is not Base64 of the variant asked for.
@nonexhaustive
public enum Base64Error: Error, Hashable, Sendable {
    /// No byte string has an encoding of this length: not a multiple of four characters (padded variants), or one more than
    /// such a multiple (without padding).
    case invalidLength
    /// Not a character of the alphabet; `offset` counts UTF-8 bytes from the start of the text. Also white space, an `=` that
    /// is not padding at the end, and any `=` in the variant without padding.
    case invalidCharacter(offset: Int)
    /// The bits of the last character that no byte uses are not zero: another text stands for the same bytes (RFC 4648 §3.5).
    case nonZeroPaddingBits
}

/// Base 64 (RFC 4648 §4 and §5) between bytes and ASCII. Decoding accepts exactly what encoding writes: one text for every
/// byte string and variant, so that a comparison of texts is a comparison of bytes.
///
/// *Time:* variable; not for secrets.
public enum Base64 {
    /// The alphabet's last two characters, and whether the text is padded to a multiple of four.
    public enum Variant: Hashable, Sendable {
        /// `+ /`, with padding: RFC 4648 §4.
        case standard
        /// `- _`, with padding: RFC 4648 §5.
        case urlSafe
        /// `- _`, without padding: RFC 4648 §5 with §3.2, as in JWS ("base64url", RFC 7515 §2) and WebAuthn.
        case urlSafeUnpadded

        var character62: UInt8 { self == .standard ? UInt8(ascii: "+") : UInt8(ascii: "-") }
        var character63: UInt8 { self == .standard ? UInt8(ascii: "/") : UInt8(ascii: "_") }
        var isPadded: Bool { self != .urlSafeUnpadded }
    }

    /// The ASCII text of `bytes`: four characters for every three, and no line breaks.
    @inlinable
    public static func encode(_ bytes: some Collection<UInt8>, as variant: Variant = .standard) -> [UInt8] {
        encode(slice: ArraySlice(bytes), as: variant)
    }

    /// The bytes that ASCII `text` stands for.
    @inlinable
    public static func decode(
        _ text: some Collection<UInt8>, as variant: Variant = .standard
    ) throws(Base64Error) -> [UInt8] {
        try decode(slice: ArraySlice(text), as: variant)
    }

    // What the generic functions forward to. Those are inlined into other modules; a loop over any collection that is compiled
    // here takes a thousand instructions a byte, this one takes 42 (Tests/Complexity).

    @usableFromInline
    static func encode(slice bytes: ArraySlice<UInt8>, as variant: Variant) -> [UInt8] {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(character(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)) & 0x3F, variant))
            }
        }
        if bitCount > 0 {
            text.append(character(UInt8(truncatingIfNeeded: bits << UInt32(6 - bitCount)) & 0x3F, variant))
        }
        while variant.isPadded, !text.count.isMultiple(of: 4) { text.append(padding) }
        return text
    }

    @usableFromInline
    static func decode(slice text: ArraySlice<UInt8>, as variant: Variant) throws(Base64Error) -> [UInt8] {
        var digitCount = text.count
        if variant.isPadded {
            guard digitCount.isMultiple(of: 4) else { throw .invalidLength }
            // At most two: a final group of one character would hold six bits, less than a byte.
            digitCount -= text.suffix(2).reversed().prefix { $0 == padding }.count
        } else if digitCount % 4 == 1 {
            throw .invalidLength
        }

        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        var offset = 0
        for character in text.prefix(digitCount) {
            guard let value = value(of: character, variant) else { throw .invalidCharacter(offset: offset) }
            offset += 1
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        guard bits & ((1 << UInt32(bitCount)) - 1) == 0 else { throw .nonZeroPaddingBits }
        return bytes
    }

    private static let padding = UInt8(ascii: "=")

    private static func character(_ value: UInt8, _ variant: Variant) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: variant.character62
        default: variant.character63
        }
    }

    private static func value(of character: UInt8, _ variant: Variant) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case variant.character62: 62
        case variant.character63: 63
        default: nil
        }
    }
}

#if !hasFeature(Embedded)
    extension Array where Element == UInt8 {
        /// The bytes that `text` stands for in Base64; see ``Base64``.
        public init(base64Encoded text: String, as variant: Base64.Variant = .standard) throws(Base64Error) {
            self = try Base64.decode(text.utf8, as: variant)
        }
    }

    /// `bytes` in Base64; see ``Base64``.
    public func base64EncodedString(_ bytes: some Collection<UInt8>, as variant: Base64.Variant = .standard) -> String {
        String(decoding: Base64.encode(bytes, as: variant), as: UTF8.self)
    }
#endif

#if !hasFeature(Embedded)
    extension Base64Error: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .invalidLength: "invalid Base64 length"
            case .invalidCharacter(let offset): "invalid Base64 at byte \(offset)"
            case .nonZeroPaddingBits: "the last Base64 character has non-zero padding bits"
            }
        }
    }
#endif
