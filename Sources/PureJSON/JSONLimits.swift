/// Limits that a decoder enforces on its input.
public struct JSONLimits: Hashable, Sendable {
    /// The maximum nesting depth of arrays and objects. A number or string outside an array or object has depth 0.
    ///
    /// Clamped to ``deepestSupported``, because decoding and releasing a value recurse.
    public let maximumDepth: Int
    /// The maximum number of values. An array or object counts as one value, and so does each value inside.
    public let maximumValues: Int
    /// The maximum length of the text in bytes.
    public let maximumSize: Int

    /// The maximum depth that a decoder supports. Recursion to this depth fits well into 512 KiB of stack, even in
    /// unoptimised builds. On the supported systems, the default stack of a secondary thread is at least 512 KiB.
    public static let deepestSupported = 64

    /// Limits for untrusted input.
    ///
    /// - Depth 16: a JWS payload of the App Store nests 3 deep.
    /// - 16,384 values: reading them needs a few MiB of memory. Strings with escapes need the most.
    /// - 1 MiB: a hundred times the largest notification of the App Store.
    public static let `default` = JSONLimits(maximumDepth: 16, maximumValues: 16_384, maximumSize: 1 << 20)

    /// Creates limits; clamps the depth to ``deepestSupported``.
    public init(maximumDepth: Int, maximumValues: Int, maximumSize: Int) {
        self.maximumDepth = min(maximumDepth, JSONLimits.deepestSupported)
        self.maximumValues = maximumValues
        self.maximumSize = maximumSize
    }
}
