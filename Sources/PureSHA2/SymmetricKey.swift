import PureBytes

/// A secret for an ``HMAC``. Comparison takes constant time, and descriptions omit the bytes.
///
/// The bytes are not erased from memory when the key is released, because Swift cannot promise that.
public struct SymmetricKey: Equatable, Sendable {
    @usableFromInline
    let bytes: [UInt8]

    /// Creates a key from any number of bytes.
    @inlinable
    public init(data: some Collection<UInt8>) {
        bytes = Array(data)
    }

    /// The length in bits.
    public var bitCount: Int { 8 * bytes.count }

    /// Compares in time that does not depend on the bytes.
    public static func == (a: Self, b: Self) -> Bool { constantTimeEquals(a.bytes, b.bytes) }
}

/// The length of a ``SymmetricKey``.
public struct SymmetricKeySize: Hashable, Sendable {
    /// The length in bits.
    public let bitCount: Int

    /// 128 bits.
    public static var bits128: Self { Self(bitCount: 128) }
    /// 192 bits.
    public static var bits192: Self { Self(bitCount: 192) }
    /// 256 bits.
    public static var bits256: Self { Self(bitCount: 256) }

    /// Creates a size of `bitCount` bits, a positive multiple of 8. Any other number is a programming error.
    public init(bitCount: Int) {
        precondition(bitCount > 0 && bitCount.isMultiple(of: 8))
        self.bitCount = bitCount
    }
}

#if !hasFeature(Embedded)
    extension SymmetricKey: CustomStringConvertible, CustomReflectable {
        /// Creates a key with the system's secure generator (`getrandom`, `arc4random_buf`, `BCryptGenRandom`).
        public init(size: SymmetricKeySize) {
            var generator = SystemRandomNumberGenerator()
            bytes = (0..<size.bitCount / 8).map { _ in generator.next() }
        }

        /// The length, without the bytes.
        public var description: String { "SymmetricKey of \(bitCount) bits" }

        /// Empty, so that reflection does not show the bytes.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
