/// An integer mod n, the prime order of a curve, with the operations that ECDSA and ``SignedWindows`` need. A
/// verification needs only two multiplications and one inversion of scalars, so this code is short rather than fast.
/// The code uses loops, and keeps numbers outside the Montgomery domain.
protocol CurveScalar: Equatable, Sendable {
    /// An unsigned integer type as wide as n, least significant limb first.
    associatedtype Plain: LimbArray

    static var order: Plain { get }
    /// −n⁻¹ mod 2⁶⁴.
    static var negatedOrderInverse: UInt64 { get }
    /// R² mod n, where R = 2^(64·limbs).
    static var rSquared: Plain { get }
    /// The length of an encoded scalar in octets, ⌈log₂₅₆ n⌉.
    static var byteCount: Int { get }

    /// The number, below n.
    var plain: Plain { get }
    /// The number must be below n, which is not checked.
    init(unchecked plain: Plain)
    /// x⁻¹, and 0 for 0. Time: variable.
    func invertedVarTime() -> Self
}

extension CurveScalar {
    /// Reads a number, most significant octet first; `nil` unless exactly ``byteCount`` octets encode a number below n.
    init?(bigEndian bytes: Span<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(plain: Plain(bigEndian: bytes))
    }

    /// Returns `nil` unless the number is below n.
    init?(plain: Plain) {
        guard plain.isLess(than: Self.order) else { return nil }
        self.init(unchecked: plain)
    }

    /// The leftmost ⌈log₂ n⌉ bits of the digest (FIPS 186-5 §6.4.2 step 2), reduced mod n. Bounds: these bits are a
    /// number below 2^⌈log₂ n⌉ < 2n, so one subtraction reduces it.
    init(digest: Span<UInt8>) {
        let bitCount = Self.bitCount
        var z = Plain(bigEndian: digest.extracting(first: (bitCount + 7) / 8))  // the leftmost octets
        let excess = min(digest.count * 8, (bitCount + 7) & ~7) - bitCount  // bits beyond ⌈log₂ n⌉
        if excess > 0 { z.shiftRight(by: excess) }  // z < 2^⌈log₂ n⌉ < 2n
        if !z.isLess(than: Self.order) { _ = z.subtract(Self.order) }  // z < n
        self.init(unchecked: z)
    }

    /// The bit length of n, which is ⌈log₂ n⌉ because n is not a power of two. Bounds: n's highest limb is not 0.
    static var bitCount: Int { 64 * Plain.limbCount - order[limb: Plain.limbCount - 1].leadingZeroBitCount }

    var isZero: Bool { plain.isZero }

    static func == (a: Self, b: Self) -> Bool {
        for i in 0..<Plain.limbCount where a.plain[limb: i] != b.plain[limb: i] { return false }
        return true
    }

    /// a·b mod n, as two Montgomery products: a with R², and the result with b.
    static func * (a: Self, b: Self) -> Self {
        Self(unchecked: montgomeryProduct(montgomeryProduct(a.plain, rSquared), b.plain))  // (a·R² · R⁻¹)·b·R⁻¹
    }

    /// a·b·R⁻¹ mod n (CIOS, Koç–Acar–Kaliski 1996 §5). Bounds: a, b < n, result < n; t < 2n after each row.
    private static func montgomeryProduct(_ a: Plain, _ b: Plain) -> Plain {
        let n = order
        var t = Plain.zero, top: UInt64 = 0
        for i in 0..<Plain.limbCount {
            var carry: UInt64 = 0
            // t ← t + a·bᵢ
            for j in 0..<Plain.limbCount { t[limb: j] = multiplyAdd(a[limb: j], b[limb: i], t[limb: j], &carry) }
            var over: UInt64 = 0
            top = addWithCarry(top, carry, &over)  // t[s]; t[s + 1] is `over`
            let m = t[limb: 0] &* negatedOrderInverse  // m = t[0]·n′[0] mod 2⁶⁴
            carry = 0
            _ = multiplyAdd(m, n[limb: 0], t[limb: 0], &carry)  // t[0] + m·n[0] ≡ 0 mod 2⁶⁴
            // t ← (t + m·n)/2⁶⁴
            for j in 1..<Plain.limbCount { t[limb: j - 1] = multiplyAdd(m, n[limb: j], t[limb: j], &carry) }
            var last: UInt64 = 0
            t[limb: Plain.limbCount - 1] = addWithCarry(top, carry, &last)  // t[s − 1] = t[s] + C
            top = over &+ last  // t[s] = t[s + 1] + C
        }
        if top != 0 || !t.isLess(than: n) { _ = t.subtract(n) }  // t < 2n, so t − n < n
        return t
    }
}
