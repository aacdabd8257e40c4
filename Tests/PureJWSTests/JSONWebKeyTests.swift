import PureAttestTesting
import PureBytes
import PureECDSA
import PureJSON
import PureSHA2
import Testing

@testable import PureJWS

@Suite struct JSONWebKeyTests {
    private static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    private static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    private static let zero = String(repeating: "A", count: 64)
    private static let members = #""kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)""#

    private func key(_ json: String) throws -> JSONWebKey { try JSONWebKey(decoding: json.utf8) }

    /// RFC 7517 §4.2, RFC 7518 §6.2.2.
    @Test func uses() throws {
        for more in [
            "", #","use":"sig""#, #","alg":"ES256""#, #","key_ops":["verify"]"#, #","key_ops":["sign","verify"]"#,
            #","other":{}"#,
        ] {
            #expect(try key("{\(Self.members)\(more)}").key.algorithm == .es256)
        }
        for more in [
            #","use":"enc""#, #","use":"""#, #","alg":"ES384""#, #","alg":"ECDH-ES""#, #","key_ops":[]"#,
            #","key_ops":["sign"]"#, #","key_ops":[1]"#,
        ] {
            #expect(throws: JWSError.keyNotForVerification) { try key("{\(Self.members)\(more)}") }
        }
        for more in [#","use":1"#, #","alg":[]"#, #","key_ops":"verify""#, #","kid":7"#] {
            #expect(throws: JWSError.malformedKey) { try key("{\(Self.members)\(more)}") }
        }
        #expect(throws: JWSError.privateKey) { try key(#"{\#(Self.members),"d":"AA"}"#) }
    }

    /// RFC 7518 §6.2.1.2.
    @Test(arguments: [
        (#"{"kty":"RSA","n":"AA","e":"AQAB"}"#, JWSError.unsupportedKey), (#"{"kty":"oct","k":"AA"}"#, .unsupportedKey),
        (#"{"kty":"EC","crv":"P-521","x":"AA","y":"AA"}"#, .unsupportedKey),
        (#"{"kty":"EC","x":"AA","y":"AA"}"#, .malformedKey), (#"{"crv":"P-256"}"#, .malformedKey),
        ("[]", .malformedKey),
        (#"{"kty":"EC","crv":"P-256","x":"\#(x)"}"#, .malformedKey),
        (#"{"kty":"EC","crv":"P-256","x":"\#(x)","y":1}"#, .malformedKey),
        (#"{"kty":"EC","crv":"P-256","x":"\#(x)A","y":"\#(y)"}"#, .malformedKey),
        (#"{"kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(y)"}"#, .malformedKey),
        (
            #"{"kty":"EC","crv":"P-256","x":"\#(x)=","y":"\#(y)"}"#,
            .malformedBase64(.coordinate, .invalidCharacter(offset: 43))
        ),
        (#"{"kty":"EC","crv":"P-256","x":"\#(y)","y":"\#(x)"}"#, .invalidPublicKey(.pointNotOnCurve)),
        // (0, 0), with 48 octets per coordinate.
        (
            #"{"kty":"EC","crv":"P-384","x":"\#(zero)","y":"\#(zero)"}"#, .invalidPublicKey(.pointNotOnCurve)
        ),
        ("{", .malformedKeyJSON(.malformed(offset: 1))),
    ]) func keysOfAnotherFormAreRejected(_ json: String, _ error: JWSError) {
        #expect(throws: error) { try key(json) }
    }

    /// RFC 7518 §3.4.
    @Test func es384() throws {
        var random = TestRandom(seed: 1, purpose: "JWK")
        let signing = SigningKey<P384>(from: &random)
        func coordinate(_ range: Range<Int>) -> String {
            String(decoding: Base64.encode(signing.x963[range], as: .urlSafeUnpadded), as: UTF8.self)
        }
        let json = #"{"kty":"EC","crv":"P-384","x":"\#(coordinate(1..<49))","y":"\#(coordinate(49..<97))"}"#
        let input = Base64.encode(Array(#"{"alg":"ES384"}"#.utf8), as: .urlSafeUnpadded) + Array(".e30".utf8)
        let numbers = signing.sign(input, hash: SHA384.self)
        let raw = [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: 48 - $0.count) + $0 }
        let text = input + [UInt8(ascii: ".")] + Base64.encode(raw, as: .urlSafeUnpadded)
        let jws = try JSONWebSignature(compactSerialization: text)
        #expect(try jws.verify(by: key(json).key).payload == Array("{}".utf8))
        // A P-256 key verifies only ES256, whatever the header declares.
        #expect(throws: JWSError.algorithmMismatch(expected: .es256)) {
            try jws.verify(by: key("{\(Self.members)}").key)
        }
        #expect(throws: JWSError.malformedSignature(.invalidLength)) {
            try JSONWebSignature(compactSerialization: text.dropLast(4)).verify(by: key(json).key)
        }
    }

    /// RFC 7517 §5.
    @Test func setsSelectByKeyID() throws {
        func set(_ keys: String...) throws -> JSONWebKeySet {
            try JSONWebKeySet(decoding: #"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
        }
        let (a, b) = (#"{\#(Self.members),"kid":"a"}"#, #"{\#(Self.members),"kid":"b"}"#)
        let unnamed = "{\(Self.members)}"
        #expect(try set(a, b).key(id: Array("a".utf8)[...]).keyIDUTF8?.elementsEqual("a".utf8) == true)
        #expect(try set(unnamed).key(id: nil).keyIDUTF8 == nil)
        #expect(try set(a, #"{"kty":"RSA"}"#).keys.count == 1)
        for (keys, id) in [
            (try set(a, a), "a"), (try set(a, b), "c"), (try set(unnamed), "a"), (try set(), "a"),
        ] {
            #expect(throws: JWSError.keyNotFound) { try keys.key(id: Array(id.utf8)[...]) }
        }
        #expect(throws: JWSError.keyNotFound) { try set(a, b).key(id: nil) }
        for json in ["[]", "{}", #"{"keys":{}}"#] {
            #expect(throws: JWSError.malformedKeySet) { try JSONWebKeySet(decoding: json.utf8) }
        }
        // The header of the RFC's example has no kid.
        let jws = try JSONWebSignature(compactSerialization: Array(RFC7515Tests.es256.utf8))
        #expect(try jws.verify(by: set(a)).payload.isEmpty == false)
        #expect(throws: JWSError.keyNotFound) { try jws.verify(by: set(a, b)) }
    }
}
