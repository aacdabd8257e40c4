/// Limits that a decoder enforces, whatever the input declares.
public struct CBORLimits: Hashable, Sendable {
    /// The deepest nesting of arrays, maps and tags. An integer or string by itself has depth 0.
    ///
    /// Clamped to ``deepestSupported``, because decoding, comparing and releasing a value recurse.
    public let maximumDepth: Int
    /// The largest number of data items: every scalar, string, chunk, container and tag is one item.
    public let maximumItems: Int
    /// The largest input in bytes.
    public let maximumSize: Int

    /// The deepest nesting that fits into 512 KiB of stack, even unoptimised and by a wide margin. That is the smallest
    /// default stack of secondary threads on the supported systems.
    public static let deepestSupported = 64

    /// Limits for untrusted input.
    ///
    /// - Depth 16: four times the depth that CTAP 2.1 §8 allows in any message.
    /// - 16,384 items: their values need at most 4 MiB while they are read.
    /// - 1 MiB: sixteen times the largest attestation that PureAttest reads.
    public static let `default` = CBORLimits(maximumDepth: 16, maximumItems: 16_384, maximumSize: 1 << 20)

    /// Creates limits; clamps the depth to ``deepestSupported``.
    public init(maximumDepth: Int, maximumItems: Int, maximumSize: Int) {
        self.maximumDepth = min(maximumDepth, CBORLimits.deepestSupported)
        self.maximumItems = maximumItems
        self.maximumSize = maximumSize
    }
}

/// Encodings that RFC 8949 §4.2.1 excludes from deterministic CBOR and that the decoder accepts on request.
public struct CBORDecodingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Creates options from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Allows strings, arrays and maps of indefinite length (RFC 8949 §3.2).
    public static let allowIndefiniteLengths = CBORDecodingOptions(rawValue: 1)
    /// Allows arguments in longer heads than they need, such as `1801` for 1.
    public static let allowNonMinimalHeads = CBORDecodingOptions(rawValue: 2)
}
