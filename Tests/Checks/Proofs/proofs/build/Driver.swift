// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Only the proofs compile this file, so its declarations are not part of the API.

// Each public function calls one unmodified routine, and passes operands and result in memory. Without these functions,
// the compiler would inline or drop the routines. The proofs cover these functions and all code that they call.

public typealias Words = UnsafePointer<UInt64>
public typealias Result = UnsafeMutablePointer<UInt64>

@inline(__always)
private func field256(_ p: Words) -> P256Field { unsafe P256Field(p[0], p[1], p[2], p[3]) }

@inline(__always)
private func scalar256(_ p: Words) -> P256Scalar { unsafe P256Scalar(unchecked: [p[0], p[1], p[2], p[3]]) }

@inline(__always)
private func store(_ x: P256Field, _ r: Result) {
    unsafe (r[0], r[1], r[2], r[3]) = (x.l0, x.l1, x.l2, x.l3)
}

@inline(__always)
private func store(_ x: InlineArray<4, UInt64>, _ r: Result) {
    unsafe (r[0], r[1], r[2], r[3]) = (x[0], x[1], x[2], x[3])
}

@inline(__always)
private func field384(_ p: Words) -> P384Field { unsafe P384Field(p[0], p[1], p[2], p[3], p[4], p[5]) }

@inline(__always)
private func scalar384(_ p: Words) -> P384Scalar {
    unsafe P384Scalar(unchecked: [p[0], p[1], p[2], p[3], p[4], p[5]])
}

@inline(__always)
private func store(_ x: P384Field, _ r: Result) {
    unsafe (r[0], r[1], r[2], r[3], r[4], r[5]) = (x.l0, x.l1, x.l2, x.l3, x.l4, x.l5)
}

@inline(__always)
private func store(_ x: InlineArray<6, UInt64>, _ r: Result) {
    unsafe (r[0], r[1], r[2], r[3], r[4], r[5]) = (x[0], x[1], x[2], x[3], x[4], x[5])
}

// MARK: P-256

public func p256_add(_ r: Result, _ a: Words, _ b: Words) { unsafe store(field256(a) + field256(b), r) }
public func p256_subtract(_ r: Result, _ a: Words, _ b: Words) { unsafe store(field256(a) - field256(b), r) }
public func p256_double(_ r: Result, _ a: Words) { unsafe store(field256(a).doubled(), r) }
public func p256_negate(_ r: Result, _ a: Words) { unsafe store(field256(a).negated(), r) }
public func p256_halve(_ r: Result, _ a: Words) { unsafe store(field256(a).halved(), r) }
public func p256_product(_ r: Result, _ a: Words, _ b: Words) {
    unsafe store(field256(a).inlineProduct(field256(b)), r)
}
public func p256_square(_ r: Result, _ a: Words) { unsafe store(field256(a).inlineSquare(), r) }
public func p256_calledProduct(_ r: Result, _ a: Words, _ b: Words) { unsafe store(field256(a) * field256(b), r) }
public func p256_calledSquare(_ r: Result, _ a: Words) { unsafe store(field256(a).squared(), r) }
public func p256_productDifference(_ r: Result, _ a: Words, _ b: Words, _ c: Words, _ d: Words) {
    let t = unsafe field256(a).fullProduct(field256(b)), u = unsafe field256(c).fullProduct(field256(d))
    unsafe store(P256Field.reducedDifference(t, u), r)
}
public func p256_squareDifference(_ r: Result, _ a: Words, _ b: Words, _ c: Words) {
    let t = unsafe field256(a).fullProduct(field256(b)), u = unsafe field256(c).fullSquare()
    unsafe store(P256Field.reducedDifference(t, u), r)
}
public func p256_isZero(_ a: Words) -> Bool { unsafe field256(a).isZero }
public func p256_equals(_ a: Words, _ b: Words) -> Bool { unsafe field256(a) == field256(b) }
public func p256_leave(_ r: Result, _ a: Words) { unsafe store(field256(a).plain, r) }
public func p256_enter(_ r: Result, _ a: Words) -> Bool {
    guard let x = unsafe P256Field(plain: [a[0], a[1], a[2], a[3]]) else { return false }
    unsafe store(x, r)
    return true
}
public func n256_product(_ r: Result, _ a: Words, _ b: Words) { unsafe store((scalar256(a) * scalar256(b)).plain, r) }
public func n256_enter(_ r: Result, _ a: Words) -> Bool {
    guard let x = unsafe P256Scalar(plain: [a[0], a[1], a[2], a[3]]) else { return false }
    unsafe store(x.plain, r)
    return true
}
public func p256_invert(_ r: Result, _ a: Words) { unsafe store(field256(a).invertedVarTime(), r) }
public func n256_invert(_ r: Result, _ a: Words) { unsafe store(scalar256(a).invertedVarTime().plain, r) }

// MARK: P-384

public func p384_add(_ r: Result, _ a: Words, _ b: Words) { unsafe store(field384(a) + field384(b), r) }
public func p384_subtract(_ r: Result, _ a: Words, _ b: Words) { unsafe store(field384(a) - field384(b), r) }
public func p384_double(_ r: Result, _ a: Words) { unsafe store(field384(a).doubled(), r) }
public func p384_negate(_ r: Result, _ a: Words) { unsafe store(field384(a).negated(), r) }
public func p384_halve(_ r: Result, _ a: Words) { unsafe store(field384(a).halved(), r) }
public func p384_product(_ r: Result, _ a: Words, _ b: Words) {
    unsafe store(field384(a).inlineProduct(field384(b)), r)
}
public func p384_square(_ r: Result, _ a: Words) { unsafe store(field384(a).inlineSquare(), r) }
public func p384_calledProduct(_ r: Result, _ a: Words, _ b: Words) { unsafe store(field384(a) * field384(b), r) }
public func p384_calledSquare(_ r: Result, _ a: Words) { unsafe store(field384(a).squared(), r) }
public func p384_productDifference(_ r: Result, _ a: Words, _ b: Words, _ c: Words, _ d: Words) {
    let t = unsafe field384(a).fullProduct(field384(b)), u = unsafe field384(c).fullProduct(field384(d))
    unsafe store(P384Field.reducedDifference(t, u), r)
}
public func p384_squareDifference(_ r: Result, _ a: Words, _ b: Words, _ c: Words) {
    let t = unsafe field384(a).fullProduct(field384(b)), u = unsafe field384(c).fullSquare()
    unsafe store(P384Field.reducedDifference(t, u), r)
}
public func p384_isZero(_ a: Words) -> Bool { unsafe field384(a).isZero }
public func p384_equals(_ a: Words, _ b: Words) -> Bool { unsafe field384(a) == field384(b) }
public func p384_leave(_ r: Result, _ a: Words) { unsafe store(field384(a).plain, r) }
public func p384_enter(_ r: Result, _ a: Words) -> Bool {
    guard let x = unsafe P384Field(plain: [a[0], a[1], a[2], a[3], a[4], a[5]]) else { return false }
    unsafe store(x, r)
    return true
}
public func n384_product(_ r: Result, _ a: Words, _ b: Words) { unsafe store((scalar384(a) * scalar384(b)).plain, r) }
public func n384_enter(_ r: Result, _ a: Words) -> Bool {
    guard let x = unsafe P384Scalar(plain: [a[0], a[1], a[2], a[3], a[4], a[5]]) else { return false }
    unsafe store(x.plain, r)
    return true
}
public func p384_invert(_ r: Result, _ a: Words) { unsafe store(field384(a).invertedVarTime(), r) }
public func n384_invert(_ r: Result, _ a: Words) { unsafe store(scalar384(a).invertedVarTime().plain, r) }

// MARK: Recoding

public func windows4_recode(
    _ windows: UnsafeMutableRawPointer, _ a: Words, _ bitCount: Int, _ partBits: Int, _ firstWidth: Int, _ width: Int,
    _ row: Int
) {
    unsafe windows.assumingMemoryBound(to: SignedWindows.self).pointee.recode(
        [a[0], a[1], a[2], a[3]] as InlineArray<4, UInt64>, bitCount: bitCount, partBits: partBits,
        firstWidth: firstWidth,
        width: width, row: row)
}
public func windows6_recode(
    _ windows: UnsafeMutableRawPointer, _ a: Words, _ bitCount: Int, _ partBits: Int, _ firstWidth: Int, _ width: Int,
    _ row: Int
) {
    unsafe windows.assumingMemoryBound(to: SignedWindows.self).pointee.recode(
        [a[0], a[1], a[2], a[3], a[4], a[5]] as InlineArray<6, UInt64>, bitCount: bitCount, partBits: partBits,
        firstWidth: firstWidth, width: width, row: row)
}
