import PureBytes
package import PureSHA2

/// A generator of deterministic bytes from a seed: HMAC_DRBG (NIST SP 800-90A rev. 1 §10.1.2) without reseeding. If the
/// seed consists of a private key and a message digest, the output is the nonces of RFC 6979 §3.2. **For tests only**:
/// the seed reveals every key.
package struct HMACGenerator<H: HashFunction>: Sendable {
    // The variable names are from SP 800-90A and RFC 6979.
    private var K: [UInt8]
    private var V: [UInt8]

    /// Instantiates the generator (§10.1.2.3): RFC 6979 §3.2 steps b to g.
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

    /// Returns the next `count` bytes (§10.1.2.5). This is RFC 6979 §3.2 steps h.1 and h.2, and the update in step h.3.
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

/// The source of all randomness in tests.
package typealias TestRandom = HMACGenerator<SHA256>

extension HMACGenerator<SHA256> {
    /// Creates a generator for one purpose. The generator's seed is `seed` as eight big-endian octets, followed by the
    /// purpose. Different purposes give independent streams.
    package init(seed: UInt64, purpose: String) {
        self.init(seed: bigEndian(seed) + Array(purpose.utf8))
    }
}
