// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Only the proofs compile this file, so its declarations are not part of the API.

// release.py appends this file to a copy of Sources/PureECDSA/Field/ModularInversion.swift, because this driver calls
// private functions of that file.

public typealias Numbers = UnsafeMutablePointer<Int64>

@inline(__always)
private func matrix(_ t: Numbers) -> TransitionMatrix {
    var m = TransitionMatrix()
    unsafe (m.u, m.v, m.q, m.r) = (t[0], t[1], t[2], t[3])
    return m
}

extension TransitionMatrix {
    fileprivate init() {}
}

@inline(__always)
private func load<let N: Int>(_ p: Numbers) -> Signed62<N> {
    var x = Signed62<N>(one: 0)
    for i in 0..<N { x.limbs[i] = unsafe p[i] }
    return x
}

@inline(__always)
private func store<let N: Int>(_ x: Signed62<N>, _ p: Numbers) {
    for i in 0..<N { unsafe p[i] = x.limbs[i] }
}

public func inversion5_apply(_ f: Numbers, _ g: Numbers, _ t: Numbers, _ count: Int) {
    var x: Signed62<5> = load(f), y: Signed62<5> = load(g)
    matrix(t).apply(f: &x, g: &y, count: count)
    store(x, f)
    store(y, g)
}

public func inversion7_apply(_ f: Numbers, _ g: Numbers, _ t: Numbers, _ count: Int) {
    var x: Signed62<7> = load(f), y: Signed62<7> = load(g)
    matrix(t).apply(f: &x, g: &y, count: count)
    store(x, f)
    store(y, g)
}

extension ModularInversion {
    @inline(__always)
    fileprivate func updated(_ d: Numbers, _ e: Numbers, _ t: Numbers) {
        var x: Signed62<limbCount> = load(d), y: Signed62<limbCount> = load(e)
        update(matrix(t), &x, &y)
        store(x, d)
        store(y, e)
    }
}

#if !hasFeature(Embedded)  // in Embedded Swift, every modulus has seven limbs
    public func inversion5p_update(_ d: Numbers, _ e: Numbers, _ t: Numbers) {
        ModularInversion<5>.p256Field.updated(d, e, t)
    }
#endif
public func inversion7p_update(_ d: Numbers, _ e: Numbers, _ t: Numbers) {
    ModularInversion<7>.p384Field.updated(d, e, t)
}
public func inversion5n_update(_ d: Numbers, _ e: Numbers, _ t: Numbers) {
    ModularInversion<5>(modulus: P256Scalar.order).updated(d, e, t)
}
public func inversion7n_update(_ d: Numbers, _ e: Numbers, _ t: Numbers) {
    ModularInversion<7>(modulus: P384Scalar.order).updated(d, e, t)
}

extension ModularInversion {
    @inline(__always)
    fileprivate func made(_ d: Numbers, _ negate: Bool) { store(normalized(load(d), negate: negate), d) }
}

#if !hasFeature(Embedded)
    public func inversion5p_normalized(_ d: Numbers, _ negate: Bool) { ModularInversion<5>.p256Field.made(d, negate) }
#endif
public func inversion7p_normalized(_ d: Numbers, _ negate: Bool) { ModularInversion<7>.p384Field.made(d, negate) }
public func inversion5n_normalized(_ d: Numbers, _ negate: Bool) {
    ModularInversion<5>(modulus: P256Scalar.order).made(d, negate)
}
public func inversion7n_normalized(_ d: Numbers, _ negate: Bool) {
    ModularInversion<7>(modulus: P384Scalar.order).made(d, negate)
}

public typealias Limbs = UnsafeMutablePointer<UInt64>

public func inversion5_limbs(_ d: Numbers, _ a: Limbs) {
    store(Signed62<5>(unsafe [a[0], a[1], a[2], a[3]]), d)
}
public func inversion7_limbs(_ d: Numbers, _ a: Limbs) {
    store(Signed62<7>(unsafe [a[0], a[1], a[2], a[3], a[4], a[5]]), d)
}
public func inversion5_unsigned(_ r: Limbs, _ d: Numbers) {
    let x: Signed62<5> = load(d), words: InlineArray<4, UInt64> = x.unsigned()
    for i in 0..<4 { unsafe r[i] = words[i] }
}
public func inversion7_unsigned(_ r: Limbs, _ d: Numbers) {
    let x: Signed62<7> = load(d), words: InlineArray<6, UInt64> = x.unsigned()
    for i in 0..<6 { unsafe r[i] = words[i] }
}

#if hasFeature(Embedded)  // in Embedded Swift, 256-bit numbers also have seven limbs
    public func inversion7of4_limbs(_ d: Numbers, _ a: Limbs) {
        store(Signed62<7>(unsafe [a[0], a[1], a[2], a[3]]), d)
    }
    public func inversion7of4_unsigned(_ r: Limbs, _ d: Numbers) {
        let x: Signed62<7> = load(d), words: InlineArray<4, UInt64> = x.unsigned()
        for i in 0..<4 { unsafe r[i] = words[i] }
    }
#endif
