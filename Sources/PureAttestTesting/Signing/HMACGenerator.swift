package import PureSHA2

/// HMAC_DRBG (NIST SP 800-90A rev. 1 §10.1.2) without reseeding: bytes that depend on a seed and on nothing else.
///
/// The nonces of RFC 6979 §3.2 are the output of the same generator, seeded with private key and message digest. **For
/// tests only**: whoever knows the seed knows every key.
package struct HMACGenerator<H: HashFunction>: Sendable {
    // The letters of SP 800-90A and of RFC 6979.
    private var K: [UInt8]
    private var V: [UInt8]

    /// Instantiates (§10.1.2.3): RFC 6979 §3.2 steps b to g.
    init(seed: [UInt8]) {
        K = [UInt8](repeating: 0, count: H.Digest.byteCount)
        V = [UInt8](repeating: 1, count: H.Digest.byteCount)
        update(with: seed)
    }

    /// §10.1.2.2.
    private mutating func update(with data: [UInt8] = []) {
        K = code(of: V + [0x00] + data)
        V = code(of: V)
        guard !data.isEmpty else { return }
        K = code(of: V + [0x01] + data)
        V = code(of: V)
    }

    /// The next `count` bytes (§10.1.2.5): RFC 6979 §3.2 steps h.1 and h.2, and the update that step h.3 asks for before the
    /// next attempt.
    package mutating func next(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            V = code(of: V)
            bytes += V
        }
        update()
        return [UInt8](bytes.prefix(count))
    }

    private func code(of message: [UInt8]) -> [UInt8] {
        [UInt8](HMAC<H>.authenticationCode(for: message, using: K))
    }
}

/// The source of everything that is random in tests.
package typealias TestRandom = HMACGenerator<SHA256>

extension HMACGenerator<SHA256> {
    /// The generator of one purpose under a seed: the seed in eight octets, most significant first, then the purpose. Different
    /// purposes give streams that are independent of one another.
    package init(seed: UInt64, purpose: String) {
        self.init(seed: bigEndian(seed) + Array(purpose.utf8))
    }
}

/// A number's octets, most significant first.
package func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
}
