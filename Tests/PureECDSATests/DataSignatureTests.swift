import PureECDSA
import PureSHA2
import Testing
import VectorSupport

/// Signatures of data are those of its digest: SHA-256 with P-256, SHA-384 with P-384, for keys and for their tables.
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
