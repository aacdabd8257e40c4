/// Limits that a decoder enforces, whatever the input declares. They bound the decoder's memory and stack.
public struct CBORLimits: Hashable, Sendable {
    /// The maximum nesting depth of arrays, maps and tags. An integer or string outside any container has depth 0.
    ///
    /// The depth is clamped to ``deepestSupported``, because decoding, comparing and releasing a value are recursive.
    public let maximumDepth: Int
    /// The maximum number of data items. Each scalar, string, chunk, container and tag counts as one item.
    public let maximumItems: Int
    /// The maximum length of the input in bytes.
    public let maximumSize: Int

    /// The maximum depth that a decoder supports. Recursion to this depth fits well into 512 KiB of stack, even in
    /// debug builds. On the supported systems, the default stack of a secondary thread is at least 512 KiB.
    public static let deepestSupported = 64

    /// Limits for untrusted input.
    ///
    /// - Depth 16: four times the depth that CTAP 2.1 §8 allows in any message.
    /// - 16,384 items: decoding this many values needs at most 4 MiB.
    /// - 1 MiB: sixteen times the size of the largest attestation that PureAttest accepts.
    public static let `default` = CBORLimits(maximumDepth: 16, maximumItems: 16_384, maximumSize: 1 << 20)

    /// Creates limits. Clamps the depth to ``deepestSupported``.
    public init(maximumDepth: Int, maximumItems: Int, maximumSize: Int) {
        self.maximumDepth = min(maximumDepth, CBORLimits.deepestSupported)
        self.maximumItems = maximumItems
        self.maximumSize = maximumSize
    }
}

/// Options for accepting encodings that are not deterministic CBOR (RFC 8949 §4.2.1).
public struct CBORDecodingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Creates options from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Allows strings, arrays and maps of indefinite length (RFC 8949 §3.2).
    public static let allowIndefiniteLengths = CBORDecodingOptions(rawValue: 1)
    /// Allows heads that are longer than their arguments need, such as `1801` for 1.
    public static let allowNonMinimalHeads = CBORDecodingOptions(rawValue: 2)
}
