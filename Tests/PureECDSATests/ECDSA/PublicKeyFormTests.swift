import PureBytes
import PureDER
import PureECDSA
import ReferenceModel
import Testing
import VectorSupport

struct PublicKeyFormTests {
    /// draft-jivsov-ecc-compact-05 §4.2: only the point with the smaller y has a compact form.
    @Test(arguments: VectorCurve.allCases) func compact(_ curve: VectorCurve) throws {
        let model = curve.model
        var generator = SplitMix64(seed: 51)
        let builder = EdgeSignatureBuilder(curve)
        let random = (0..<4).map { _ in
            model.multiply(.random(below: model.n, using: &generator), model.generator)
        }
        for point in random + builder.points(from: 0, count: 2) + builder.points(from: model.p - 16, count: 2) {
            let y = try #require(point.y)
            let smaller = y + y < model.p ? point : model.negate(point)
            let x = Array(point.x963(on: curve)[1...curve.byteCount])
            let (expected, other) = (smaller.x963(on: curve), model.negate(smaller).x963(on: curve))
            switch curve {
            case .p256:
                #expect(try P256.Signing.PublicKey(compactRepresentation: x).x963Representation == expected)
                #expect(try P256.Signing.PublicKey(x963Representation: expected).compactRepresentation == x)
                #expect(try P256.Signing.PublicKey(x963Representation: other).compactRepresentation == nil)
            default:
                #expect(try P384.Signing.PublicKey(compactRepresentation: x).x963Representation == expected)
                #expect(try P384.Signing.PublicKey(x963Representation: expected).compactRepresentation == x)
                #expect(try P384.Signing.PublicKey(x963Representation: other).compactRepresentation == nil)
            }
        }
    }

    @Test func rejectsOtherCompactForms() {
        func rejection(_ x: [UInt8]) -> ECDSAError? {
            do throws(ECDSAError) {
                _ = try P256.Signing.PublicKey(compactRepresentation: x)
                return nil
            } catch { return error }
        }
        for count in [0, 31, 33, 64] { #expect(rejection([UInt8](repeating: 0, count: count)) == .invalidLength) }
        #expect(rejection([UInt8](repeating: 0xFF, count: 32)) == .coordinateOutOfRange)
        #expect(rejection([UInt8](repeating: 0, count: 31) + [1]) == .pointNotOnCurve)
    }

    /// RFC 7468 §13: the PEM text must contain exactly one block, with the label PUBLIC KEY.
    @Test func pem() throws {
        let p256 = try P256.Signing.PublicKey(x963Representation: ModelCurve.p256.generator.x963(on: .p256))
        let p384 = try P384.Signing.PublicKey(x963Representation: ModelCurve.p384.generator.x963(on: .p384))
        #expect(p256.pemRepresentation + "\n" == pemEncodedString(p256.derRepresentation, label: .publicKey))
        #expect(try P256.Signing.PublicKey(pemRepresentation: p256.pemRepresentation) == p256)
        #expect(try P384.Signing.PublicKey(pemRepresentation: "P-384:\r\n" + p384.pemRepresentation) == p384)
        for (text, error): (String, ECDSAError) in [
            ("", .malformedPEM(.noBlock)),
            (p256.pemRepresentation + "\n" + p256.pemRepresentation, .malformedPEM(.severalBlocks)),
            (pemEncodedString(p256.derRepresentation, label: .certificate), .malformedPEM(.unexpectedLabel)),
            (" " + p256.pemRepresentation, .malformedPEM(.invalidBoundary(line: 1))),
            (p384.pemRepresentation, .unsupportedCurve),
            (pemEncodedString(p256.derRepresentation + [0], label: .publicKey), .malformedDER(.trailingBytes)),
        ] {
            #expect(throws: error) { try P256.Signing.PublicKey(pemRepresentation: text) }
        }
        #expect(throws: ECDSAError.unsupportedCurve) {
            try P384.Signing.PublicKey(pemRepresentation: p256.pemRepresentation)
        }
    }
}
