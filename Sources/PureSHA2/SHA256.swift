/// SHA-256 (FIPS 180-4 §6.2).
///
/// *Time:* depends only on the length of the message. *Limit:* FIPS 180-4 covers messages below 2⁶⁴ bits (2 exbibytes).
/// For longer messages, the bit count wraps without a trap.
public struct SHA256: HashFunction {
    private var message: SHA2Message<SHA256State>

    /// The block length: 64 bytes.
    public static var blockByteCount: Int { 64 }

    /// Creates the hash of the empty message.
    public init() {
        message = SHA2Message(Self.initialHashValue)
    }

    /// The first 32 bits of the fractional parts of the square roots of the first eight primes (FIPS 180-4 §5.3.3).
    /// To compute them, use the command at `roundConstants` with 1/2 instead of 1/3.
    static var initialHashValue: InlineArray<8, UInt32> {
        [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
    }

    /// Appends `bytes` to the message.
    public mutating func update(bytes: Span<UInt8>) {
        message.append(bytes)
    }

    /// Returns the digest of the message so far. More data may follow.
    public func finalize() -> SHA256Digest {
        SHA256Digest(words: message.hashValue())
    }
}
