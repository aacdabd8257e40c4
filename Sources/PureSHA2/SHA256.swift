/// SHA-256 (FIPS 180-4 §6.2).
///
/// *Time:* depends on the length of the message alone.
/// *Limit:* FIPS 180-4 defines it for messages of less than 2⁶⁴ bits; the count wraps beyond (2 exbibytes), without a trap.
public struct SHA256: HashFunction {
    private var message: SHA2Message<SHA256State>

    /// 1 block = 64 bytes.
    public static var blockByteCount: Int { 64 }

    /// The hash of the empty message, ready to be fed.
    public init() {
        message = SHA2Message(Self.initialHashValue)
    }

    /// The square roots of the first eight primes, as the round constants (FIPS 180-4 §5.3.3).
    static var initialHashValue: InlineArray<8, UInt32> {
        [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
    }

    /// Appends `bytes` to the message.
    public mutating func update(bytes: Span<UInt8>) {
        message.append(bytes)
    }

    /// The digest of the message so far; more may be appended afterwards.
    public func finalize() -> SHA256Digest {
        SHA256Digest(words: message.hashValue())
    }
}
