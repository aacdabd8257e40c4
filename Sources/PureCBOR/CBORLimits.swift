/// How much a decoder accepts before it refuses. None of the three depends on what the input declares.
public struct CBORLimits: Hashable, Sendable {
    /// The deepest nesting of arrays, maps and tags; a lone integer or string has depth 0.
    ///
    /// Never above ``deepestSupported``, whatever was asked for: decoding, comparing and releasing a value recurse.
    public let maximumDepth: Int
    /// The largest number of data items: every scalar, string, chunk, container and tag counts as one.
    public let maximumItems: Int
    /// The largest input, in bytes.
    public let maximumSize: Int

    /// The depth that 512 KiB of stack (the smallest default of the supported systems' secondary threads) holds with
    /// a wide margin, also unoptimised.
    public static let deepestSupported = 64

    /// Limits for input of unknown origin: 16 levels, which is four times what CTAP 2.1 §8 lets any message have;
    /// 16,384 items, whose values take 4 MiB at most while they are read; 1 MiB, sixteen times the largest attestation that
    /// PureAttest reads.
    public static let `default` = CBORLimits(maximumDepth: 16, maximumItems: 16_384, maximumSize: 1 << 20)

    /// Limits of the caller's choice.
    public init(maximumDepth: Int, maximumItems: Int, maximumSize: Int) {
        self.maximumDepth = min(maximumDepth, CBORLimits.deepestSupported)
        self.maximumItems = maximumItems
        self.maximumSize = maximumSize
    }
}

/// Which of the encodings that RFC 8949 §4.2.1 rules out of deterministic CBOR are accepted. None is by default.
public struct CBORDecodingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Options from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Strings, arrays and maps may have an indefinite length (RFC 8949 §3.2).
    public static let allowIndefiniteLengths = CBORDecodingOptions(rawValue: 1)
    /// An argument may be longer than it has to be: `1801` for 1.
    public static let allowNonMinimalHeads = CBORDecodingOptions(rawValue: 2)
}
