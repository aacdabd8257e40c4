import CertificateDrafts
import PureDER
import PureSHA2
import ReferenceModel

extension DER {
    static func certificateExtension(_ identifier: [UInt8], critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        TestExtension.custom(element(0x06, identifier), critical: critical, value)
    }
}

enum CBOR {
    static func head(_ majorType: UInt8, _ argument: Int) -> [UInt8] {
        switch argument {
        case 0..<24: [majorType << 5 | UInt8(argument)]
        case 24..<256: [majorType << 5 | 24, UInt8(argument)]
        default: [majorType << 5 | 25, UInt8(argument >> 8), UInt8(argument & 0xff)]
        }
    }

    static func unsigned(_ value: Int) -> [UInt8] { head(0, value) }
    static func negative(_ value: Int) -> [UInt8] { head(1, -1 - value) }
    static func bytes(_ value: some Collection<UInt8>) -> [UInt8] { head(2, value.count) + value }
    static func text(_ value: String) -> [UInt8] { head(3, value.utf8.count) + value.utf8 }
    static func array(_ elements: [[UInt8]]) -> [UInt8] { head(4, elements.count) + elements.flatMap(\.self) }
    static func map(_ entries: [([UInt8], [UInt8])]) -> [UInt8] {
        head(5, entries.count) + entries.flatMap { $0.0 + $0.1 }
    }
}

/// A P-256 key pair, computed with the reference model.
struct TestKey: Sendable {
    let privateKey: BigUInt
    let x963: [UInt8]

    init(_ privateKey: UInt64) {
        self.privateKey = BigUInt(privateKey)
        let point = ModelCurve.p256.multiply(self.privateKey, ModelCurve.p256.generator)
        guard let x = point.x, let y = point.y else { fatalError("a private key is not 0 modulo n") }
        x963 = [4] + x.bigEndianBytes(count: 32) + y.bigEndianBytes(count: 32)
    }

    var keyID: [UInt8] { [UInt8](SHA256.hash(data: x963)) }

    var subjectPublicKeyInfo: [UInt8] {
        CertificateDrafts.TestKey.publicKeyInfo(
            parameters: DER.oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07), point: x963)
    }

    /// Returns an ECDSA signature with SHA-256, in DER. A hash serves as the nonce, which is acceptable because the key
    /// protects nothing.
    func signature(of message: some Collection<UInt8>) -> [UInt8] {
        signature(ofHash: [UInt8](SHA256.hash(data: message)))
    }

    func signature(ofHash hash: [UInt8]) -> [UInt8] {
        let curve = ModelCurve.p256
        let k = BigUInt(bigEndian: SHA256.hash(data: privateKey.bigEndianBytes + hash)) % curve.n
        guard
            let (r, s) = ReferenceECDSA.sign(
                e: ReferenceECDSA.integer(ofHash: hash, on: curve), privateKey: privateKey, nonce: k, on: curve)
        else { fatalError("probability 2^-256") }
        return DER.sequence(derInteger(r.bigEndianBytes), derInteger(s.bigEndianBytes))
    }
}
