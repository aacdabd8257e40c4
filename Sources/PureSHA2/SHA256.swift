/// SHA-256 (FIPS 180-4 §6.2).
///
/// *Time:* depends on the length of the message alone.
/// *Limit:* FIPS 180-4 defines it for messages of less than 2⁶⁴ bits; the count wraps beyond (2 exbibytes), without a trap.
public struct SHA256: HashFunction {
    private var message: SHA2Message<UInt32>

    /// 1 block = 64 bytes.
    public static var blockByteCount: Int { 64 }

    /// The hash of the empty message, ready to be fed.
    public init() {
        // The square roots of the first eight primes, as the round constants (FIPS 180-4 §5.3.3).
        message = SHA2Message([
            0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
        ])
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

/// FIPS 180-4 §4.1.2 and §4.2.2.
extension UInt32: SHA2Word {
    static var roundCount: Int { 64 }

    @inline(__always)
    static func roundConstant(_ t: Int) -> UInt32 { sha256RoundConstants[t] }

    static var bigSigma0: (UInt32, UInt32, UInt32) { (2, 13, 22) }
    static var bigSigma1: (UInt32, UInt32, UInt32) { (6, 11, 25) }
    static var smallSigma0: (UInt32, UInt32, UInt32) { (7, 18, 3) }
    static var smallSigma1: (UInt32, UInt32, UInt32) { (17, 19, 10) }
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4 §4.2.2):
/// `python3 -c "from decimal import *; getcontext().prec = 60; print([hex(int(Decimal(n) ** (Decimal(1) / 3) % 1 * 2**32)) for n in
/// range(2, 312) if all(n % d for d in range(2, n))])"`
private let sha256RoundConstants: InlineArray<64, UInt32> = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]
