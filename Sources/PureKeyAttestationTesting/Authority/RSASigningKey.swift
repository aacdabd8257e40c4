import PureBytes
package import PureRSA
import PureSHA2

/// A private RSA key that signs with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 8017 §8.2.1).
///
/// **For tests only.** Timing reveals the key. Signing takes a few milliseconds, or about a second in a debug build.
package struct RSASigningKey: Sendable {
    /// n and e, big-endian.
    private let n, e: [UInt8]
    /// Computes m^d mod n for m < n. Input and result are big-endian and have the length of n.
    private let power: @Sendable ([UInt8]) -> [UInt8]
    /// The number of FF padding octets, if it is smaller than the standard requires. Garbage then follows the digest,
    /// so verifiers must reject the signature.
    var paddingLength: Int?

    /// Creates a key with a function that computes m^d mod n. Tests pass a function that is faster in debug builds.
    package init(n: [UInt8], e: UInt64, power: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        (self.n, self.e, self.power) = (n, bigEndian(e), power)
    }

    /// Creates a key with a modulus of 2,048 to 4,096 bits from hexadecimal digits.
    init(n: String, e: UInt64, d: String) {
        func bytes(_ digits: String) -> [UInt8] {
            let digits = digits.filter { !$0.isWhitespace }
            do { return try [UInt8](hexEncoded: digits.utf8.count % 2 == 0 ? digits : "0" + digits) } catch {
                preconditionFailure("no digits: \(error)")
            }
        }
        let n = bytes(n), d = bytes(d)
        guard let modulus = MontgomeryModulus(bigEndian: n.span) else { preconditionFailure("the modulus is none") }
        self.init(n: n, e: e) { Self.power($0, d, modulo: modulus, byteCount: n.count) }
    }

    package var publicKey: RSA.Signing.PublicKey {
        do { return try RSA.Signing.PublicKey(n: n, e: e) } catch { preconditionFailure("the key is none: \(error)") }
    }

    /// Signs a message (RFC 8017 §8.2.1). The signature is as long as the modulus.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        let info = Self.digestInfo + SHA256.hash(data: message)
        // §9.2: 00 01 FF … FF 00, followed by the DigestInfo.
        let longest = n.count - info.count - 3
        let padding = min(paddingLength ?? longest, longest)
        let encoded = [0, 1] + [UInt8](repeating: 0xFF, count: padding) + [0] + info
        return power(encoded + [UInt8](repeating: 0x5A, count: longest - padding))
    }

    /// Computes m^d mod n (RFC 8017 §5.2.1), starting at the exponent's highest bit.
    private static func power(
        _ encoded: [UInt8], _ d: [UInt8], modulo modulus: MontgomeryModulus, byteCount: Int
    ) -> [UInt8] {
        guard let m = MontgomeryModulus.number(bigEndian: encoded.span) else { preconditionFailure("too long") }
        let factor = modulus.inDomain(m)
        var power: MontgomeryModulus.Number?
        for octet in d {
            for bit in stride(from: 7, through: 0, by: -1) {
                if let square = power.map({ modulus.product($0, $0) }) { power = square }
                guard octet >> bit & 1 == 1 else { continue }
                power = power.map { modulus.product($0, factor) } ?? factor
            }
        }
        var one = MontgomeryModulus.Number()
        one[0] = 1
        let result = modulus.product(power ?? one, one)
        return (0..<byteCount).map { i in
            let place = byteCount - 1 - i
            return UInt8(truncatingIfNeeded: result[place >> 3] >> UInt64(8 * (place & 7)))
        }
    }

    /// The part of the SHA-256 DigestInfo that precedes the digest (RFC 8017 §9.2 note 1).
    private static var digestInfo: [UInt8] {
        [
            0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
            0x20,
        ]
    }
}
