/// Arithmetic mod a prime p ≡ 3 mod 4, with the operations that the point formulas need.
///
/// The formulas are written once, generic over this protocol. P-256 and P-384 have their own conforming types, and the
/// optimiser specialises the formulas for these types within this module. The tests use one-limb toy fields, so that
/// they can try every case. Each field chooses its own domain. ``init(plain:)`` and ``plain`` convert from and to plain
/// numbers.
///
/// In Embedded Swift, all field operations are calls, including the operations with `inline` in their names
/// (``MontgomeryField``).
protocol PrimeField: Equatable, Sendable {
    /// An unsigned integer type as wide as the field, least significant limb first.
    associatedtype Plain: LimbArray

    static var zero: Self { get }
    static var one: Self { get }
    /// The length of an element in octets, ⌈log₂₅₆ p⌉ (SEC 1 §2.3.5).
    static var byteCount: Int { get }

    /// Returns `nil` unless the number is below p.
    init?(plain: Plain)
    /// The representative below p.
    var plain: Plain { get }

    static func + (a: Self, b: Self) -> Self
    static func - (a: Self, b: Self) -> Self
    static func * (a: Self, b: Self) -> Self
    func squared() -> Self
    /// a·b, inlined. The doubling and addition of points use this form, because they take nearly all of the time.
    func inlineProduct(_ b: Self) -> Self
    /// a², inlined.
    func inlineSquare() -> Self
    /// A product before its reduction.
    associatedtype Product
    func fullProduct(_ b: Self) -> Product
    func fullSquare() -> Product
    /// t − u, reduced once. Reducing each product would take two reductions.
    static func reducedDifference(_ t: Product, _ u: Product) -> Self
    func halved() -> Self
    var isZero: Bool { get }
    /// x⁻¹, and 0 for 0. Time: variable.
    func invertedVarTime() -> Self
    /// Returns a square root, or `nil` if there is none. Time: variable.
    func squareRootVarTime() -> Self?
}

extension PrimeField {
    func inlineProduct(_ b: Self) -> Self { self * b }

    func inlineSquare() -> Self { squared() }

    /// x^(2ᵏ).
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    func squared(times k: Int) -> Self {
        var x = self
        for _ in 0..<k { x = x.squared() }
        return x
    }

    @inline(__always)
    func doubled() -> Self { self + self }

    @inline(__always)
    func negated() -> Self { Self.zero - self }
}
