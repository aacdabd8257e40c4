import Foundation
import PureBytes
import ReferenceModel
import Testing
import VectorSupport

@testable import PureECDSA

/// Runs BoringSSL's `p256-nistz_tests.txt`, whose inputs reach rare carries in one assembly implementation. Numbers are
/// in the Montgomery domain with R = 2²⁵⁶, as in this package. The tests perform each operation as the file defines it.
@Suite(
    .enabled(if: VectorDirectory.extra != nil, "PUREATTEST_EXTRA_VECTORS is not set: this suite did not run"))
struct NistzTests {
    @Test func agreesWithTheFile() throws {
        let folder = try #require(VectorDirectory.extra)
        let file = try ResponseFile(contents: Data(contentsOf: folder.appending(path: "ec/p256-nistz_tests.txt")))
        var counts: [String: Int] = [:]
        for record in file.records {
            let name = record["Test"] ?? "none"
            counts[name, default: 0] += 1
            func field(_ name: String) throws -> P256Field { P256Field(representation: try number(name)) }
            func number(_ name: String) throws -> BigUInt { BigUInt(bigEndian: try record.bytes(name)) }
            switch name {
            case "Negate":
                // A = −B mod p.
                #expect(try field("B").negated() == field("A"))
                #expect(try field("A").negated() == field("B"))
            case "MulMont":
                // A · B · 2⁻²⁵⁶ = Result mod p.
                let (a, b) = try (field("A"), field("B"))
                #expect(try a * b == field("Result"))
                if a == b { #expect(try a.squared() == field("Result")) }
            case "OrdMulMont":
                // A · B · 2⁻²⁵⁶ = Result mod n. Scalars of this package are not in the Montgomery domain, so the test
                // checks A · B = Result · 2²⁵⁶.
                func scalar(_ number: BigUInt) -> P256Scalar { P256Scalar(unchecked: .init(number)) }
                let r = scalar(.power(ofTwo: 256) % ModelCurve.p256.n)
                let (a, b, result) = try (number("A"), number("B"), number("Result"))
                #expect(scalar(a) * scalar(b) == scalar(result) * r)
            case "PointAdd":
                // A + B = Result. A and B are Jacobian points. The result is an affine point, and (0, 0) represents
                // infinity. This package has only mixed addition, so the test converts B to affine coordinates first.
                let b = try JacobianPoint<P256Curve>(X: field("B.X"), Y: field("B.Y"), Z: field("B.Z"))
                var sum = try JacobianPoint<P256Curve>(X: field("A.X"), Y: field("A.Y"), Z: field("A.Z"))
                if let affine = b.affineVarTime() { sum.addVarTime(affine) }
                let affine = sum.affineVarTime()
                #expect(try affine?.x ?? .zero == field("Result.X"))
                #expect(try affine?.y ?? .zero == field("Result.Y"))
            default:
                Issue.record("unknown operation \(name)")
            }
        }
        #expect(counts == ["Negate": 256, "MulMont": 31, "OrdMulMont": 26, "PointAdd": 21])
    }
}
