import DebugSampling
import ReferenceModel
import Testing

@testable import PureECDSA

/// Tests the fields for WebAssembly at their bounds. ``FieldTests`` and the point tests cover the shared operations.
struct UnsaturatedFieldTests {
    @Test func computesAtTheLimbBoundsInP256() { #expect(check(P256UnsaturatedField.self, seed: 1) == 41) }
    @Test func computesAtTheLimbBoundsInP384() { #expect(check(P384UnsaturatedField.self, seed: 2) == 61) }

    /// Checks pairs of elements with all limbs at a bound, with one limb at a bound among zeros or opposite limbs, and
    /// with random limbs.
    private func check<F: UnsaturatedField>(_: F.Type, seed: UInt64) -> Int {
        let count = F.limbCount, top = (0..<count).map(F.bound)
        var operands = [top, top.map { -$0 }, top.map { _ in 0 }]
        operands += [0, 1].map { odd in top.indices.map { $0 & 1 == odd ? top[$0] : -top[$0] } }
        for i in top.indices {
            operands.append(top.indices.map { $0 == i ? top[i] : 0 })
            operands.append(top.indices.map { $0 == i ? -top[i] : 0 })
            operands.append(top.indices.map { $0 == i ? -top[i] : top[$0] })
            operands.append(top.indices.map { $0 == i ? top[i] : -top[$0] })
        }
        let edges = operands.count
        var generator = SplitMix64(seed: seed)
        operands += (0..<60).map { _ in top.map { .random(in: -$0...$0, using: &generator) } }
        let elements = operands.map(F.init(signedLimbs:))
        let p = F.p
        for a in elements {
            let x = a.representation
            #expect(a.squared().representation * F.radix % p == x * x % p, "\(a)²")
            #expect(a.halved().representation * 2 % p == x, "\(a)/2")
            #expect(a.isZero == (x == 0), "\(a)")
            #expect(BigUInt(a.plain) == a.value, "plain \(a)")
            for b in debugSample(elements, every: 5, of: "second operands") {
                let y = b.representation
                let isRight =
                    (a + b).representation == (x + y) % p && (a - b).representation == x.subtracting(y, modulo: p)
                    && (a * b).representation * F.radix % p == x * y % p && (a == b) == (x == y)
                #expect(isRight, "\(a), \(b)")
            }
        }
        return edges
    }

    /// Tests non-canonical limbs for each multiple of p that the bounds allow, and its neighbors.
    @Test func everyFormOfZeroIsZero() {
        check(P256UnsaturatedField.self)
        check(P384UnsaturatedField.self)
        func check<F: UnsaturatedField>(_: F.Type) {
            let prime = limbs(F.p), twice = limbs(F.p + F.p)
            func limbs(_ value: BigUInt) -> [Int64] {
                (0..<F.limbCount).map { i in
                    let words = (value >> (F.limbBits * i)).words(count: 1 + F.Plain.limbCount)
                    return Int64(words[0] & (1 << UInt64(F.limbBits) - 1))
                }
            }
            // The highest limb of 2p is at its bound. No sum of two elements can have these limbs.
            for limbs in [twice, twice.map { -$0 }] {
                #expect(F(signedLimbs: limbs).isZero, "\(limbs)")
                for difference in [-1, 1] as [Int64] {
                    #expect(!F(signedLimbs: [limbs[0] + difference] + limbs[1...]).isZero, "\(limbs)")
                }
            }
            for k in [-1, 0, 1] as [Int64] {
                // Borrows one unit from a limb and adds it to the limb below as 2^limbBits.
                for borrowed in 0..<F.limbCount - 1 {
                    var limbs = prime.map { $0 * k }
                    if limbs[borrowed] <= 0, limbs[borrowed + 1] > 0 || k < 1 {
                        limbs[borrowed] += 1 << Int64(F.limbBits)
                        limbs[borrowed + 1] -= 1
                    }
                    guard zip(limbs, limbs.indices).allSatisfy({ abs($0) <= F.bound($1) }) else { continue }
                    #expect(F(signedLimbs: limbs).isZero, "\(limbs)")
                    limbs[0] += 1
                    #expect(!F(signedLimbs: limbs).isZero, "\(limbs)")
                }
            }
            let one = F.one
            #expect((F(signedLimbs: prime) + F(signedLimbs: prime)).isZero)
            #expect(!(F(signedLimbs: prime) + one).isZero)
        }
    }

    /// Verification with these fields gives the same verdicts as with the fields for other processors.
    @Test func agreesWithTheOtherFields() throws {
        try check(UnsaturatedP256.self, seed: 3)
        try check(UnsaturatedP384.self, seed: 4)
        func check<C: UnsaturatedCurve>(_: C.Type, seed: UInt64) throws where C.Original.Field: LimbField {
            let curve = C.Field.curve, n = curve.n
            var generator = SplitMix64(seed: seed)
            for _ in 0..<3 {
                let d = BigUInt.random(below: n - 1, using: &generator) + 1
                let k = BigUInt.random(below: n - 1, using: &generator) + 1
                let digest = (0..<C.Scalar.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let R = AffinePoint<C.Original>(curve.multiply(k, curve.generator)),
                    e = BigUInt(C.Scalar(digest: digest).plain)
                let r = BigUInt(R.x.plain) % n
                let inverse = try #require(k.inverse(modulo: n))
                let s = inverse * (e + r * d) % n
                let Q = curve.multiply(d, curve.generator)
                for (r, s, isGood) in [(r, s, true), (r, n - s, true), (s, r, false), (r, (s + 1) % n, false)] {
                    let scalars = (C.Scalar(unchecked: .init(r)), C.Scalar(unchecked: .init(s)))
                    let raw = derOctets(scalars.0) + derOctets(scalars.1)
                    let own = try SignatureScalars<C>(raw: raw[...])
                    let other = try SignatureScalars<C.Original>(raw: raw[...])
                    #expect(C.isValid(own, digest: digest.span, publicKey: AffinePoint<C>(Q)) == isGood)
                    #expect(
                        C.Original.isValid(other, digest: digest.span, publicKey: AffinePoint<C.Original>(Q)) == isGood)
                }
            }
        }
        func derOctets(_ scalar: some CurveScalar) -> [UInt8] {
            var octets: [UInt8] = []
            scalar.plain.appendBigEndian(byteCount: type(of: scalar).byteCount, to: &octets)
            return octets
        }
    }
}
