package import PureRSA
package import ReferenceModel
package import VectorSupport

/// A private key as numbers. The reference model signs with this key. The library cannot sign.
package struct TestKey: Sendable, CustomStringConvertible {
    /// The key's name in test reports.
    package let name: String
    /// The public exponent.
    package let e: UInt64
    /// The primes and the private exponent.
    package let p, q, d: BigUInt
    /// q⁻¹ mod p.
    private let qInv: BigUInt

    init(name: String, e: UInt64, p: String, q: String, d: String) {
        (self.name, self.e) = (name, e)
        (self.p, self.q, self.d) = (BigUInt(hex: p), BigUInt(hex: q), BigUInt(hex: d))
        guard let inverse = self.q.inverse(modulo: self.p) else { preconditionFailure("p and q are equal") }
        qInv = inverse
    }

    /// The name.
    package var description: String { name }
    /// The modulus.
    package var n: BigUInt { p * q }
    /// The length of a signature in octets.
    package var byteCount: Int { (n.bitWidth + 7) / 8 }

    /// Returns the key that verifies this key's signatures.
    package func publicKey() throws -> RSA.Signing.PublicKey {
        try RSA.Signing.PublicKey(n: n.bigEndianBytes, e: BigUInt(e).bigEndianBytes)
    }

    /// Returns em^d mod n, the "signature" of any number. Only the key's owner can compute it. Uses the Chinese
    /// remainder theorem, in the notation of RFC 8017 §5.1.2 step 2.b.
    package func power(_ em: [UInt8]) -> BigUInt {
        let m = BigUInt(bigEndian: em)
        let m1 = (m % p).power(d % (p - 1), modulo: p)
        let m2 = (m % q).power(d % (q - 1), modulo: q)
        let h = m1.subtracting(m2, modulo: p).multiplied(by: qInv, modulo: p)
        return m2 + q * h
    }

    /// Signs an encoding, even an invalid one.
    package func sign(encoded em: [UInt8]) -> [UInt8] { power(em).bigEndianBytes(count: byteCount) }

    /// Encodes a message (RFC 8017 §9.2).
    package func encode(_ message: [UInt8], _ hash: VectorHash) -> [UInt8] {
        encode(info: hash.digestInfo + hash.digest(of: message))
    }

    /// Encodes `info` after 00 01 FF … FF 00.
    package func encode(info: [UInt8]) -> [UInt8] {
        [0, 1] + [UInt8](repeating: 0xFF, count: byteCount - info.count - 3) + [0] + info
    }

    /// RSASSA-PKCS1-v1_5.
    package func sign(_ message: [UInt8], _ hash: VectorHash) -> [UInt8] { sign(encoded: encode(message, hash)) }
}

extension VectorHash {
    /// The DigestInfo prefixes, copied from RFC 8017 §9.2 note 1.
    package var digestInfo: [UInt8] {
        switch self {
        case .sha256:
            [
                0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0, 0x04,
                0x20,
            ]
        case .sha384:
            [
                0x30, 0x41, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02, 0x05, 0, 0x04,
                0x30,
            ]
        case .sha512:
            [
                0x30, 0x51, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03, 0x05, 0, 0x04,
                0x40,
            ]
        }
    }
}

extension RSA.Signing.PublicKey {
    /// Returns whether the octets are a valid signature; false if they cannot be parsed.
    package func accepts(_ signature: [UInt8], of message: [UInt8], _ hash: VectorHash = .sha256) -> Bool {
        hash.isValidSignature(signature, of: message, by: self)
    }
}
