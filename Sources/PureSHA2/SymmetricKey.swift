import PureBytes

/// A secret for an ``HMAC``: bytes that are compared in constant time, and that no text shows.
///
/// They are not erased from memory when the key goes: Swift gives no way to promise that.
public struct SymmetricKey: Equatable, Sendable {
    @usableFromInline
    let bytes: [UInt8]

    /// The key that is these bytes, of any number.
    @inlinable
    public init(data: some Collection<UInt8>) {
        bytes = Array(data)
    }

    /// The length in bits.
    public var bitCount: Int { 8 * bytes.count }

    /// Compares in a time that does not depend on the bytes.
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

    /// A positive number of bits that is a multiple of 8; anything else is a programmer's mistake.
    public init(bitCount: Int) {
        precondition(bitCount > 0 && bitCount.isMultiple(of: 8))
        self.bitCount = bitCount
    }
}

#if !hasFeature(Embedded)
    extension SymmetricKey: CustomStringConvertible, CustomReflectable {
        /// A new key from the system's cryptographically secure generator (`getrandom`, `arc4random_buf`, `BCryptGenRandom`).
        public init(size: SymmetricKeySize) {
            var generator = SystemRandomNumberGenerator()
            bytes = (0..<size.bitCount / 8).map { _ in generator.next() }
        }

        /// The length, and nothing of the bytes.
        public var description: String { "SymmetricKey of \(bitCount) bits" }

        /// Nothing of the bytes either.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
