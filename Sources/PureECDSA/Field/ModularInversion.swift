// Computes x⁻¹ mod m with Bernstein and Yang's "safegcd" (https://eprint.iacr.org/2019/266). The low bits of f and g
// determine the next 62 division steps, and a 2×2 matrix applies these 62 steps to f and g at once. This is the
// variable-time form, which skips runs of zero bits (§4) and stops when g = 0. All inputs are public.

/// A signed integer in 62-bit limbs, least significant first. The highest limb is signed; all other limbs are in [0,
/// 2⁶²). Each limb has two spare bits, so that the sums in ``TransitionMatrix`` need no intermediate carries.
struct Signed62<let limbCount: Int>: Sendable {
    var limbs: InlineArray<limbCount, Int64>

    static var mask: UInt64 { 1 << 62 - 1 }

    /// Converts unsigned limbs. Bounds: 64·N ≤ 62·limbCount + 1, so all bits fit and the highest limb is not negative.
    init<let N: Int>(_ x: InlineArray<N, UInt64>) {
        limbs = InlineArray(repeating: 0)
        for i in 0..<limbCount {
            let position = 62 * i
            guard position < 64 * N else { break }
            limbs[i] = Int64(bitPattern: x.bits(at: position, count: 62))  // ⌊x/2^(62i)⌋ mod 2⁶²
        }
    }

    /// Converts to unsigned limbs. Bounds: 0 ≤ self < 2^(64·N).
    func unsigned<let N: Int>() -> InlineArray<N, UInt64> {
        var x = InlineArray<N, UInt64>(repeating: 0)
        for i in 0..<limbCount {
            let limb = UInt64(bitPattern: limbs[i]), position = 62 * i, j = position >> 6
            let shift = UInt64(truncatingIfNeeded: position & 63)
            if j < N { x[j] |= limb << shift }  // the limb's bits in word j
            if shift > 2, j + 1 < N { x[j + 1] |= limb >> (64 - shift) }  // and in word j + 1
        }
        return x
    }

    init(one: Int64) {
        limbs = InlineArray(repeating: 0)
        limbs[0] = one
    }

    var isZero: Bool {
        var bits: Int64 = 0
        for i in 0..<limbCount { bits |= limbs[i] }
        return bits == 0
    }
}

/// A 128-bit sum of products of signed words. Avoids `Int128` multiplication, which is a library call on wasm32.
private struct ProductSum {
    var high: Int64 = 0
    var low: UInt64 = 0

    /// Adds a·b. Bounds: the caller ensures that every sum is below 2¹²⁷ in absolute value (see ``TransitionMatrix``).
    @inline(__always)
    mutating func add(_ a: Int64, _ b: Int64) {
        let product = a.multipliedFullWidth(by: b)  // a·b, 128 bits
        var carry: UInt64 = 0
        low = addWithCarry(low, product.low, &carry)  // bits 0 … 63
        high = high &+ product.high &+ Int64(truncatingIfNeeded: carry)  // bits 64 … 127: |sum| < 2¹²⁷
    }

    /// The lowest 62 bits as a limb.
    @inline(__always)
    var limb: Int64 { Int64(truncatingIfNeeded: low & (1 << 62 - 1)) }

    /// Divides by 2⁶², rounding down.
    @inline(__always)
    mutating func shift() {
        low = low >> 62 | UInt64(bitPattern: high) << 2  // bits 62 … 125
        high >>= 62  // the bits from 126 up, with the sign
    }
}

/// 2⁶² times the matrix of 62 division steps: (f, g) ↦ (u·f + v·g, q·f + r·g)/2⁶². Bounds: |u| + |v| ≤ 2⁶² and |q| +
/// |r| ≤ 2⁶² (2019/266 §9, Theorem 9.1 by induction: a step doubles one row, or adds the rows and doubles one). A
/// product sum u·x + v·y of limbs |x|, |y| < 2⁶³ is below 2¹²⁵ in absolute value.
private struct TransitionMatrix {
    var u: Int64 = 1, v: Int64 = 0, q: Int64 = 0, r: Int64 = 1

    /// Performs 62 division steps on the low words of f (odd) and g, and updates η = −δ. Time: variable.
    @inline(__always)
    init(eta: inout Int64, f lowF: UInt64, g lowG: UInt64) {
        var f = lowF, g = lowG, left = 62
        while true {
            // Each trailing zero of g is one step (f, g) ↦ (f, g/2). Ones from bit `left` up limit the count to `left`.
            let zeros = (g | ~0 << UInt64(truncatingIfNeeded: left)).trailingZeroBitCount  // at most `left`
            g >>= UInt64(truncatingIfNeeded: zeros)  // g ↦ g/2^zeros
            u <<= Int64(truncatingIfNeeded: zeros)  // f does not change, so its row is multiplied by 2^zeros
            v <<= Int64(truncatingIfNeeded: zeros)  // the same
            eta -= Int64(truncatingIfNeeded: zeros)  // δ ↦ δ + zeros
            left -= zeros  // 62 steps in all
            if left == 0 { return }
            // g is odd. If δ > 0, the step swaps: (f, g) ↦ (g, −f …).
            var bits: UInt64 = 4
            if eta < 0 {
                eta = 0 &- eta  // δ ↦ −δ
                (f, g) = (g, 0 &- f)  // (g, −f); w·f is added below
                (u, q) = (q, 0 &- u)  // the rows swap
                (v, r) = (r, 0 &- v)  // as f and g do
                bits = 6
            }
            // While η ≥ 0 and `left` > 0, each further step halves g, after adding f if g is odd. Together these steps
            // add w·f to g, with g + w·f ≡ 0 mod 2^bits, so w = −g/f. Modulo 16, 1/f = f + 2·((f + 1) & 4), because f²
            // is 1 or 9. Modulo 64, 1/f = f·(2 − f²), because f² ≡ 1 mod 8 makes (1 − f²)² ≡ 0 mod 64.
            let limit = min(eta &+ 1, min(Int64(truncatingIfNeeded: left), Int64(truncatingIfNeeded: bits)))  // steps
            let mask = UInt64.max >> UInt64(truncatingIfNeeded: 64 &- limit)  // 2^limit − 1
            let inverse = bits == 6 ? f &* (2 &- f &* f) : f &+ ((f &+ 1) & 4) << 1  // 1/f mod 2^bits
            let w = (0 &- g &* inverse) & mask  // w = −g/f mod 2^limit
            g = g &+ f &* w  // g + w·f ≡ 0 mod 2^limit
            q = q &+ u &* Int64(bitPattern: w)  // q ↦ q + w·u
            r = r &+ v &* Int64(bitPattern: w)  // r ↦ r + w·v
        }
    }

    /// (f, g) ↦ (u·f + v·g, q·f + r·g)/2⁶². The choice of the steps makes the division exact.
    @inline(__always)
    func apply<let N: Int>(f: inout Signed62<N>, g: inout Signed62<N>, count: Int) {
        var x = ProductSum(), y = ProductSum()
        x.add(u, f.limbs[0])  // x = u·f₀
        x.add(v, g.limbs[0])  // + v·g₀ ≡ 0 mod 2⁶²
        y.add(q, f.limbs[0])  // y = q·f₀
        y.add(r, g.limbs[0])  // + r·g₀ ≡ 0 mod 2⁶²
        assert(x.limb == 0 && y.limb == 0)
        x.shift()  // /2⁶², exact
        y.shift()  // /2⁶², exact
        for i in 1..<count {
            let fi = f.limbs[i], gi = g.limbs[i]
            x.add(u, fi)  // x + u·fᵢ
            x.add(v, gi)  // + v·gᵢ
            y.add(q, fi)  // y + q·fᵢ
            y.add(r, gi)  // + r·gᵢ
            f.limbs[i - 1] = x.limb  // limb i − 1 of the quotient, in [0, 2⁶²)
            g.limbs[i - 1] = y.limb  // the same
            x.shift()  // the carry into limb i
            y.shift()  // the same
        }
        f.limbs[count - 1] = Int64(bitPattern: x.low)  // the highest limb, with the sign
        g.limbs[count - 1] = Int64(bitPattern: y.low)  // the same
    }
}

/// Inversion modulo one odd number m < 2^(62·limbCount − 2).
struct ModularInversion<let limbCount: Int>: Sendable {
    let modulus: Signed62<limbCount>
    /// m⁻¹ mod 2⁶².
    let modulusInverse: UInt64

    /// Bounds: the modulus is odd. Newton's iteration for m⁻¹ doubles the number of correct bits, from 3 to 96.
    init<let N: Int>(modulus: InlineArray<N, UInt64>) {
        let m = modulus[0]
        var inverse = m  // m·m ≡ 1 mod 8 for odd m
        for _ in 0..<5 { inverse = inverse &* (2 &- m &* inverse) }  // 3, 6, 12, 24, 48, 96 bits
        self.modulus = Signed62(modulus)
        modulusInverse = inverse & Signed62<limbCount>.mask  // m⁻¹ mod 2⁶²
    }

    /// x⁻¹ mod m in [0, m), and 0 for x = 0. Bounds: x < m, gcd(x, m) = 1 or x = 0. Time: variable. The loop
    /// terminates, because g = 0 after at most (49·bits + 57)/17 steps, with bits ≤ 384 (2019/266 Theorem 11.2).
    func invertVarTime<let N: Int>(_ x: InlineArray<N, UInt64>) -> InlineArray<N, UInt64> {
        inverse(Signed62(x)).unsigned()
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    private func inverse(_ x: Signed62<limbCount>) -> Signed62<limbCount> {
        var f = modulus, g = x  // f = m, g = x
        // Invariant: d·x ≡ f and e·x ≡ g mod m.
        var d = Signed62<limbCount>(one: 0), e = Signed62<limbCount>(one: 1)  // 0·x ≡ m, 1·x ≡ x
        var eta: Int64 = -1, count = limbCount, rounds = 0  // δ = 1
        while !g.isZero {
            precondition(rounds < 18, "49·384/17 steps are 18 rounds of 62")
            let low = (
                UInt64(bitPattern: f.limbs[0] | f.limbs[1] << 62), UInt64(bitPattern: g.limbs[0] | g.limbs[1] << 62)
            )
            let matrix = TransitionMatrix(eta: &eta, f: low.0, g: low.1)  // 62 steps
            update(matrix, &d, &e)  // keeps the invariant
            matrix.apply(f: &f, g: &g, count: count)  // (f, g) after 62 steps
            // f and g shrink. If both highest limbs are only signs (0 or −1), the signs move one limb down.
            let fTop = f.limbs[count - 1], gTop = g.limbs[count - 1]
            if count > 1, (fTop == 0 || fTop == -1) && (gTop == 0 || gTop == -1) {
                f.limbs[count - 2] |= fTop << 62  // f's sign at bit 62
                g.limbs[count - 2] |= gTop << 62  // g's sign at bit 62
                f.limbs[count - 1] = 0
                g.limbs[count - 1] = 0
                count -= 1
            }
            rounds += 1
        }
        // f = ±gcd = ±1 (or ±m for x = 0, which returns d = 0).
        return normalized(d, negate: f.limbs[count - 1] < 0)
    }

    /// (d, e) ↦ (u·d + v·e, q·d + r·e)/2⁶² mod m. Bounds: −2m < d, e < m before and after. If d is negative, u·m is
    /// added; if e is negative, v·m is added. So the sums are in (−2⁶²·m, 2⁶²·m). Then adding a multiple of m clears
    /// the lowest 62 bits; the multiple is in (−2⁶²·m, 0].
    private func update(_ t: TransitionMatrix, _ d: inout Signed62<limbCount>, _ e: inout Signed62<limbCount>) {
        let dSign = d.limbs[limbCount - 1] >> 63, eSign = e.limbs[limbCount - 1] >> 63  // −1 if negative, else 0
        var md = (t.u & dSign) &+ (t.v & eSign), me = (t.q & dSign) &+ (t.r & eSign)  // multiples of m to add
        var x = ProductSum(), y = ProductSum()
        x.add(t.u, d.limbs[0])  // x = u·d₀
        x.add(t.v, e.limbs[0])  // + v·e₀
        y.add(t.q, d.limbs[0])  // y = q·d₀
        y.add(t.r, e.limbs[0])  // + r·e₀
        let mask = Signed62<limbCount>.mask
        md = md &- Int64(bitPattern: (modulusInverse &* x.low &+ UInt64(bitPattern: md)) & mask)  // md ≡ −x/m mod 2⁶²
        me = me &- Int64(bitPattern: (modulusInverse &* y.low &+ UInt64(bitPattern: me)) & mask)  // me ≡ −y/m mod 2⁶²
        x.add(modulus.limbs[0], md)  // x + md·m₀ ≡ 0 mod 2⁶²
        y.add(modulus.limbs[0], me)  // y + me·m₀ ≡ 0 mod 2⁶²
        assert(x.limb == 0 && y.limb == 0)
        x.shift()  // /2⁶², exact
        y.shift()  // /2⁶², exact
        for i in 1..<limbCount {
            let di = d.limbs[i], ei = e.limbs[i], mi = modulus.limbs[i]
            x.add(t.u, di)  // x + u·dᵢ
            x.add(t.v, ei)  // + v·eᵢ
            x.add(mi, md)  // + md·mᵢ
            y.add(t.q, di)  // y + q·dᵢ
            y.add(t.r, ei)  // + r·eᵢ
            y.add(mi, me)  // + me·mᵢ
            d.limbs[i - 1] = x.limb  // limb i − 1 of the quotient, in [0, 2⁶²)
            e.limbs[i - 1] = y.limb  // the same
            x.shift()  // the carry into limb i
            y.shift()  // the same
        }
        d.limbs[limbCount - 1] = Int64(bitPattern: x.low)  // the highest limb, with the sign
        e.limbs[limbCount - 1] = Int64(bitPattern: y.low)  // the same
    }

    /// ±d mod m in [0, m), for −2m < d < m.
    private func normalized(_ d: Signed62<limbCount>, negate: Bool) -> Signed62<limbCount> {
        var d = d
        d.add(modulus, if: d.isNegative)  // in (−m, m)
        if negate { d.negate() }  // ±d, still in (−m, m)
        d.add(modulus, if: d.isNegative)  // in [0, m)
        return d
    }
}

extension Signed62 {
    fileprivate var isNegative: Bool { limbs[limbCount - 1] < 0 }

    fileprivate mutating func negate() {
        for i in 0..<limbCount { limbs[i] = 0 &- limbs[i] }
        carry()
    }

    fileprivate mutating func add(_ other: Self, if condition: Bool) {
        guard condition else { return }
        for i in 0..<limbCount { limbs[i] = limbs[i] &+ other.limbs[i] }
        carry()
    }

    /// Carries from limb to limb, so that all limbs below the highest are in [0, 2⁶²).
    private mutating func carry() {
        for i in 1..<limbCount {
            limbs[i] = limbs[i] &+ limbs[i - 1] >> 62  // the carry, rounded down
            limbs[i - 1] &= Int64(bitPattern: Self.mask)  // in [0, 2⁶²)
        }
    }
}

#if hasFeature(Embedded)
    /// In Embedded Swift, both curves use the same width, so their inversions share one function. This halves the code.
    typealias P256Inversion = ModularInversion<7>
#else
    typealias P256Inversion = ModularInversion<5>
#endif

extension P256Inversion {
    static var p256Field: Self { Self(modulus: [P256Field.p0, P256Field.p1, P256Field.p2, P256Field.p3]) }
}

extension ModularInversion<7> {
    static var p384Field: Self {
        Self(modulus: [P384Field.p0, P384Field.p1, P384Field.p2, P384Field.p3, P384Field.p3, P384Field.p3])
    }
}
