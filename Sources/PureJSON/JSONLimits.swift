/// Limits that a decoder enforces, whatever the input declares.
public struct JSONLimits: Hashable, Sendable {
    /// The deepest nesting of arrays and objects. A number or string by itself has depth 0.
    ///
    /// Clamped to ``deepestSupported``, because decoding and releasing a value recurse.
    public let maximumDepth: Int
    /// The largest number of values. An array or object is one value, and so is each value in it.
    public let maximumValues: Int
    /// The largest text in bytes.
    public let maximumSize: Int

    /// The deepest nesting that fits into 512 KiB of stack, even unoptimised and by a wide margin. That is the smallest
    /// default stack of secondary threads on the supported systems.
    public static let deepestSupported = 64

    /// Limits for untrusted input.
    ///
    /// - Depth 16: a JWS payload of the App Store nests 3 deep.
    /// - 16,384 values: they need at most 2 MiB while they are read.
    /// - 1 MiB: a hundred times the largest notification of the App Store.
    public static let `default` = JSONLimits(maximumDepth: 16, maximumValues: 16_384, maximumSize: 1 << 20)

    /// Creates limits; clamps the depth to ``deepestSupported``.
    public init(maximumDepth: Int, maximumValues: Int, maximumSize: Int) {
        self.maximumDepth = min(maximumDepth, JSONLimits.deepestSupported)
        self.maximumValues = maximumValues
        self.maximumSize = maximumSize
    }
}
