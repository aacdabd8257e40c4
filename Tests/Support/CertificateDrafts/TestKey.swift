import PureECDSA
import PureSHA2
package import ReferenceModel

/// An ECDSA key pair whose private key is a small number and whose nonce is always 1. Signing is one multiplication,
/// because with k = 1, R = G and s = e + r·d (FIPS 186-5 §6.4.1).
package struct TestKey: Sendable {
    package enum Hash { case sha256, sha384, sha512 }

    package let curve: ModelCurve
    package let privateKey: BigUInt
    package let subjectPublicKeyInfo: [UInt8]

    package static func p256(_ privateKey: UInt64) -> TestKey { TestKey(.p256, privateKey) }
    package static func p384(_ privateKey: UInt64) -> TestKey { TestKey(.p384, privateKey) }

    private init(_ curve: ModelCurve, _ privateKey: UInt64) {
        self.curve = curve
        self.privateKey = BigUInt(privateKey)
        let isP256 = curve.name == "P-256"
        let name =
            isP256 ? DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07) : DER.oid(0x2B, 0x81, 0x04, 0x00, 0x22)
        subjectPublicKeyInfo = Self.publicKeyInfo(parameters: name, point: Self.point(curve, self.privateKey))
    }

    package static func publicKeyInfo(
        algorithm: [UInt8] = DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01), parameters: [UInt8], point: [UInt8],
        unused: UInt8 = 0
    ) -> [UInt8] {
        DER.sequence(DER.sequence(algorithm, parameters), DER.bits(point, unused: unused))
    }

    /// The uncompressed public point.
    package var point: [UInt8] { Self.point(curve, privateKey) }

    private static func point(_ curve: ModelCurve, _ privateKey: BigUInt) -> [UInt8] {
        let point = curve.multiply(privateKey, curve.generator)
        let count = curve.coordinateByteCount
        return [0x04] + point.x!.bigEndianBytes(count: count) + point.y!.bigEndianBytes(count: count)
    }

    /// Returns an ECDSA-Sig-Value.
    package func sign(_ message: [UInt8], _ hash: Hash) -> [UInt8] {
        let digest: [UInt8] =
            switch hash {
            case .sha256: Array(SHA256.hash(data: message))
            case .sha384: Array(SHA384.hash(data: message))
            case .sha512: Array(SHA512.hash(data: message))
            }
        let r = curve.generator.x! % curve.n
        let s = (ReferenceECDSA.integer(ofHash: digest, on: curve) + r * privateKey) % curve.n
        return DER.sequence(integer(r), integer(s))
    }

    private func integer(_ number: BigUInt) -> [UInt8] {
        let octets = number.bigEndianBytes
        return DER.element(0x02, (octets[0] >= 0x80 ? [0] : []) + octets)
    }
}
