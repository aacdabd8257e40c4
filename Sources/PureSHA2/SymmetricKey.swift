import PureBytes

/// A secret for an ``HMAC``. Comparison takes constant time, and descriptions omit the bytes.
///
/// Releasing the key does not erase the bytes from memory, because Swift cannot guarantee such an erasure.
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

    /// Compares two keys in time that does not depend on the bytes.
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

    /// Creates a size of `bitCount` bits. Traps unless `bitCount` is a positive multiple of 8.
    public init(bitCount: Int) {
        precondition(bitCount > 0 && bitCount.isMultiple(of: 8))
        self.bitCount = bitCount
    }
}

#if !hasFeature(Embedded)
    extension SymmetricKey: CustomStringConvertible, CustomReflectable {
        /// Creates a random key with the system's secure random number generator (`getrandom`, `arc4random_buf`,
        /// `BCryptGenRandom`).
        public init(size: SymmetricKeySize) {
            var generator = SystemRandomNumberGenerator()
            bytes = (0..<size.bitCount / 8).map { _ in generator.next() }
        }

        /// The length of the key. Omits the bytes.
        public var description: String { "SymmetricKey of \(bitCount) bits" }

        /// An empty mirror, so that reflection does not show the bytes.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
