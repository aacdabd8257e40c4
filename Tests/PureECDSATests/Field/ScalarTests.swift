import ReferenceModel
import Testing

@testable import PureECDSA

struct ScalarTests {
    @Test func constants() {
        check(P256Scalar.self, n: ModelCurve.p256.n)
        check(P384Scalar.self, n: ModelCurve.p384.n)
        func check<S: CurveScalar>(_: S.Type, n: BigUInt) {
            let radix = BigUInt.power(ofTwo: 64 * S.Plain.limbCount)
            #expect(BigUInt(S.order) == n)
            #expect(BigUInt(S.rSquared) == radix * radix % n)
            #expect(BigUInt(S.negatedOrderInverse) * n % .power(ofTwo: 64) == .power(ofTwo: 64) - 1)
            #expect(S.bitCount == n.bitWidth)
            #expect(S.byteCount * 8 == n.bitWidth)
        }
    }

    @Test func multipliesAndInvertsModuloTheOrderOfP256() { check(P256Scalar.self, n: ModelCurve.p256.n) }
    @Test func multipliesAndInvertsModuloTheOrderOfP384() { check(P384Scalar.self, n: ModelCurve.p384.n) }

    private func check<S: CurveScalar>(_: S.Type, n: BigUInt) {
        var generator = SplitMix64(seed: 13)
        var numbers = BigUInt.edges(modulus: n, below: n)
        numbers += (0..<20).map { _ in .random(below: n, using: &generator) }
        for a in numbers {
            let x = S(unchecked: S.Plain(a))
            #expect(x.isZero == a.isZero)
            #expect(BigUInt(x.invertedVarTime().plain) == a.inverse(modulo: n) ?? 0, "1/\(a)")
            for b in numbers {
                let y = S(unchecked: S.Plain(b))
                #expect(BigUInt((x * y).plain) == a * b % n, "\(a) · \(b)")
                #expect((x == y) == (a == b))
            }
        }
        for bit in 0..<n.bitWidth - 1 {
            let a = BigUInt.power(ofTwo: bit)
            #expect(BigUInt(S(unchecked: S.Plain(a)).invertedVarTime().plain) == a.inverse(modulo: n), "2^−\(bit)")
        }
    }

    @Test func readsOnlyNumbersBelowTheOrder() {
        check(P256Scalar.self, n: ModelCurve.p256.n)
        check(P384Scalar.self, n: ModelCurve.p384.n)
        func check<S: CurveScalar>(_: S.Type, n: BigUInt) {
            let bound = BigUInt.power(ofTwo: 8 * S.byteCount)
            for number in BigUInt.edges(modulus: n, below: bound) {
                let bytes = number.bigEndianBytes(count: S.byteCount)
                let scalar = S(bigEndian: bytes)
                #expect((scalar == nil) == (number >= n), "\(number)")
                if let scalar { #expect(BigUInt(scalar.plain) == number) }
                #expect(S(bigEndian: Array(bytes.dropFirst())) == nil)
                #expect(S(bigEndian: [0] + bytes) == nil)
            }
        }
    }

    /// FIPS 186-5 §6.4.2 step 3, followed by reduction mod n.
    @Test func readsDigestsOfEveryLength() {
        check(P256Scalar.self, on: .p256)
        check(P384Scalar.self, on: .p384)
        func check<S: CurveScalar>(_: S.Type, on curve: ModelCurve) {
            var generator = SplitMix64(seed: 14)
            for length in [0, 1, 20, 28, 31, 32, 33, 47, 48, 49, 64] {
                let random = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                for digest in [
                    random, [UInt8](repeating: 0xff, count: length), [UInt8](repeating: 0, count: length),
                    Array(repeating: 0, count: length / 2) + random.dropFirst(length / 2),
                ] {
                    let expected = ReferenceECDSA.integer(ofHash: digest, on: curve) % curve.n
                    #expect(BigUInt(S(digest: digest).plain) == expected, "\(digest)")
                }
            }
            // The digests n − 1, n and n + 1 are at the boundary at which the reduction's only subtraction starts.
            for number in [curve.n - 1, curve.n, curve.n + 1] {
                let digest = number.bigEndianBytes(count: S.byteCount)
                #expect(BigUInt(S(digest: digest).plain) == number % curve.n)
            }
        }
    }
}
