/// The reason why a text is not valid Base64 of the expected variant.
@nonexhaustive
public enum Base64Error: Error, Hashable, Sendable {
    /// The length is not a multiple of four (padded), or is one more than a multiple of four (unpadded).
    case invalidLength
    /// A character is outside the alphabet (white space, for example), or an `=` is misplaced. `offset` counts UTF-8
    /// bytes from the start of the text.
    case invalidCharacter(offset: Int)
    /// The unused bits of the last character are not zero, so the text is not canonical (RFC 4648 §3.5).
    case nonZeroPaddingBits
}

/// Converts between bytes and Base64 in ASCII (RFC 4648 §4 and §5).
///
/// Decoding accepts only the output of encoding, so in each variant every byte string has exactly one encoding.
///
/// *Time:* variable; not for secrets.
public enum Base64 {
    /// Selects the alphabet's last two characters and whether texts are padded to a multiple of four.
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

    /// Encodes `bytes` as ASCII, without line breaks.
    @inlinable
    public static func encode(_ bytes: some Collection<UInt8>, as variant: Variant = .standard) -> [UInt8] {
        encode(slice: ArraySlice(bytes), as: variant)
    }

    /// Decodes ASCII `text`.
    @inlinable
    public static func decode(
        _ text: some Collection<UInt8>, as variant: Variant = .standard
    ) throws(Base64Error) -> [UInt8] {
        try decode(slice: ArraySlice(text), as: variant)
    }

    // The generic functions forward to the functions below. A generic loop that is inlined into a different module
    // takes many times more instructions than the loops below (Tests/Checks/Complexity).

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
            // At most two characters are padding, because with three the final group would encode only six bits.
            digitCount -= text.suffix(2).reversed().prefix { $0 == padding }.count
        } else if digitCount % 4 == 1 {
            throw .invalidLength
        }

        return try [UInt8](capacity: digitCount * 3 / 4) { bytes throws(Base64Error) in
            let digits = text.span.extracting(first: digitCount)
            var bits: UInt32 = 0
            for offset in digits.indices {
                guard let value = value(of: digits[offset], variant) else { throw .invalidCharacter(offset: offset) }
                bits = bits << 6 | UInt32(value)
                // Four digits encode three bytes.
                guard offset % 4 == 3 else { continue }
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
            }
            // Zero, two or three digits are left, with 0, 12 or 18 bits.
            var unusedBits = UInt32(digitCount % 4 * 6)
            while unusedBits >= 8 {
                unusedBits -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> unusedBits))
            }
            guard bits & ((1 << unusedBits) - 1) == 0 else { throw .nonZeroPaddingBits }
        }
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
        guard character < 128 else { return nil }
        let value = alphanumericValues[Int(character)]
        if value < 64 { return value }
        return character == variant.character62 ? 62 : character == variant.character63 ? 63 : nil
    }
}

/// The value of each ASCII letter and digit; 64 for all other characters. A look-up replaces a comparison with each
/// range, whose result a processor cannot predict for random text.
private let alphanumericValues: InlineArray<128, UInt8> = [
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 64, 64, 64, 64, 64, 64,
    64, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 64, 64, 64, 64, 64,
    64, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
    41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 64, 64, 64, 64, 64,
]

#if !hasFeature(Embedded)
    extension Array where Element == UInt8 {
        /// Decodes Base64 `text`; see ``Base64``.
        public init(base64Encoded text: String, as variant: Base64.Variant = .standard) throws(Base64Error) {
            self = try Base64.decode(text.utf8, as: variant)
        }
    }

    /// Encodes `bytes` in Base64; see ``Base64``.
    public func base64EncodedString(_ bytes: some Collection<UInt8>, as variant: Base64.Variant = .standard) -> String {
        String(decoding: Base64.encode(bytes, as: variant), as: UTF8.self)
    }

    extension Base64Error: CustomStringConvertible {
        /// Describes the error in one sentence.
        public var description: String {
            switch self {
            case .invalidLength: "invalid Base64 length"
            case .invalidCharacter(let offset): "invalid Base64 at byte \(offset)"
            case .nonZeroPaddingBits: "the last Base64 character has non-zero padding bits"
            }
        }
    }
#endif
