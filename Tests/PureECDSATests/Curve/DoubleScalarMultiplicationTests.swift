import DebugSampling
import ReferenceModel
import Testing

@testable import PureECDSA

/// Compares u₁·G + u₂·Q with the model, for points with and without precomputed tables.
struct DoubleScalarMultiplicationTests {
    @Test func multipliesOnP256() { check(P256Curve.self, seed: 40) }
    @Test func multipliesOnP384() { check(P384Curve.self, seed: 41) }
    @Test func multipliesOnUnsaturatedP256() { check(UnsaturatedP256.self, seed: 42) }
    @Test func multipliesOnUnsaturatedP384() { check(UnsaturatedP384.self, seed: 43) }

    private func check<C: PrimeCurve>(_: C.Type, seed: UInt64) where C.Field: LimbField {
        let curve = C.Field.curve
        let n = curve.n
        var generator = SplitMix64(seed: seed)
        let d = BigUInt.random(below: n, using: &generator)
        let random = (0..<6).map { _ in BigUInt.random(below: n, using: &generator) }
        let edges: [BigUInt] = [
            0, 1, 2, 3, 15, 16, 17, 127, 128, 129, n - 1, n - 2, n - 15, n >> 1, (n >> 1) + 1,
            .power(ofTwo: 64) - 1, .power(ofTwo: 64), .power(ofTwo: 128) - 1, .power(ofTwo: 192),
            .power(ofTwo: n.bitWidth - 1), .power(ofTwo: n.bitWidth - 1) - 1,
        ]
        // k in Q = kG is known, so the model computes the sum with one multiplication, (u₁ + u₂k)·G.
        var cases = edges.map { (k: d, u1: $0, u2: random[0]) } + edges.map { (d, random[1], $0) }
        cases += zip(random, random.reversed()).map { (d, $0, $1) } + edges.map { (d, $0, $0) }
        for k in [d, 1, 2, n - 1, n - 2, 3, 8] {
            // If u₁ = ±u₂k, the two partial sums are equal or opposite at some step of the interleaved additions.
            for u2 in [1, 2, 5, n - 1, random[2]] {
                cases += [(k, u2 * k % n, u2), (k, (u2 * k).negated(modulo: n), u2)]
            }
            cases += [(0, 0), (0, 1), (1, 0), (1, 1), (n - 1, 1), (1, n - 1), (2, n - 1), (n - 1, n - 1)].map {
                (k, $0, $1)
            }
        }
        for (k, u1, u2) in debugSample(cases, every: 7, of: "pairs of scalars on \(curve.name)") {
            let Q = AffinePoint<C>(curve.multiply(k, curve.generator))
            let expected = curve.multiply((u1 + u2 * k) % n, curve.generator)
            let (a, b) = (C.Scalar(unchecked: .init(u1)), C.Scalar(unchecked: .init(u2)))
            #expect(C.doubleMultiplyVarTime(a, b, Q).model == expected, "\(u1), \(u2), \(k)")
            #expect(WindowTable(Q, C.keyShape).doubleMultiplyVarTime(a, b).model == expected, "\(u1), \(u2), \(k)")
        }
    }

    @Test func tablesOfP256AreMultiplesOfG() { checkTable(P256Curve.self) }
    @Test func tablesOfP384AreMultiplesOfG() { checkTable(P384Curve.self) }

    private func checkTable<C: PrimeCurve>(_: C.Type) where C.Field: LimbField {
        let curve = C.Field.curve
        let shape = C.generatorShape
        let parts = C.partCount(shape)
        #expect(C.generator.model == curve.generator)
        var base = curve.generator
        for part in 0..<parts {
            let double = curve.double(base)
            var multiple = base
            let window = part == 0 ? C.generatorWindow : shape.window
            for index in 0..<1 << (window - 2) {
                #expect(C.generatorMultiple(part: part, index: index).model == multiple, "\(part), \(index)")
                multiple = curve.add(multiple, double)
            }
            base = curve.multiply(.power(ofTwo: shape.partBits), base)
        }
        #expect(parts * shape.partBits == 8 * C.Scalar.byteCount && parts * shape.partBits >= curve.n.bitWidth)
    }

    /// Tests the default shape, the width of the generated tables for Apple's keys, and window 2.
    @Test func tablesOfKeysAreMultiplesOfQ() {
        check(P256Curve.self, seed: 42)
        check(P384Curve.self, seed: 43)
        func check<C: PrimeCurve>(_: C.Type, seed: UInt64) where C.Field: LimbField {
            let curve = C.Field.curve
            var generator = SplitMix64(seed: seed)
            let Q = curve.multiply(.random(below: curve.n, using: &generator), curve.generator)
            let partBits = C.keyShape.partBits
            for shape in [C.keyShape, WindowShape(window: 7, partBits: partBits), WindowShape(window: 2, partBits: 64)]
            {
                let points = WindowTable(AffinePoint<C>(Q), shape).points
                #expect(points.count == C.partCount(shape) << (shape.window - 2))
                for (i, point) in debugSample(Array(points.enumerated()), every: 7, of: "points of a table") {
                    let factor =
                        BigUInt(UInt64(2 * (i % shape.multipleCount) + 1))
                        << (shape.partBits * (i / shape.multipleCount))
                    #expect(point.model == curve.multiply(factor % curve.n, Q), "\(shape), \(i)")
                }
            }
        }
    }

    /// An x-coordinate is below p, so r + n is possible only if r < p − n. On P-256 and P-384, p − n is near √p.
    @Test func findsBothCoordinatesOfR() {
        check(P256Curve.self)
        check(P384Curve.self)
        func check<C: PrimeCurve>(_: C.Type) where C.Field: LimbField {
            let (p, n) = (C.Field.p, C.Field.curve.n)
            for r in [1, 2, p - n - 1, p - n, p - n + 1, n - 1, n - 2] {
                let scalar = C.Scalar(unchecked: .init(r))
                #expect(C.xCoordinate(scalar)?.value == r)
                #expect(C.xCoordinatePlusOrder(scalar)?.value == (r + n < p ? r + n : nil), "\(r)")
            }
        }
    }
}
