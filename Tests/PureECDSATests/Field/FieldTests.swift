import ReferenceModel
import Testing

@testable import PureECDSA

/// Compares every operation of both fields with the model, on random operands and on all pairs of edge values. Operands
/// are raw limbs and may be p or more, because results must be correct for every lazy value.
struct FieldTests {
    @Test func constants() {
        check(P256Field.self)
        check(P384Field.self)
        check(P256UnsaturatedField.self)
        check(P384UnsaturatedField.self)
        func check<F: LimbField>(_: F.Type) {
            #expect(F.zero.representation == 0)
            #expect(F.one.value == 1)
            #expect(F.one.representation < F.p)
            #expect(F.byteCount * 8 == F.p.bitWidth)
            #expect(F.Plain.limbCount * 64 == F.p.bitWidth)
        }
        #expect(BigUInt(words: [P256Field.p0, P256Field.p1, P256Field.p2, P256Field.p3]) == ModelCurve.p256.p)
        let ones = P384Field.p3
        let p384 = [P384Field.p0, P384Field.p1, P384Field.p2, ones, ones, ones]
        #expect(BigUInt(words: p384) == ModelCurve.p384.p)
        #expect(P256Field.rSquared.representation == BigUInt.power(ofTwo: 512) % ModelCurve.p256.p)
        #expect(P256Field.rCubed.representation == BigUInt.power(ofTwo: 768) % ModelCurve.p256.p)
        #expect(P384Field.rSquared.representation == BigUInt.power(ofTwo: 768) % ModelCurve.p384.p)
        #expect(P384Field.rCubed.representation == BigUInt.power(ofTwo: 1152) % ModelCurve.p384.p)
    }

    @Test func edgesOfP256() { #expect(checkPairsOfEdges(P256Field.self) == 3_844) }
    @Test func edgesOfP384() { #expect(checkPairsOfEdges(P384Field.self) == 6_084) }
    @Test func edgesOfUnsaturatedP256() { #expect(checkPairsOfEdges(P256UnsaturatedField.self) == 3_844) }
    @Test func edgesOfUnsaturatedP384() { #expect(checkPairsOfEdges(P384UnsaturatedField.self) == 6_084) }
    @Test func randomOperandsOfP256() { checkRandomPairs(P256Field.self, seed: 0x256) }
    @Test func randomOperandsOfP384() { checkRandomPairs(P384Field.self, seed: 0x384) }
    @Test func randomOperandsOfUnsaturatedP256() { checkRandomPairs(P256UnsaturatedField.self, seed: 0x256) }
    @Test func randomOperandsOfUnsaturatedP384() { checkRandomPairs(P384UnsaturatedField.self, seed: 0x384) }

    /// Returns the number of tested pairs, so that the caller can detect a missing edge value.
    private func checkPairsOfEdges<F: LimbField>(_: F.Type) -> Int {
        let edges = BigUInt.edges(modulus: F.p, below: F.radix)
        for a in edges {
            checkUnary(F(representation: a))
            for b in edges { checkBinary(F(representation: a), F(representation: b)) }
        }
        return edges.count * edges.count
    }

    private func checkRandomPairs<F: LimbField>(_: F.Type, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            let a = F(representation: .random(below: F.radix, using: &generator))
            let b = F(representation: .random(below: F.radix, using: &generator))
            checkUnary(a)
            checkBinary(a, b)
        }
    }

    /// Uses only one `#expect` per pair, because the macro takes most of the time in a debug build.
    private func checkBinary<F: LimbField>(_ a: F, _ b: F) {
        let (x, y, p) = (a.representation, b.representation, F.p)
        let isRight =
            (a + b).representation % p == (x + y) % p
            && (a - b).representation % p == x.subtracting(y, modulo: p)
            // A Montgomery product has the additional factor R⁻¹.
            && (a * b).representation * F.radix % p == x * y % p
            && F.reducedDifference(a.fullProduct(b), b.fullSquare()).representation * F.radix % p
                == (x * y % p).subtracting(y * y % p, modulo: p)
            && F.reducedDifference(b.fullSquare(), b.fullProduct(a)).representation * F.radix % p
                == (y * y % p).subtracting(x * y % p, modulo: p)
            && (a == b) == (x % p == y % p)
        #expect(isRight, "\(x), \(y)")
    }

    private func checkUnary<F: LimbField>(_ a: F) {
        let (x, p) = (a.representation, F.p)
        let square = a.squared().representation
        #expect(square * F.radix % p == x * x % p, "\(x)²")
        #expect(a.halved().representation * 2 % p == x % p, "\(x)/2")
        #expect(a.doubled().representation % p == 2 * x % p, "2·\(x)")
        #expect(a.negated().representation % p == x.negated(modulo: p), "−\(x)")
        #expect(a.isZero == (x % p == 0), "\(x) = 0")
        #expect(BigUInt(a.plain) == a.value, "plain \(x)")
    }

    @Test func entersAndLeavesTheMontgomeryDomain() {
        check(P256Field.self)
        check(P384Field.self)
        check(P256UnsaturatedField.self)
        check(P384UnsaturatedField.self)
        func check<F: LimbField>(_: F.Type) {
            for number in BigUInt.edges(modulus: F.p, below: F.radix) {
                let element = F(plain: F.Plain(number))
                #expect((element == nil) == (number >= F.p), "\(number)")
                guard let element else { continue }
                #expect(element.representation % F.p == number * F.radix % F.p, "\(number)")
                #expect(element.value == number)
                #expect(BigUInt(element.plain) == number)
            }
        }
    }

    @Test func invertsInP256() { checkInversion(P256Field.self, seed: 1) }
    @Test func invertsInP384() { checkInversion(P384Field.self, seed: 2) }
    @Test func invertsInUnsaturatedP256() { checkInversion(P256UnsaturatedField.self, seed: 1) }
    @Test func invertsInUnsaturatedP384() { checkInversion(P384UnsaturatedField.self, seed: 2) }

    private func checkInversion<F: LimbField>(_: F.Type, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var operands = BigUInt.edges(modulus: F.p, below: F.radix)
        // Also tests every power of two, because division steps for these numbers start with the longest runs of zeros.
        operands += (0..<F.p.bitWidth).map { .power(ofTwo: $0) }
        operands += (0..<100).map { _ in .random(below: F.radix, using: &generator) }
        for number in operands {
            let element = F(representation: number)
            let inverse = element.invertedVarTime()
            #expect(inverse.value == element.value.inverse(modulo: F.p) ?? 0, "1/\(number)")
        }
    }

    @Test func takesRootsInP256() { checkRoots(P256Field.self, seed: 3) }
    @Test func takesRootsInP384() { checkRoots(P384Field.self, seed: 4) }
    @Test func takesRootsInUnsaturatedP256() { checkRoots(P256UnsaturatedField.self, seed: 3) }
    @Test func takesRootsInUnsaturatedP384() { checkRoots(P384UnsaturatedField.self, seed: 4) }

    private func checkRoots<F: LimbField>(_: F.Type, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var squares = 0
        var others = 0
        let random = (0..<8).map { _ in BigUInt.random(below: F.p, using: &generator) }
        for number in random + [0, 1, 2, 3, 4, F.p - 1, F.p - 2, F.p - 4] {
            for representation in [number * F.radix % F.p, number * F.radix % F.p + F.p] where representation < F.radix
            {
                let root = F(representation: representation).squareRootVarTime()
                guard F.curve.squareRoot(number) != nil else {
                    others += 1
                    #expect(root == nil, "√\(number)")
                    continue
                }
                squares += 1
                #expect(root.map { $0.value * $0.value % F.p } == number, "√\(number)")
            }
        }
        #expect(squares >= 4 && others >= 4)
    }

    /// Tests the right-hand side of the equation in SEC 1 §2.2.1 with the curve's b.
    @Test func evaluatesTheCurveEquation() {
        check(P256Curve.self)
        check(P384Curve.self)
        check(UnsaturatedP256.self)
        check(UnsaturatedP384.self)
        func check<C: PrimeCurve>(_: C.Type) where C.Field: LimbField {
            #expect(C.b.value == C.Field.curve.b)
            var generator = SplitMix64(seed: 5)
            for _ in 0..<20 {
                let x = BigUInt.random(below: C.Field.p, using: &generator)
                #expect(C.rightHandSide(C.Field(value: x)).value == C.Field.curve.rightHandSide(x))
            }
        }
    }
}

extension LimbArray {
    init(_ number: BigUInt) {
        self = Self.zero
        for (index, word) in number.words(count: Self.limbCount).enumerated() { self[limb: index] = word }
    }

    var words: [UInt64] { (0..<Self.limbCount).map { self[limb: $0] } }
}

extension BigUInt {
    init(_ limbs: some LimbArray) { self.init(words: limbs.words) }
}
