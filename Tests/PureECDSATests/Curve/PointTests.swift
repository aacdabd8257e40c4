import ReferenceModel
import DebugSampling
import Testing

@testable import PureECDSA

/// Compares the point formulas with the affine group law, for every form of a point that the formulas may receive.
struct PointTests {
    @Test func addsAndDoublesOnP256() { check(P256Curve.self, seed: 20) }
    @Test func addsAndDoublesOnP384() { check(P384Curve.self, seed: 21) }
    @Test func addsAndDoublesOnUnsaturatedP256() { check(UnsaturatedP256.self, seed: 22) }
    @Test func addsAndDoublesOnUnsaturatedP384() { check(UnsaturatedP384.self, seed: 23) }

    private func check<C: PrimeCurve>(_: C.Type, seed: UInt64) where C.Field: LimbField {
        var generator = SplitMix64(seed: seed)
        let curve = C.Field.curve
        let G = curve.generator
        let random = debugSample(Array(0..<4), every: 4, of: "random points").map { _ in
            curve.multiply(.random(below: curve.n, using: &generator), G)
        }
        // Some sums of small multiples are doublings. Sums with the negated points reach infinity.
        let small = (1...5).map { curve.multiply(BigUInt($0), G) }
        let points = random + small + small.map(curve.negate)
        var infinities = 0
        for P in points + [.infinity] {
            // The forms of a point are Z = 1, a random Z, and coordinates of p or more if the field is lazy.
            let double = curve.double(P)
            let sums = points.map { (Q: $0, sum: curve.add(P, $0), doubledSum: curve.add(double, $0)) }
            let forms = [BigUInt(1), .random(below: C.Field.p - 1, using: &generator) + 1].map {
                JacobianPoint<C>(P, z: C.Field(value: $0))
            }
            for form in forms + forms.map(\.lazy) {
                #expect(form.doubled().model == double, "2·\(P)")
                for (Q, expectedSum, expected) in sums {
                    var sum = form
                    sum.addVarTime(AffinePoint(Q))
                    #expect(sum.model == expectedSum, "\(P) + \(Q)")
                    var doubledSum = form
                    doubledSum.doubleAndAddVarTime(AffinePoint(Q))
                    #expect(doubledSum.model == expected, "2·\(P) + \(Q)")
                    infinities += expected == .infinity ? 1 : 0
                }
                if let affine = form.affineVarTime() {
                    #expect(affine.model == P)
                    #expect(affine.isOnCurve)
                    #expect(affine.negated().model == curve.negate(P))
                } else {
                    #expect(P == .infinity)
                }
            }
        }
        // 2·P + Q is infinity if Q = −2·P. This happens for P = ±1·G and ±2·G, each in four forms.
        #expect(infinities == 16)
    }

    @Test func equalPointsMayHaveDifferentLimbs() {
        let G = AffinePoint<P256Curve>(ModelCurve.p256.generator)
        // In each pair, the second element is equal to the first but is created from limbs.
        let small = P256Field(value: ModelCurve.p256.p - 3)
        let lazy = P256Field(representation: small.representation % ModelCurve.p256.p)
        #expect(small == lazy)
        #expect(G == G && G != G.negated())
        #expect(G.hashValue == AffinePoint<P256Curve>(x: G.x + P256Field.zero, y: G.y).hashValue)
        let one = P256Field.one
        let otherOne = P256Field(representation: one.representation)
        #expect(one == otherOne)
        // 0 and p are the same element. A hash over the unreduced limbs would most likely differ for these two forms.
        let zeros = [P256Field.zero, P256Field(representation: ModelCurve.p256.p)]
        let points = zeros.map { AffinePoint<P256Curve>(x: $0, y: one) }
        #expect(points[0] == points[1])
        #expect(points[0].hashValue == points[1].hashValue)
    }

    @Test func computesOddMultiples() {
        check(P256Curve.self)
        check(P384Curve.self)
        func check<C: PrimeCurve>(_: C.Type) where C.Field: LimbField {
            var generator = SplitMix64(seed: 23)
            let curve = C.Field.curve
            for k in [1, 2, 3, curve.n - 1, .random(below: curve.n, using: &generator)] {
                let P = curve.multiply(k, curve.generator)
                let multiples: InlineArray<8, _> = AffinePoint<C>(P).oddMultiples()
                for index in 0..<8 {
                    #expect(multiples[index].model == curve.multiply(BigUInt(UInt64(2 * index + 1)), P), "\(index)")
                }
            }
        }
    }
}

extension AffinePoint where Curve.Field: LimbField {
    /// Converts the model's point, which must not be infinity.
    init(_ point: ModelPoint) {
        guard case .point(let x, let y) = point else { preconditionFailure("infinity has no coordinates") }
        self.init(x: Curve.Field(value: x), y: Curve.Field(value: y))
    }

    var model: ModelPoint { .point(x: x.value, y: y.value) }
}

extension JacobianPoint where Curve.Field: LimbField {
    /// Creates (x·z², y·z³, z), or (z², z³, 0) for infinity. The point (z², z³, 0) is on the projective closure of the
    /// curve, like every infinity that a doubling returns.
    init(_ point: ModelPoint, z: Curve.Field) {
        let (zz, zzz) = (z.squared(), z.squared() * z)
        switch point {
        case .infinity: self.init(X: zz, Y: zzz, Z: .zero)
        case .point(let x, let y):
            self.init(X: Curve.Field(value: x) * zz, Y: Curve.Field(value: y) * zzz, Z: z)
        }
    }

    /// The same point, with p added to each coordinate whose sum with p fits into the limbs. Z = 0 becomes Z = p.
    var lazy: Self {
        func other(_ element: Curve.Field) -> Curve.Field {
            let sum = element.representation + Curve.Field.p
            return sum < Curve.Field.radix ? Curve.Field(representation: sum) : element
        }
        return Self(X: other(X), Y: other(Y), Z: other(Z))
    }

    /// The point that the model computes from the limbs.
    var model: ModelPoint {
        let p = Curve.Field.p
        guard let inverse = Z.value.inverse(modulo: p) else { return .infinity }
        let square = inverse * inverse % p
        return .point(x: X.value * square % p, y: Y.value * (square * inverse) % p)
    }
}
