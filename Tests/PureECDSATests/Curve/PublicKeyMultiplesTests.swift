import DebugSampling
import PureSHA2
import ReferenceModel
import Testing
import VectorSupport

@testable import PureECDSA

/// Tests the points 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q, which a server can store with a key Q.
struct PublicKeyMultiplesTests {
    private typealias Multiples = P256.Signing.PublicKeyMultiples

    private let model: ModelPoint
    private let key: P256.Signing.PublicKey

    init() throws {
        var generator = SplitMix64(seed: 50)
        let curve = ModelCurve.p256
        model = curve.multiply(.random(below: curve.n, using: &generator), curve.generator)
        key = try P256.Signing.PublicKey(x963Representation: model.x963(on: .p256))
    }

    private func stored(_ factors: [BigUInt]) -> [UInt8] {
        factors.flatMap { ModelCurve.p256.multiply($0, model).x963(on: .p256).dropFirst() }
    }

    private var genuine: [UInt8] { stored([64, 128, 192].map { .power(ofTwo: $0) }) }

    private func rejection(of bytes: ArraySlice<UInt8>) -> ECDSAError? {
        do throws(ECDSAError) {
            _ = try Multiples(key, rawRepresentation: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func equalTheModels() throws {
        let multiples = Multiples(key)
        let genuine = genuine
        #expect(multiples.rawRepresentation == genuine)
        #expect(multiples.publicKey == key)
        let read = try Multiples(key, rawRepresentation: ([1, 2, 3] + genuine)[3...])
        #expect(read == multiples && read.hashValue == multiples.hashValue)
        #expect(read.rawRepresentation == genuine)
        #expect(Multiples.byteCount == genuine.count)
        for factors in [[1, 128, 192], [64, 1, 192], [64, 128, 1]] {
            let other = try Multiples(key, rawRepresentation: stored(factors.map { .power(ofTwo: $0) })[...])
            #expect(other != multiples)
        }
    }

    /// SEC 1 §3.2.2.1: each of the three multiples must be a point of the curve.
    @Test func rejectsInvalidPoints() {
        let genuine = genuine
        #expect(rejection(of: genuine[...]) == nil)
        for count in 0..<genuine.count { #expect(rejection(of: genuine.prefix(count)) == .invalidLength) }
        #expect(rejection(of: (genuine + [0])[...]) == .invalidLength)
        for index in debugSample(Array(genuine.indices), every: 11, of: "bytes of stored multiples") {
            var bytes = genuine
            bytes[index] ^= 1
            #expect(rejection(of: bytes[...]) == .pointNotOnCurve, "\(index)")
        }
        let p = ModelCurve.p256.p.bigEndianBytes(count: 32)
        for start in stride(from: 0, to: 192, by: 32) {
            var bytes = genuine
            bytes.replaceSubrange(start..<start + 32, with: p)
            #expect(rejection(of: bytes[...]) == .coordinateOutOfRange, "\(start)")
        }
        #expect(rejection(of: [UInt8](repeating: 0, count: 192)[...]) == .pointNotOnCurve)
    }

    /// If the points are not multiples of the key, verdicts are wrong, but nothing traps. So callers must trust the
    /// source of the points.
    @Test func otherPointsRejectTheSignature() throws {
        var builder = EdgeSignatureBuilder(.p256)
        let edge = builder.signature("any", digest: builder.digest(count: 32))
        let signature = try P256.Signing.ECDSASignature(derRepresentation: derSignature(edge.r, edge.s))
        let digest = SHA256Digest(edge.digest)
        let key = try P256.Signing.PublicKey(x963Representation: edge.publicKey.x963(on: .p256))
        #expect(Multiples(key).isValidSignature(signature, for: digest))
        let n = ModelCurve.p256.n
        let raw = key.rawRepresentation
        let negated = Array(ModelCurve.p256.multiply(n - 1, edge.publicKey).x963(on: .p256).dropFirst())
        let base = Array(ModelCurve.p256.generator.x963(on: .p256).dropFirst())
        let others: [[UInt8]] = [
            raw + raw + raw, negated + negated + negated, raw + negated + raw, base + base + base, genuine,
        ]
        for points in others {
            let multiples = try Multiples(key, rawRepresentation: points[...])
            #expect(!multiples.isValidSignature(signature, for: digest))
        }
        let another = try Multiples(self.key, rawRepresentation: Multiples(key).rawRepresentation[...])
        #expect(!another.isValidSignature(signature, for: digest))
    }

    @Test func hashesWithSHA256() throws {
        var builder = EdgeSignatureBuilder(.p256)
        let message = Array("returning".utf8)
        let edge = builder.signature("any", digest: Array(SHA256.hash(data: message)))
        let signature = try P256.Signing.ECDSASignature(derRepresentation: derSignature(edge.r, edge.s))
        let key = try P256.Signing.PublicKey(x963Representation: edge.publicKey.x963(on: .p256))
        #expect(Multiples(key).isValidSignature(signature, for: message))
        #expect(!Multiples(key).isValidSignature(signature, for: message + [0]))
    }
}
