import ReferenceModel
import Testing

struct ModelCurveTests {
    @Test(arguments: [ModelCurve.p256, .p384])
    func standardParametersAreConsistent(_ curve: ModelCurve) {
        #expect(curve.isOnCurve(curve.generator))
        #expect(curve.multiply(curve.n, curve.generator) == .infinity)
        #expect(curve.multiply(curve.n - 1, curve.generator) == curve.negate(curve.generator))
        #expect(curve.p.isOdd && curve.n.isOdd && curve.n < curve.p)
        // Fermat's test with base 2 detects a wrong digit of p or n.
        #expect(BigUInt(2).power(curve.p - 1, modulo: curve.p) == 1)
        #expect(BigUInt(2).power(curve.n - 1, modulo: curve.n) == 1)
    }

    /// The points are from NIST's list of multiples (the examples for the curves of SP 800-186).
    @Test func multipliesTheBasePoint() {
        let twoG256 = ModelPoint.point(
            x: BigUInt(hex: "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978"),
            y: BigUInt(hex: "07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1"))
        #expect(ModelCurve.p256.multiply(2, ModelCurve.p256.generator) == twoG256)
        #expect(
            ModelCurve.p256.multiply(112_233_445_566_778_899, ModelCurve.p256.generator)
                == .point(
                    x: BigUInt(hex: "339150844ec15234807fe862a86be77977dbfb3ae3d96f4c22795513aeaab82f"),
                    y: BigUInt(hex: "b1c14ddfdc8ec1b2583f51e85a5eb3a155840f2034730e9b5ada38b674336a21")))
        let twoG384 = ModelPoint.point(
            x: BigUInt(
                hex: """
                    08d999057ba3d2d969260045c55b97f089025959a6f434d651d207d19fb96e9e4fe0e86ebe0e64f85b96a9c75295df61
                    """),
            y: BigUInt(
                hex: """
                    8e80f1fa5b1b3cedb7bfe8dffd6dba74b275d875bc6cc43e904e505f256ab4255ffd43e94d39e22d61501e700a940e80
                    """))
        #expect(ModelCurve.p384.multiply(2, ModelCurve.p384.generator) == twoG384)
    }

    @Test(arguments: [ModelCurve.p256, .p384])
    func multiplyAgreesWithAffineSteps(_ curve: ModelCurve) {
        var generator = SplitMix64(seed: 4)
        for bits in [1, 5, 17, 40] {
            let k = BigUInt.random(below: .power(ofTwo: bits), using: &generator)
            let point = curve.multiply(BigUInt.random(below: curve.n, using: &generator), curve.generator)
            #expect(curve.isOnCurve(point))
            #expect(curve.multiply(k, point) == curve.multiplyAffine(k, point))
        }
    }

    /// On a small curve, the multiples of G are the whole group, so their indices predict sums, doublings and products.
    @Test func smallGroupsObeyTheGroupLaw() {
        for curve in ModelCurve.toys(primes: 13..<18) {
            let multiples = curve.multiplesOfGenerator()
            let n = multiples.count
            #expect(BigUInt(UInt64(n)) == curve.n)
            #expect(Set(multiples).count == n)
            for i in 0..<n {
                #expect(curve.isOnCurve(multiples[i]))
                #expect(curve.negate(multiples[i]) == multiples[(n - i) % n])
                for j in 0..<n {
                    #expect(curve.add(multiples[i], multiples[j]) == multiples[(i + j) % n])
                    #expect(curve.multiply(BigUInt(UInt64(j)), multiples[i]) == multiples[i * j % n])
                    #expect(curve.multiplyAffine(BigUInt(UInt64(j)), multiples[i]) == multiples[i * j % n])
                }
            }
        }
    }

    @Test func findsToyCurvesOnBothSidesOfTheirPrime() {
        let curves = ModelCurve.toys(primes: 5..<256)
        #expect(curves.contains { $0.p.bitWidth == 8 && $0.n < $0.p })
        #expect(curves.contains { $0.p.bitWidth == 8 && $0.n > $0.p && $0.n.bitWidth == 8 })
        #expect(curves.allSatisfy { $0.isOnCurve($0.generator) && $0.generator != .infinity })
    }

    @Test func takesSquareRoots() throws {
        for curve in [ModelCurve.p256, .p384] {
            let x = try #require(curve.generator.x)
            #expect(curve.points(x: x).contains(curve.generator))
            #expect(curve.points(x: x).count == 2)
            // −1 is not a square modulo p ≡ 3 mod 4.
            #expect(curve.squareRoot(curve.p - 1) == nil)
            #expect(curve.squareRoot(4).map { $0 == 2 || $0 == curve.p - 2 } == true)
            #expect(curve.squareRoot(0) == 0)
        }
    }
}
