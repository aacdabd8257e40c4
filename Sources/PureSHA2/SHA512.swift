/// SHA-512 (FIPS 180-4 §6.4).
///
/// *Time:* depends only on the length of the message.
/// *Limit:* the byte count wraps at 2⁶⁴ without a trap. FIPS 180-4 allows messages below 2¹²⁸ bits, a length that no
/// computer reaches.
public struct SHA512: HashFunction {
    private var message: SHA2Message<SHA512State>

    /// The block length: 128 bytes.
    public static var blockByteCount: Int { 128 }

    /// Creates the hash of the empty message.
    public init() {
        // The first 64 bits of the fractional parts of the square roots of the first eight primes (FIPS 180-4 §5.3.5).
        // To compute them, use the command at `roundConstants` with 1/2 instead of 1/3.
        message = SHA2Message([
            0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
            0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
        ])
    }

    /// Appends `bytes` to the message.
    public mutating func update(bytes: Span<UInt8>) {
        message.append(bytes)
    }

    /// Returns the digest of the message so far. More data may follow.
    public func finalize() -> SHA512Digest {
        SHA512Digest(words: message.hashValue())
    }
}

/// SHA-384 (FIPS 180-4 §6.5): SHA-512 with a different initial value, truncated to 48 bytes.
///
/// *Time:* depends only on the length of the message.
/// *Limit:* as for ``SHA512``.
public struct SHA384: HashFunction {
    private var message: SHA2Message<SHA512State>

    /// The block length: 128 bytes.
    public static var blockByteCount: Int { 128 }

    /// Creates the hash of the empty message.
    public init() {
        // The first 64 bits of the fractional parts of the square roots of the ninth to sixteenth primes (FIPS 180-4
        // §5.3.4). To compute them, use the command at `roundConstants` with 1/2 instead of 1/3.
        message = SHA2Message([
            0xcbbb_9d5d_c105_9ed8, 0x629a_292a_367c_d507, 0x9159_015a_3070_dd17, 0x152f_ecd8_f70e_5939,
            0x6733_2667_ffc0_0b31, 0x8eb4_4a87_6858_1511, 0xdb0c_2e0d_64f9_8fa7, 0x47b5_481d_befa_4fa4,
        ])
    }

    /// Appends `bytes` to the message.
    public mutating func update(bytes: Span<UInt8>) {
        message.append(bytes)
    }

    /// Returns the digest of the message so far. More data may follow.
    public func finalize() -> SHA384Digest {
        // The first six words: FIPS 180-4 §6.5.
        let hashValue = message.hashValue()
        return SHA384Digest(words: [
            hashValue[0], hashValue[1], hashValue[2], hashValue[3], hashValue[4], hashValue[5],
        ])
    }
}
