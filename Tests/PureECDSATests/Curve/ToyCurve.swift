import ReferenceModel

@testable import PureECDSA

/// The numbers mod a prime p < 2⁸, with plain arithmetic: a ``PrimeField`` on one limb.
struct ToyField<let p: Int>: PrimeField {
    var number: UInt64

    private init(reducing number: UInt64) { self.number = number % UInt64(p) }
    init(_ number: Int) { self.init(reducing: UInt64(number)) }

    static var zero: Self { Self(0) }
    static var one: Self { Self(1) }
    static var byteCount: Int { 1 }

    init?(plain: InlineArray<1, UInt64>) {
        guard plain[0] < UInt64(p) else { return nil }
        number = plain[0]
    }
    var plain: InlineArray<1, UInt64> { [number] }

    static func + (a: Self, b: Self) -> Self { Self(reducing: a.number + b.number) }
    static func - (a: Self, b: Self) -> Self { Self(reducing: a.number + UInt64(p) - b.number) }
    static func * (a: Self, b: Self) -> Self { Self(reducing: a.number * b.number) }
    func squared() -> Self { self * self }
    func fullProduct(_ b: Self) -> Self { self * b }
    func fullSquare() -> Self { squared() }
    static func reducedDifference(_ t: Self, _ u: Self) -> Self { t - u }
    func halved() -> Self { Self(reducing: number % 2 == 0 ? number / 2 : (number + UInt64(p)) / 2) }
    var isZero: Bool { number == 0 }

    /// Uses the package's own inversion on two limbs of 62 bits, the smallest size that it supports.
    func invertedVarTime() -> Self {
        let inverse = ModularInversion<2>(modulus: [UInt64(p)] as InlineArray<1, UInt64>).invertVarTime(plain)
        return Self(reducing: inverse[0])
    }

    func squareRootVarTime() -> Self? {
        (0..<p).lazy.map { Self($0) }.first { $0.squared() == self }
    }
}

/// The numbers mod a prime n < 2⁸, with the package's own scalar arithmetic.
struct ToyScalar<let n: Int>: CurveScalar {
    let plain: InlineArray<1, UInt64>

    init(unchecked plain: InlineArray<1, UInt64>) { self.plain = plain }
    init(_ number: Int) { plain = [UInt64(number)] }

    static var order: InlineArray<1, UInt64> { [UInt64(n)] }
    /// −n⁻¹ mod 2⁶⁴ by Newton's iteration, starting with five correct bits.
    static var negatedOrderInverse: UInt64 {
        let n = UInt64(n)
        var inverse = n &* 3 ^ 2
        for _ in 0..<4 { inverse = inverse &* (2 &- n &* inverse) }
        return 0 &- inverse
    }
    /// 2¹²⁸ mod n.
    static var rSquared: InlineArray<1, UInt64> {
        let radix = UInt64.max % UInt64(n) + 1
        return [radix * radix % UInt64(n)]
    }
    static var byteCount: Int { 1 }

    func invertedVarTime() -> Self {
        Self(unchecked: ModularInversion<2>(modulus: Self.order).invertVarTime(plain))
    }
}

/// A curve for the package's generic code that is small enough to try every point. The model computes its points.
protocol ToyCurve: PrimeCurve {
    /// p and b, which identify the curve in the model.
    static var parameters: (p: Int, b: Int) { get }
    /// Contains kG at index k, and `nil` at index 0. The model computes the multiples once.
    static var multiples: [AffinePoint<Self>?] { get }
    static func point(_ x: Int, _ y: Int) -> AffinePoint<Self>
    static func scalar(_ number: Int) -> Scalar
    static func field(_ number: Int) -> Field
}

extension ToyCurve {
    static var p: Int { parameters.p }
    static var n: Int { multiples.count }
    /// The window widths w with n > 2^(w−1), which is the condition of ``WindowShape``.
    static var windows: [Int] { (2...8).filter { n > 1 << ($0 - 1) } }
    /// Returns a table of Q for each of these widths, and for each part size that G's table supports.
    static func tables(_ Q: AffinePoint<Self>) -> [WindowTable<Self>] {
        windows.flatMap { window in
            [4, 8].map { WindowTable(Q, WindowShape(window: window, partBits: $0)) }
        }
    }
    static var b: Field { field(parameters.b) }
    static var generator: AffinePoint<Self> { multiple(1) }

    static func xCoordinate(_ r: Scalar) -> Field? { coordinate(Int(r.plain[limb: 0])) }
    static func xCoordinatePlusOrder(_ r: Scalar) -> Field? { coordinate(Int(r.plain[limb: 0]) + n) }
    private static func coordinate(_ x: Int) -> Field? { x < p ? field(x) : nil }

    // 2 parts of 4 bits hold every scalar below 2⁸.
    static var generatorShape: WindowShape { WindowShape(window: generatorWindow, partBits: 4) }
    static func generatorMultiple(part: Int, index: Int) -> AffinePoint<Self> {
        multiple((2 * index + 1) << (generatorShape.partBits * part))
    }

    /// Returns kG, which must not be infinity.
    static func multiple(_ k: Int) -> AffinePoint<Self> {
        guard let point = multiples[k % n] else { preconditionFailure("\(k)G is infinity") }
        return point
    }

    static func makeMultiples() -> [AffinePoint<Self>?] {
        guard let model = ModelCurve.toy(p: parameters.p, b: parameters.b) else { preconditionFailure("no such curve") }
        return model.multiplesOfGenerator().map { multiple in
            guard case .point(let x, let y) = multiple else { return nil }
            return point(Int(x.words(count: 1)[0]), Int(y.words(count: 1)[0]))
        }
    }
}

extension ToyCurve {
    static func point<let p: Int>(_ x: Int, _ y: Int) -> AffinePoint<Self> where Field == ToyField<p> {
        AffinePoint(x: ToyField(x), y: ToyField(y))
    }
    static func field<let p: Int>(_ number: Int) -> Field where Field == ToyField<p> { ToyField(number) }
    static func scalar<let n: Int>(_ number: Int) -> Scalar where Scalar == ToyScalar<n> { ToyScalar(number) }
}

// Some curves have n < p, and others n > p. They include the smallest n (a window of 5 needs n > 16) and the largest n
// below 2⁸. p ≡ 3 mod 4, as in P-256 and P-384. A window of w needs n > 2^(w−1), so that no table entry is infinity.
// The tests try all widths that a curve admits.

enum Toy23Order17: ToyCurve {
    typealias Field = ToyField<23>
    typealias Scalar = ToyScalar<17>
    static let parameters = (p: 23, b: 15)
    static let generatorWindow = 5
    static let multiples = makeMultiples()
}

enum Toy23Order31: ToyCurve {
    typealias Field = ToyField<23>
    typealias Scalar = ToyScalar<31>
    static let parameters = (p: 23, b: 8)
    static let generatorWindow = 4
    static let multiples = makeMultiples()
}

enum Toy47Order41: ToyCurve {
    typealias Field = ToyField<47>
    typealias Scalar = ToyScalar<41>
    static let parameters = (p: 47, b: 15)
    static let generatorWindow = 6
    static let multiples = makeMultiples()
}

enum Toy47Order53: ToyCurve {
    typealias Field = ToyField<47>
    typealias Scalar = ToyScalar<53>
    static let parameters = (p: 47, b: 25)
    static let generatorWindow = 2
    static let multiples = makeMultiples()
}

enum Toy251Order223: ToyCurve {
    typealias Field = ToyField<251>
    typealias Scalar = ToyScalar<223>
    static let parameters = (p: 251, b: 26)
    static let generatorWindow = 8
    static let multiples = makeMultiples()
}

enum Toy239Order251: ToyCurve {
    typealias Field = ToyField<239>
    typealias Scalar = ToyScalar<251>
    static let parameters = (p: 239, b: 50)
    static let generatorWindow = 7
    static let multiples = makeMultiples()
}
