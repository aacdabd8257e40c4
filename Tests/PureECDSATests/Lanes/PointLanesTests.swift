import DebugSampling
import ReferenceModel
import Testing

@testable import PureECDSALanes

/// Compares the point formulas of eight lanes with the model, for coordinates at their bounds.
@Suite(.enabled(if: processorRunsLanes, "The processor has no AVX-512 IFMA."))
struct PointLanesTests {
    private let curve = ModelCurve.p256
    private var p: BigUInt { curve.p }

    /// Groups with small and random multiples of G in every lane.
    private var groups: [[ModelPoint]] {
        var generator = SplitMix64(seed: 30)
        let factors =
            [1, 2, 3, curve.n - 1, curve.n - 2] + (0..<6).map { _ in .random(below: curve.n, using: &generator) }
        let points = factors.map { curve.multiply($0, curve.generator) }
        return debugSample(
            points.indices.map { start in (0..<8).map { points[(start + $0) % points.count] } }, every: 4,
            of: "groups of points")
    }

    /// Returns (x·z² : y·z³ : z). If `isLarge` is true, each coordinate is the largest number within its bound that has
    /// the same value mod p.
    private func jacobian(_ points: [ModelPoint], z: [BigUInt], isLarge: Bool) -> JacobianLanes {
        func representation(_ value: BigUInt, below bound: BigUInt) -> BigUInt {
            let number = (value << 260) % p
            return isLarge ? number + (bound - number) / p * p : number
        }
        let coordinate = U + U / 1000 - 1
        return JacobianLanes(
            X: FieldLanes(zip(points, z).map { representation(($0.x ?? 1) * $1 % p * $1 % p, below: coordinate) }),
            Y: FieldLanes(
                zip(points, z).map { representation(($0.y ?? 1) * $1 % p * $1 % p * $1 % p, below: coordinate) }),
            Z: FieldLanes(z.map { representation($0, below: U * 26 / 10 - 1) }))
    }

    private func check(_ sum: JacobianLanes, _ expected: [ModelPoint], _ comment: Comment) throws {
        for (lane, point) in expected.enumerated() {
            let z = sum.Z.values[lane]
            if point == .infinity {
                #expect(z.isZero, comment)
            } else {
                let inverse = try #require(z.inverse(modulo: p), comment)
                #expect(sum.X.values[lane] * inverse % p * inverse % p == point.x, comment)
                #expect(sum.Y.values[lane] * inverse % p * inverse % p * inverse % p == point.y, comment)
            }
        }
        for number in sum.X.numbers + sum.Y.numbers { #expect(1000 * number < 1001 * U, comment) }
        for number in sum.Z.numbers { #expect(10 * number < 26 * U, comment) }
    }

    @Test(arguments: [false, true])
    func doubles(isLarge: Bool) throws {
        for points in groups {
            for z in [1, 2, p - 1, p >> 1] as [BigUInt] {
                var sum = jacobian(points, z: [BigUInt](repeating: z, count: 8), isLarge: isLarge)
                sum.double()
                try check(sum, points.map(curve.double), "Z = \(z)")
            }
        }
    }

    /// Adds points and negated points. Only lanes with equal or opposite points yield Z ≡ 0, and later operations
    /// preserve Z ≡ 0.
    @Test(arguments: [false, true])
    func adds(isLarge: Bool) throws {
        let added = groups[0]
        var sign = lanes(0)
        for lane in stride(from: 1, to: 8, by: 2) { sign[lane] = -1 }
        // x and y of up to 16 U.
        let x = FieldLanes(added.map { ((($0.x ?? 1) << 260) % p) + (isLarge ? 15 : 0) * p })
        let y = FieldLanes(added.map { ((($0.y ?? 1) << 260) % p) + (isLarge ? 15 : 0) * p })
        var exceptional = 0
        for points in groups {
            for z in [1, p - 1, 12_345] as [BigUInt] {
                var sum = jacobian(points, z: [BigUInt](repeating: z, count: 8), isLarge: isLarge)
                sum.add(x, y, sign: sign)
                let expected = (0..<8).map { lane in
                    let other = sign[lane] == 0 ? added[lane] : curve.negate(added[lane])
                    // The formulas cannot double, so they give Z ≡ 0 for equal points as well as for opposite points.
                    return points[lane] == other ? .infinity : curve.add(points[lane], other)
                }
                exceptional += expected.count { $0 == .infinity }
                try check(sum, expected, "Z = \(z)")
                let isZero = sum.Z.loose.folded.isZero
                sum.double()
                sum.add(x, y, sign: sign)
                let stillZero = sum.Z.loose.folded.isZero
                for lane in 0..<8 where expected[lane] == .infinity { #expect(isZero[lane] && stillZero[lane]) }
            }
        }
        #expect(exceptional > 0)
    }

    @Test(arguments: [(16, 1), (8, 4)])
    func oddMultiples(_ m: Int, _ bases: Int) throws {
        let groups = Array(groups.prefix(bases))
        var storage = InlineArray<32, OddMultipleLanes.Point> { _ in InlineArray { _ in lanes(0) } }
        var ratioStorage = InlineArray<32, OddMultipleLanes.Ratio> { _ in InlineArray { _ in lanes(0) } }
        var multiples = storage.mutableSpan, ratios = ratioStorage.mutableSpan
        for (j, points) in groups.enumerated() {
            let coordinates = [points.map(\.x), points.map(\.y)].map { numbers in
                // Below 16 U.
                FieldLanes(numbers.map { ((($0 ?? 1) << 260) % p) + 15 * p })
            }
            let last = OddMultipleLanes.climb(
                coordinates[0], coordinates[1], m, from: m * j, &multiples, &ratios)
            #expect(last.numbers.allSatisfy { 10 * $0 < 21 * U })
            OddMultipleLanes.descend(last.inverted(by: invertByModel), m, to: m * j, &multiples, ratios)
        }
        for j in groups.indices {
            for i in 0..<m {
                var index = lanes(0)
                for lane in 0..<8 { index[lane] = Int64(m * j + (i + lane) % m) }
                let (x, y) = OddMultipleLanes.lookUp(index, in: multiples.span)
                for lane in 0..<8 {
                    let factor = BigUInt(UInt64(2 * ((i + lane) % m) + 1))
                    let expected = curve.multiply(factor, groups[j][lane])
                    #expect(x.values[lane] == expected.x && y.values[lane] == expected.y, "\(factor), lane \(lane)")
                }
                for number in x.numbers + y.numbers { #expect(1000 * number < 1001 * U) }
            }
        }
    }
}
