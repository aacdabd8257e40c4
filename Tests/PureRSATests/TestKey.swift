import PureRSA
import PureSHA2
import ReferenceModel
import Testing
import VectorSupport

/// A private key, in numbers: what signs here is the model, and no part of a library.
struct TestKey: Sendable, CustomTestStringConvertible {
    let name: String
    let e: UInt64
    let p, q, d: BigUInt

    init(name: String, e: UInt64, p: String, q: String, d: String) {
        (self.name, self.e) = (name, e)
        (self.p, self.q, self.d) = (BigUInt(hex: p), BigUInt(hex: q), BigUInt(hex: d))
    }

    var testDescription: String { name }
    var n: BigUInt { p * q }
    var byteCount: Int { (n.bitWidth + 7) / 8 }

    func publicKey() throws -> RSA.Signing.PublicKey {
        try RSA.Signing.PublicKey(n: n.bigEndianBytes, e: BigUInt(e).bigEndianBytes)
    }

    /// em^d mod n: the "signature" of any number, which the key's owner alone can make.
    func power(_ em: [UInt8]) -> BigUInt { BigUInt(bigEndian: em).power(d, modulo: n) }

    func sign(encoded em: [UInt8]) -> [UInt8] { power(em).bigEndianBytes(count: byteCount) }

    /// RFC 8017 §9.2.
    func encode(_ message: [UInt8], _ hash: VectorHash) -> [UInt8] {
        encode(info: hash.digestInfo + hash.digest(of: message))
    }

    /// 00 01 FF … FF 00 and `info`.
    func encode(info: [UInt8]) -> [UInt8] {
        [0, 1] + [UInt8](repeating: 0xFF, count: byteCount - info.count - 3) + [0] + info
    }

    func sign(_ message: [UInt8], _ hash: VectorHash) -> [UInt8] { sign(encoded: encode(message, hash)) }
}

extension VectorHash {
    /// RFC 8017 §9.2 note 1, as written there.
    var digestInfo: [UInt8] {
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
    /// Whether the octets are a signature; false too when they are none at all.
    func accepts(_ signature: [UInt8], of message: [UInt8], _ hash: VectorHash = .sha256) -> Bool {
        guard let signature = try? RSA.Signing.RSASignature(rawRepresentation: signature) else { return false }
        return switch hash {
        case .sha256: isValidSignature(signature, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
        case .sha384: isValidSignature(signature, for: SHA384.hash(data: message), padding: .insecurePKCS1v1_5)
        case .sha512: isValidSignature(signature, for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
        }
    }
}
