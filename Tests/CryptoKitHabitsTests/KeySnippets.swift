import Foundation
import PureECDSA
import PureSHA2
import Testing

/// RFC 6979 appendix A.2.5 and A.2.6, message "sample" with SHA-256 and SHA-384.
private enum Sample {
    static let x = hex("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
    static let y = hex("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
    static let r = hex("EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716")
    static let s = hex("F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
    static let x384 = hex(
        "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13")
    static let y384 = hex(
        "8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720")
    static let r384 = hex(
        "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46")
    static let s384 = hex(
        "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8")
    static let message = Data("sample".utf8)

    private static func hex(_ text: String) -> Data {
        Data(stride(from: 0, to: text.count, by: 2).map { UInt8(text.dropFirst($0).prefix(2), radix: 16)! })
    }
}

@Suite("CryptoKit's habits: keys and signatures")
struct KeySnippets {
    let key = try! P256.Signing.PublicKey(rawRepresentation: Sample.x + Sample.y)
    let signature = try! P256.Signing.ECDSASignature(rawRepresentation: Sample.r + Sample.s)

    @Test func data() { #expect(key.isValidSignature(signature, for: Sample.message)) }

    @Test func bytes() { #expect(key.isValidSignature(signature, for: Array(Sample.message))) }

    @Test func digest() {
        let digest = SHA256.hash(data: Sample.message)
        #expect(key.isValidSignature(signature, for: digest))
        #expect(!key.isValidSignature(signature, for: SHA256.hash(data: Data())))
    }

    @Test func digestOfAnotherFunction() {
        #expect(!key.isValidSignature(signature, for: SHA512.hash(data: Sample.message)))
    }

    @Test func genericOverDigests() {
        func verify<D: Digest>(_ signature: P256.Signing.ECDSASignature, of digest: D, by key: P256.Signing.PublicKey)
            -> Bool
        {
            key.isValidSignature(signature, for: digest)
        }
        #expect(verify(signature, of: SHA256.hash(data: Sample.message), by: key))
    }

    @Test func genericOverHashFunctions() {
        func verify<H: HashFunction>(_ message: Data, hashedWith: H.Type) -> Bool {
            key.isValidSignature(signature, for: H.hash(data: message))
        }
        #expect(verify(Sample.message, hashedWith: SHA256.self) && !verify(Sample.message, hashedWith: SHA384.self))
    }

    @Test func genericOverData() {
        func verify<D: DataProtocol>(_ message: D) -> Bool { key.isValidSignature(signature, for: message) }
        #expect(verify(Sample.message) && verify(Array(Sample.message)))
    }

    @Test func existentialDigest() {
        let digests: [any Digest] = [SHA256.hash(data: Sample.message), SHA384.hash(data: Sample.message)]
        #expect(digests.map { key.isValidSignature(signature, for: $0) } == [true, false])
    }

    @Test func x963() throws {
        let other = try P256.Signing.PublicKey(x963Representation: [4] + Sample.x + Sample.y)
        #expect(other.x963Representation == key.x963Representation && other.rawRepresentation.count == 64)
        #expect(Data(other.x963Representation) == [4] + Sample.x + Sample.y)
    }

    @Test func compressed() throws {
        let other = try P256.Signing.PublicKey(compressedRepresentation: [3] + Sample.x)
        #expect(other.rawRepresentation == key.rawRepresentation && other.compressedRepresentation == [3] + Sample.x)
    }

    @Test func compact() throws {
        // y = 7903… is below p/2 = 7fff…, so the x-coordinate by itself determines the point.
        #expect(key.compactRepresentation == Array(Sample.x))
        #expect(try P256.Signing.PublicKey(compactRepresentation: Sample.x).rawRepresentation == key.rawRepresentation)
    }

    @Test func der() throws {
        let other = try P256.Signing.PublicKey(derRepresentation: key.derRepresentation)
        #expect(Data(other.derRepresentation).base64EncodedString().hasPrefix("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"))
    }

    @Test func pem() throws {
        let pem = """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
            Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
            -----END PUBLIC KEY-----
            """
        let other = try P256.Signing.PublicKey(pemRepresentation: pem)
        #expect(other.rawRepresentation == key.rawRepresentation)
        #expect(other.pemRepresentation == pem)
    }

    @Test func signatureForms() throws {
        let der = signature.derRepresentation
        #expect(
            try P256.Signing.ECDSASignature(derRepresentation: Data(der)).rawRepresentation
                == signature.rawRepresentation)
        #expect(Data(signature.rawRepresentation) == Sample.r + Sample.s)
    }

    @Test func jsonWebSignature() throws {
        // The signed message of a JWS consists of two parts, the header and the payload. The signature is r ‖ s.
        let parts = ["c2Ft", "cGxl"].map { Data(base64Encoded: $0)! }
        #expect(key.isValidSignature(signature, for: parts[0] + parts[1]))
    }

    @Test func failures() {
        #expect(throws: (any Error).self) { try P256.Signing.PublicKey(x963Representation: Data(count: 65)) }
        #expect((try? P256.Signing.PublicKey(rawRepresentation: Data(count: 64))) == nil)
        #expect((try? P256.Signing.PublicKey(pemRepresentation: "")) == nil)
        #expect((try? P256.Signing.ECDSASignature(derRepresentation: Data())) == nil)
    }

    @Test func p384() throws {
        let key = try P384.Signing.PublicKey(x963Representation: [4] + Sample.x384 + Sample.y384)
        let signature = try P384.Signing.ECDSASignature(rawRepresentation: Sample.r384 + Sample.s384)
        #expect(key.isValidSignature(signature, for: Sample.message))
        #expect(key.isValidSignature(signature, for: SHA384.hash(data: Sample.message)))
        #expect(!key.isValidSignature(signature, for: SHA256.hash(data: Sample.message)))
        #expect(
            try P384.Signing.PublicKey(pemRepresentation: key.pemRepresentation).rawRepresentation
                == key.rawRepresentation)
        #expect(
            try P384.Signing.PublicKey(compressedRepresentation: [2] + Sample.x384).rawRepresentation
                == key.rawRepresentation)
        // y = 8015… is above p/2.
        #expect(key.compactRepresentation == nil)
    }

    @Test func ownProtocol() throws {
        #expect(
            try AnyVerifier(P256.Signing.PublicKey.self, raw: Sample.x + Sample.y).verify(
                Sample.r + Sample.s, Sample.message))
    }
}

/// A protocol for keys, as JWT libraries define it.
private protocol VerifyingKey {
    associatedtype Signature
    init(rawKey: Data) throws
    static func signature(_ data: Data) throws -> Signature
    func isValidSignature<D: DataProtocol>(_ signature: Signature, for data: D) -> Bool
}

extension P256.Signing.PublicKey: VerifyingKey {
    init(rawKey: Data) throws { try self.init(rawRepresentation: rawKey) }
    static func signature(_ data: Data) throws -> P256.Signing.ECDSASignature { try .init(rawRepresentation: data) }
}

private struct AnyVerifier<Key: VerifyingKey> {
    let key: Key
    init(_: Key.Type, raw: Data) throws { key = try Key(rawKey: raw) }
    func verify(_ signature: Data, _ message: Data) throws -> Bool {
        key.isValidSignature(try Key.signature(signature), for: message)
    }
}
