/// A prime field in Montgomery form with a fixed number of limbs, for P-256 and P-384. With R = 2^(64·limbs), the limbs
/// of x are congruent to x·R mod p. Reduction is "lazy": the limbs may contain any number below R. Conforming types
/// provide the *kernels*: straight-line code, always inlined. This file builds the *operations* from them.
protocol MontgomeryField: PrimeField {
    init(words: Plain)
    /// The limbs, unreduced.
    var words: Plain { get }

    /// R² mod p. A Montgomery product with this constant converts a plain number to the Montgomery domain.
    static var rSquared: Self { get }
    /// R³ mod p, for ``invertedVarTime()``.
    static var rCubed: Self { get }
    /// (self + R − p) mod R, and the carry. The carry is 1 exactly if self is p or more.
    func addingComplement() -> (sum: Self, carry: UInt64)
    /// x⁻¹ mod p, where the limbs contain x < p; 0 for x = 0. Time: variable.
    static func inverse(_ words: Plain) -> Plain

    // The kernels.

    static func sum(_ a: Self, _ b: Self) -> Self
    static func difference(_ a: Self, _ b: Self) -> Self
    func half() -> Self
    /// self·b, as an integer.
    func schoolbookProduct(_ b: Self) -> Product
    /// self², as an integer.
    func schoolbookSquare() -> Product
    /// t·R⁻¹ mod p.
    static func reduction(_ t: Product) -> Self
    /// (t − u)·R⁻¹ mod p.
    static func reduction(_ t: Product, less u: Product) -> Self
    /// t·R⁻¹ mod p, where the limbs contain t < R. Bounds: the result is at most p.
    static func lowHalfReduction(_ t: Self) -> Self
}

// In Embedded Swift, each operation is a call. Calls shorten the code of the point formulas to a tenth. On a 32-bit
// processor, the calls hardly slow a verification down, because a product of elements takes 16 or 36 products of limbs.
// Each of these takes four multiplications.
#if hasFeature(Embedded)
    extension MontgomeryField {
        @inline(never) static func + (a: Self, b: Self) -> Self { sum(a, b) }
        @inline(never) static func - (a: Self, b: Self) -> Self { difference(a, b) }
        @inline(never) func halved() -> Self { half() }
        @inline(never) func fullProduct(_ b: Self) -> Product { schoolbookProduct(b) }
        @inline(never) func fullSquare() -> Product { schoolbookSquare() }
        @inline(never) static func reduced(_ t: Product) -> Self { reduction(t) }
        @inline(never) static func reducedDifference(_ t: Product, _ u: Product) -> Self { reduction(t, less: u) }
        @inline(never) static func reducedLowHalf(_ t: Self) -> Self { lowHalfReduction(t) }
        @inline(__always) func inlineProduct(_ b: Self) -> Self { self * b }
        @inline(__always) func inlineSquare() -> Self { squared() }
    }
#else
    extension MontgomeryField {
        @inline(__always) static func + (a: Self, b: Self) -> Self { sum(a, b) }
        @inline(__always) static func - (a: Self, b: Self) -> Self { difference(a, b) }
        @inline(__always) func halved() -> Self { half() }
        @inline(__always) func fullProduct(_ b: Self) -> Product { schoolbookProduct(b) }
        @inline(__always) func fullSquare() -> Product { schoolbookSquare() }
        @inline(__always) static func reduced(_ t: Product) -> Self { reduction(t) }
        @inline(__always) static func reducedDifference(_ t: Product, _ u: Product) -> Self { reduction(t, less: u) }
        @inline(__always) static func reducedLowHalf(_ t: Self) -> Self { lowHalfReduction(t) }
        @inline(__always) func inlineProduct(_ b: Self) -> Self { .reduced(fullProduct(b)) }
        @inline(__always) func inlineSquare() -> Self { .reduced(fullSquare()) }
    }
#endif

extension MontgomeryField {
    /// Returns whether two numbers are congruent mod p. Time: variable.
    static func == (a: Self, b: Self) -> Bool {
        (a - b).isZero
    }

    /// Enters the Montgomery domain. Domain: plain → Montgomery. Returns `nil` unless the number is below p.
    init?(plain: Plain) {
        let x = Self(words: plain)
        guard x.addingComplement().carry == 0 else { return nil }
        self = x * Self.rSquared  // x·R²·R⁻¹ = x·R
    }

    /// The plain number below p, outside the Montgomery domain, least significant limb first.
    var plain: Plain {
        var one = Plain.zero
        one[limb: 0] = 1
        return (self * Self(words: one)).canonical.words  // x·R·1·R⁻¹ = x
    }

    /// The same number, below p, still in the Montgomery domain.
    private var canonical: Self {
        let (sum, carry) = addingComplement()
        return carry == 0 ? self : sum  // below p, because self < R < 2p
    }

    /// x⁻¹, and 0 for 0. Time: variable. The limbs contain x·R, and `inverse` returns x⁻¹·R⁻¹. A Montgomery product
    /// with R³ converts this inverse to x⁻¹·R.
    func invertedVarTime() -> Self {
        Self(words: Self.inverse(canonical.words)) * Self.rCubed  // x⁻¹·R⁻¹·R³·R⁻¹ = x⁻¹·R
    }
}
