import PureECDSA
import PureSHA2
import Testing
import VectorSupport

/// Keys and precomputed keys verify a signature on data by hashing the data: SHA-256 with P-256, SHA-384 with P-384.
struct DataSignatureTests {
    private static let data = [UInt8]("data that is signed".utf8)

    @Test func p256() throws {
        var builder = EdgeSignatureBuilder(.p256)
        let edge = builder.signature("any", digest: [UInt8](SHA256.hash(data: Self.data)))
        let key = try P256.Signing.PublicKey(x963Representation: edge.publicKey.x963(on: .p256))
        let signature = try P256.Signing.ECDSASignature(derRepresentation: derSignature(edge.r, edge.s))
        let table = P256.Signing.PrecomputedPublicKey(key)
        #expect(key.isValidSignature(signature, for: Self.data) && table.isValidSignature(signature, for: Self.data))
        let other = Self.data.dropLast()
        #expect(!key.isValidSignature(signature, for: other) && !table.isValidSignature(signature, for: other))
    }

    @Test func p384() throws {
        var builder = EdgeSignatureBuilder(.p384)
        let edge = builder.signature("any", digest: [UInt8](SHA384.hash(data: Self.data)))
        let key = try P384.Signing.PublicKey(x963Representation: edge.publicKey.x963(on: .p384))
        let signature = try P384.Signing.ECDSASignature(derRepresentation: derSignature(edge.r, edge.s))
        let table = P384.Signing.PrecomputedPublicKey(key)
        #expect(key.isValidSignature(signature, for: Self.data) && table.isValidSignature(signature, for: Self.data))
        let other = Self.data.dropLast()
        #expect(!key.isValidSignature(signature, for: other) && !table.isValidSignature(signature, for: other))
    }
}

/// A generic function over `Digest` does not hash a digest again. A generic function over bytes hashes its argument.
struct GenericDigestTests {
    private static let data = [UInt8]("data that is signed".utf8)

    private func isValid<D: Digest>(
        _ signature: P256.Signing.ECDSASignature, _ digest: D, _ key: P256.Signing.PublicKey
    ) -> Bool {
        let verdict = key.isValidSignature(signature, for: digest)
        #expect(P256.Signing.PrecomputedPublicKey(key).isValidSignature(signature, for: digest) == verdict)
        return verdict
    }

    private func isValid<D: Digest>(
        _ signature: P384.Signing.ECDSASignature, _ digest: D, _ key: P384.Signing.PublicKey
    ) -> Bool {
        let verdict = key.isValidSignature(signature, for: digest)
        #expect(P384.Signing.PrecomputedPublicKey(key).isValidSignature(signature, for: digest) == verdict)
        return verdict
    }

    private func check<H: HashFunction>(_: H.Type) throws {
        let digest = H.hash(data: Self.data)
        for curve in VectorCurve.allCases {
            var builder = EdgeSignatureBuilder(curve)
            let again =
                curve == .p256 ? [UInt8](SHA256.hash(data: Array(digest))) : [UInt8](SHA384.hash(data: Array(digest)))
            for (signed, isOfDigest) in [([UInt8](digest), true), (again, false)] {
                let edge = builder.signature("any", digest: signed)
                let (point, der) = (edge.publicKey.x963(on: curve), derSignature(edge.r, edge.s))
                if curve == .p256 {
                    let key = try P256.Signing.PublicKey(x963Representation: point)
                    let signature = try P256.Signing.ECDSASignature(derRepresentation: der)
                    #expect(isValid(signature, digest, key) == isOfDigest)
                    #expect(key.isValidSignature(signature, for: H.hash(data: Self.data)) == isOfDigest)
                    #expect(key.isValidSignature(signature, for: Array(digest)) == !isOfDigest)
                    #expect(!isValid(signature, H.hash(data: [1]), key))
                } else {
                    let key = try P384.Signing.PublicKey(x963Representation: point)
                    let signature = try P384.Signing.ECDSASignature(derRepresentation: der)
                    #expect(isValid(signature, digest, key) == isOfDigest)
                    #expect(key.isValidSignature(signature, for: H.hash(data: Self.data)) == isOfDigest)
                    #expect(key.isValidSignature(signature, for: Array(digest)) == !isOfDigest)
                    #expect(!isValid(signature, H.hash(data: [1]), key))
                }
            }
        }
    }

    @Test func everyDigestOnBothCurves() throws {
        try check(SHA256.self)
        try check(SHA384.self)
        try check(SHA512.self)
    }
}
