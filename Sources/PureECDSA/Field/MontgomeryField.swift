/// A field whose elements are Montgomery numbers of a fixed number of limbs: those of P-256 and P-384.
///
/// With R = 2^(64·limbs), x is held as limbs congruent to x·R mod p, "lazily": any number below R. The conforming types
/// have the *kernels*, straight code for one prime, always inlined; of those this file makes the *operations* that formulas call.
protocol MontgomeryField: PrimeField {
    init(words: Plain)
    /// The limbs, as they are.
    var words: Plain { get }

    /// R² mod p: a Montgomery product with it enters the domain.
    static var rSquared: Self { get }
    /// R³ mod p, for ``invertedVarTime()``.
    static var rCubed: Self { get }
    /// self + R − p, less R if that is reached: then the carry is 1, and this was p or more.
    func addingComplement() -> (sum: Self, carry: UInt64)
    /// x⁻¹ mod p of the number x < p that the limbs are, and 0 of 0. Time: variable.
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
    /// t·R⁻¹ mod p, of the number t < R that the limbs are. Bounds: the result is at most p.
    static func lowHalfReduction(_ t: Self) -> Self
}

// The operations. In Embedded Swift each is a call: point formulas are then a tenth as long, and a verification takes about as
// long on a processor of 32 bits, where a product is 16 or 36 multiplications of four parts each.
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
    /// Whether two numbers are congruent mod p. Time: variable.
    static func == (a: Self, b: Self) -> Bool {
        (a - b).isZero
    }

    /// Enters the Montgomery domain. Domain: plain → Montgomery. `nil` for a number of p or more.
    init?(plain: Plain) {
        let x = Self(words: plain)
        guard x.addingComplement().carry == 0 else { return nil }
        self = x * Self.rSquared
    }

    /// Leaves the Montgomery domain: the number below p, least significant limb first.
    var plain: Plain {
        var one = Plain.zero
        one[limb: 0] = 1
        return (self * Self(words: one)).canonical.words
    }

    /// The same number, below p (still in the Montgomery domain).
    private var canonical: Self {
        let (sum, carry) = addingComplement()
        return carry == 0 ? self : sum
    }

    /// x⁻¹, and 0 for 0. Time: variable.
    ///
    /// The limbs hold x·R; their inverse is x⁻¹·R⁻¹, and a Montgomery product with R³ makes x⁻¹·R of it.
    func invertedVarTime() -> Self {
        Self(words: Self.inverse(canonical.words)) * Self.rCubed
    }
}
