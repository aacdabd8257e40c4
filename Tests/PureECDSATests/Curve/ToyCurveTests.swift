import ReferenceModel
import Testing

@testable import PureECDSA

/// Runs the package's own point, recoding, decoding and verification code on every input of small curves. The results
/// also hold for the generic code of P-256 and P-384, because these curves differ from small curves only in their
/// fields. Expected points are indices into the model's list of multiples: for Q = dG, u₁·G + u₂·Q has the index
/// u₁ + u₂d mod n.
struct ToyCurveTests {
    @Test func curvesHaveTheirProperties() {
        check(Toy23Order17.self)
        check(Toy23Order31.self)
        check(Toy47Order41.self)
        check(Toy47Order53.self)
        check(Toy251Order223.self)
        check(Toy239Order251.self)
        // If n < p, some points have x in (n, p); verification compares their signatures with r + n.
        #expect(hasPointsBeyondN(Toy23Order17.self))
        #expect(hasPointsBeyondN(Toy47Order41.self))
        #expect(hasPointsBeyondN(Toy251Order223.self))
        func check<C: ToyCurve>(_: C.Type) {
            #expect(C.n == Int(C.Scalar.order[limb: 0]))
            #expect(C.n > 16 && C.windows.contains(5) && C.windows.contains(C.generatorWindow))
            #expect(C.multiples.dropFirst().allSatisfy { $0?.isOnCurve == true })
            #expect(C.multiples[0] == nil)
            #expect(C.generator == C.multiples[1])
        }
    }

    /// Tests all of Z/n and GF(p): the products of scalars, and both uses of the inversion. A small modulus exercises
    /// the steps of the inversion too.
    @Test func scalarsMultiplyAndInvert() {
        check(Toy23Order17.self)
        check(Toy23Order31.self)
        check(Toy251Order223.self)
        check(Toy239Order251.self)
        func check<C: ToyCurve>(_: C.Type) {
            for a in 0..<C.n {
                for b in 0..<C.n {
                    #expect(C.scalar(a) * C.scalar(b) == C.scalar(a * b % C.n), "\(a) · \(b) mod \(C.n)")
                }
                let inverse = C.scalar(a).invertedVarTime()
                #expect(C.scalar(a) * inverse == C.scalar(a == 0 ? 0 : 1), "1/\(a) mod \(C.n)")
            }
            for a in 0..<C.p {
                #expect(C.field(a) * C.field(a).invertedVarTime() == C.field(a == 0 ? 0 : 1), "1/\(a) mod \(C.p)")
            }
        }
    }

    /// Tests every odd prime below 2⁸ as modulus, because every number has an inverse only modulo a prime. Also tests
    /// moduli at both ends of 2⁶².
    @Test func invertsModuloEveryOddPrime() {
        for m in 3..<256 where (2..<m).allSatisfy({ m % $0 != 0 }) {
            let inversion = ModularInversion<2>(modulus: [UInt64(m)] as InlineArray<1, UInt64>)
            for x in 1..<m {
                let inverse = inversion.invertVarTime([UInt64(x)] as InlineArray<1, UInt64>)
                #expect(x * Int(inverse[0]) % m == 1 && inverse[0] < UInt64(m), "1/\(x) mod \(m)")
            }
        }
    }

    /// Tests P + Q and 2P for every P, Q and Z, including all exceptional cases and all forms of infinity.
    @Test func addsAndDoublesEverything() {
        #expect(check(Toy23Order17.self) == 17 * 22 * 17)
        #expect(check(Toy23Order31.self) == 31 * 22 * 31)
        func check<C: ToyCurve>(_: C.Type) -> Int {
            var count = 0
            for i in 0..<C.n {
                for z in 1..<C.p {
                    let form = jacobian(i, z: z)
                    #expect(form.doubled().affineVarTime() == C.multiples[2 * i % C.n], "2·\(i)G, Z = \(z)")
                    count += 1
                    for j in 1..<C.n {
                        var sum = form
                        sum.addVarTime(C.multiple(j))
                        #expect(sum.affineVarTime() == C.multiples[(i + j) % C.n], "\(i)G + \(j)G, Z = \(z)")
                        count += 1
                    }
                }
            }
            return count
            /// Returns iG with the given Z, or (z², z³, 0) for infinity.
            func jacobian(_ i: Int, z: Int) -> JacobianPoint<C> {
                let z = C.field(z)
                let (zz, zzz) = (z * z, z * z * z)
                guard let point = C.multiples[i] else { return JacobianPoint(X: zz, Y: zzz, Z: .zero) }
                return JacobianPoint(X: point.x * zz, Y: point.y * zzz, Z: z)
            }
        }
    }

    /// Computes the points for verification with a key, and tables of every width that n > 2^(w−1) admits: up to 5 for
    /// n = 17, and up to 8 for n = 223.
    @Test func computesEveryOddMultiple() {
        #expect(check(Toy23Order17.self) == 5)
        #expect(check(Toy23Order31.self) == 5)
        #expect(check(Toy47Order41.self) == 6)
        #expect(check(Toy251Order223.self) == 8)
        #expect(check(Toy239Order251.self) == 8)
        func check<C: ToyCurve>(_: C.Type) -> Int? {
            for d in 1..<C.n {
                let odd: InlineArray<8, _> = C.multiple(d).oddMultiples()
                for i in 0..<8 { #expect(odd[i] == C.multiples[(2 * i + 1) * d % C.n], "\(2 * i + 1)·\(d)G") }
                for table in C.tables(C.multiple(d)) {
                    let m = table.shape.multipleCount
                    #expect(m == 1 << (table.shape.window - 2) && table.points.count == m * 8 / table.shape.partBits)
                    for i in table.points.indices {
                        let k = (2 * (i % m) + 1) << (table.shape.partBits * (i / m))
                        #expect(table.points[i] == C.multiples[k * d % C.n], "\(k)·\(d)G")
                    }
                }
            }
            return C.windows.last
        }
    }

    /// Tests all (u₁, u₂, Q), with undivided scalars and with parts, for windows of every width. A debug build runs
    /// only the smaller curves.
    @Test func multipliesEverything() {
        #expect(multipliesAll(Toy23Order17.self, keys: 1..<17) == 16 * 17 * 17)
        #if !DEBUG
            #expect(multipliesAll(Toy23Order31.self, keys: 1..<31) == 30 * 31 * 31)
            #expect(multipliesAll(Toy47Order41.self, keys: 1..<41) == 40 * 41 * 41)
            #expect(multipliesAll(Toy47Order53.self, keys: 1..<53) == 52 * 53 * 53)
            #expect(multipliesAll(Toy251Order223.self, keys: [1, 2, 100, 222]) == 4 * 223 * 223)
            #expect(multipliesAll(Toy239Order251.self, keys: [1, 2, 100, 250]) == 4 * 251 * 251)
        #endif
    }

    private func multipliesAll<C: ToyCurve>(_: C.Type, keys: some Sequence<Int>) -> Int {
        var count = 0
        for d in keys {
            let Q = C.multiple(d)
            let tables = C.tables(Q)
            let multiples: InlineArray<2, _> = [Q, C.multiple(16 * d)]
            for u1 in 0..<C.n {
                for u2 in 0..<C.n {
                    let (a, b) = (C.scalar(u1), C.scalar(u2))
                    let expected = C.multiples[(u1 + u2 * d) % C.n]
                    let isRight =
                        C.doubleMultiplyVarTime(a, b, Q).affineVarTime() == expected
                        && C.doubleMultiplyVarTime(a, b, multiples).affineVarTime() == expected
                        && tables.allSatisfy { $0.doubleMultiplyVarTime(a, b).affineVarTime() == expected }
                    if !isRight { Issue.record("\(u1)·G + \(u2)·\(d)G in \(C.self)") }
                    count += 1
                }
            }
        }
        return count
    }

    /// Tests all (u₁, u₂) with any two points in place of Q and 2⁴·Q. The code under test does not check that the
    /// second point is the multiple of the first.
    @Test func multipliesWithGivenMultiples() {
        #if DEBUG
            check(Toy23Order17.self, [1, 2, 16])
        #else
            check(Toy23Order17.self, 1..<17)
            check(Toy47Order53.self, [1, 2, 25, 51, 52])
            check(Toy251Order223.self, [1, 100, 222])
        #endif
        func check<C: ToyCurve>(_: C.Type, _ keys: some Sequence<Int>) {
            for u2 in 0..<C.n {
                // Cuts u₂ = l + 16·h into parts with the recoding.
                var windows = SignedWindows()
                windows.recode(C.scalar(u2).plain, bitCount: 8, partBits: 4, firstWidth: 4, width: 4, row: 0)
                var halves = [0, 0]
                for i in 0...windows.highest {
                    var next = windows.first[i]
                    while next != 0 {
                        let digit = windows.digits[Int(next) - 1]
                        halves[Int(digit.row)] += Int(digit.value) << i
                        next = digit.next
                    }
                }
                #expect(halves[0] + 16 * halves[1] == u2)
                let (l, h) = (halves[0] + 16 * C.n, halves[1] + 16 * C.n)
                for low in keys {
                    for high in keys {
                        for u1 in 0..<C.n {
                            let product = C.doubleMultiplyVarTime(
                                C.scalar(u1), C.scalar(u2), [C.multiple(low), C.multiple(high)])
                            if product.affineVarTime() != C.multiples[(u1 + l * low + h * high) % C.n] {
                                Issue.record("\(u1)·G + \(u2)·(\(low)G, \(high)G) in \(C.self)")
                            }
                        }
                    }
                }
            }
        }
    }

    /// Verifies all (r, s, e) for chosen Q, with the plain and the precomputed key. Compares the verdicts with FIPS
    /// 186-5 §6.4.2 on indices. On the largest curves, the test uses only chosen values of s too. A debug build runs
    /// only the smallest curves. FIPS 186-5 §6.4.2 steps 3–8.
    @Test func verifiesEverything() {
        verifiesAll(Toy23Order17.self, keys: [1, 7, 16])
        #if !DEBUG
            verifiesAll(Toy23Order31.self, keys: [1, 2, 30])
            verifiesAll(Toy47Order41.self, keys: [25])
            verifiesAll(Toy47Order53.self, keys: [52])
            verifiesAll(Toy251Order223.self, keys: [5], onlyS: [1, 111, 222])
            verifiesAll(Toy239Order251.self, keys: [249], onlyS: [1, 100, 250])
        #endif
    }

    private func verifiesAll<C: ToyCurve>(_: C.Type, keys: [Int], onlyS: [Int]? = nil) {
        let bits = C.Scalar.bitCount
        var (cases, valid, beyondN) = (0, 0, 0)
        for d in keys {
            let precomputed = WindowTable(C.multiple(d), C.keyShape)
            for s in onlyS ?? Array(1..<C.n) {
                let w = inverse(s)
                for r in 1..<C.n {
                    guard let signature = try? SignatureScalars<C>(raw: [UInt8(r), UInt8(s)]) else {
                        Issue.record("(\(r), \(s)) is in range but was rejected")
                        return
                    }
                    for e in 0..<1 << bits {
                        let x = C.multiples[(e * w + r * w * d) % C.n].map { Int($0.x.plain[limb: 0]) }
                        let isValid = x.map { $0 % C.n == r } ?? false
                        // Sets the digest bits beyond the bit length of n, which verification must ignore.
                        let padding: Int = (1 << (8 - bits)) - 1
                        let digest = [UInt8(e << (8 - bits) | padding)]
                        let isRight =
                            C.isValid(signature, digest: digest.span, publicKey: C.multiple(d)) == isValid
                            && C.isValid(signature, digest: digest.span, publicKey: precomputed) == isValid
                        if !isRight { Issue.record("r = \(r), s = \(s), e = \(e), d = \(d) in \(C.self)") }
                        cases += 1
                        if let x, isValid {
                            valid += 1
                            if x >= C.n { beyondN += 1 }
                        }
                    }
                }
            }
        }
        #expect(cases == keys.count * (onlyS?.count ?? C.n - 1) * (C.n - 1) * 1 << bits)
        // About one in n values of r is valid. Only some curves with n < p have points with x in [n, p).
        #expect(valid > cases / (2 * C.n))
        #expect((beyondN > 0) == hasPointsBeyondN(C.self), "\(C.self)")

        func inverse(_ s: Int) -> Int { (1..<C.n).first { $0 * s % C.n == 1 } ?? 0 }
    }

    private func hasPointsBeyondN<C: ToyCurve>(_: C.Type) -> Bool {
        C.multiples.contains { ($0?.x.plain[limb: 0]).map { Int($0) > C.n } ?? false }
    }

    /// FIPS 186-5 §6.4.2 step 1: parses all pairs of bytes as (r, s), and accepts only r and s in [1, n − 1].
    @Test func readsEverySignature() {
        check(Toy23Order17.self)
        #if !DEBUG
            check(Toy239Order251.self)
        #endif
        func check<C: ToyCurve>(_: C.Type) {
            for r in UInt8.min...UInt8.max {
                for s in UInt8.min...UInt8.max {
                    let signature = try? SignatureScalars<C>(raw: [r, s])
                    let isInRange = (1..<C.n).contains(Int(r)) && (1..<C.n).contains(Int(s))
                    if (signature != nil) != isInRange { Issue.record("\(r), \(s) in \(C.self)") }
                }
            }
        }
    }

    /// Decodes every pair (x, y) of bytes as an uncompressed point, and every pair of a first byte and an x as a
    /// compressed point (SEC 1 §2.3.4 and §3.2.2.1).
    @Test func decodesEveryPoint() throws {
        try check(Toy23Order17.self)
        #if !DEBUG
            try check(Toy47Order53.self)
            try check(Toy251Order223.self)
        #endif
        func check<C: ToyCurve>(_: C.Type) throws {
            let points = Dictionary(
                uniqueKeysWithValues: C.multiples.compactMap { point in
                    point.map { ([UInt8($0.x.plain[limb: 0]), UInt8($0.y.plain[limb: 0])], $0) }
                })
            #expect(points.count == C.n - 1)
            var (decoded, decompressed) = (0, 0)
            for first in UInt8.min...UInt8.max {
                for second in UInt8.min...UInt8.max {
                    let bytes = [first, second]
                    let point = try? AffinePoint<C>(raw: bytes[...])
                    if point != points[bytes] { Issue.record("\(bytes) in \(C.self)") }
                    decoded += point == nil ? 0 : 1
                    if let point { #expect(point.raw == bytes) }
                    // Decodes the two bytes as the format byte and x.
                    guard let compressed = try? AffinePoint<C>(compressed: bytes[...]) else { continue }
                    decompressed += 1
                    #expect(compressed.compressed == bytes)
                    #expect(compressed.raw[0] == second && compressed.raw[1] & 1 == first & 1)
                }
            }
            #expect(decoded == C.n - 1 && decompressed == C.n - 1)
        }
    }
}
