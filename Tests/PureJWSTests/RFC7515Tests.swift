import PureBytes
import PureJSON
import DebugSampling
import Testing

@testable import PureJWS

/// RFC 7515 appendix A: the ES256 example is valid, and every other example is rejected.
@Suite struct RFC7515Tests {
    static let key = #"""
        {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
        """#
    static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    /// A.3.1
    static let es256 =
        "eyJhbGciOiJFUzI1NiJ9.\(payload)."
        + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    /// A.1.1
    static let hs256 =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(payload).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// A.5
    static let unsecured = "eyJhbGciOiJub25lIn0.\(payload)."

    private func verify(_ text: String, _ key: String = Self.key) throws -> VerifiedJWS {
        try JSONWebSignature(compactSerialization: Array(text.utf8)).verify(by: JSONWebKey(decoding: key.utf8).key)
    }

    /// RFC 7515 §5.1, §5.2.
    @Test func exampleOfES256() throws {
        let verified = try verify(Self.es256)
        #expect(verified.payload == (try Base64.decode(Self.payload.utf8, as: .urlSafeUnpadded)))
        #expect(verified.certificates.isEmpty && verified.header.members.members.count == 1)
    }

    /// RFC 8725 §3.1, RFC 7515 §4.1.1.
    @Test func otherAlgorithmsAreRejected() throws {
        for text in [Self.hs256, Self.unsecured] {
            #expect(throws: JWSError.algorithmMismatch(expected: .es256)) { try verify(text) }
        }
        // A.2.1 and A.4.1: the headers for RS256 and ES512 are rejected before any signature is checked.
        for header in ["eyJhbGciOiJSUzI1NiJ9", "eyJhbGciOiJFUzUxMiJ9"] {
            #expect(throws: JWSError.algorithmMismatch(expected: .es256)) { try verify("\(header).\(Self.payload).AA") }
        }
    }

    /// RFC 7515 §7.1. A.6 and A.7 are JSON serializations.
    @Test func jsonSerializationsAreNotRead() {
        for text in [
            #"{"payload":"\#(Self.payload)","signatures":[]}"#,
            #"{"payload":"\#(Self.payload)","protected":"eyJhbGciOiJFUzI1NiJ9","signature":"AA"}"#, "",
        ] {
            #expect(throws: JWSError.notCompactSerialization) {
                try JSONWebSignature(compactSerialization: Array(text.utf8))
            }
        }
    }

    /// The base64url encoding of bytes is unique (RFC 7515 §2), and the signature covers header and payload.
    @Test func everyChangeIsRejected() throws {
        let text = Array(Self.es256.utf8)
        for index in debugSample(Array(text.indices), every: 7, of: "octets of a JWS") {
            for change in [text[index] ^ 1, text[index] ^ 0x20, UInt8(ascii: "A"), UInt8(ascii: ".")]
            where change != text[index] {
                var changed = text
                changed[index] = change
                #expect(throws: JWSError.self) { try verify(String(decoding: changed, as: UTF8.self)) }
            }
        }
        for count in debugSample(Array(text.indices), every: 7, of: "lengths of a JWS") {
            #expect(throws: JWSError.self) { try verify(String(decoding: text.prefix(count), as: UTF8.self)) }
        }
    }

    /// RFC 7515 §4.1.11, RFC 7797 §3, RFC 8725 §3.10.
    @Test(arguments: [
        ("crit", JWSParameter.critical), ("b64", .unencodedPayload), ("jku", .keySetURL), ("jwk", .embeddedKey),
        ("x5u", .certificateURL),
    ]) func parametersOfTheSenderAreRejected(_ name: String, _ parameter: JWSParameter) {
        for value in ["null", "true", "[]", #""x""#] {
            let header = Base64.encode(Array(#"{"alg":"ES256","\#(name)":\#(value)}"#.utf8), as: .urlSafeUnpadded)
            #expect(throws: JWSError.unsupportedParameter(parameter)) {
                try JSONWebSignature(compactSerialization: header + Array(".e30.AA".utf8))
            }
        }
    }

    /// RFC 7515 §4, §4.1.6.
    @Test(arguments: [
        (#"{"alg":1}"#, JWSError.invalidParameter(.algorithm)), (#"{"kid":[]}"#, .invalidParameter(.keyID)),
        (#"{"typ":null}"#, .invalidParameter(.type)), (#"{"x5c":"x"}"#, .invalidParameter(.certificates)),
        (#"{"x5c":[1,2]}"#, .invalidParameter(.certificates)), (#"{"x5c":[]}"#, .certificateCount(0)),
        (#"{"x5c":["","","",""]}"#, .certificateCount(4)), ("[]", .headerNotObject),
        (#"{"alg":"ES256","alg":"ES256"}"#, .malformedHeader(.duplicateName(offset: 29))),
        ("{", .malformedHeader(.malformed(offset: 1))),
    ]) func headersOfAnotherFormAreRejected(_ header: String, _ error: JWSError) {
        let text = Base64.encode(Array(header.utf8), as: .urlSafeUnpadded) + Array(".e30.AA".utf8)
        #expect(throws: error) { try JSONWebSignature(compactSerialization: text) }
    }

    @Test(arguments: [
        "", ".", "e30", "e30.", "e30.e30", "e30.e30.AA.", ".e30.e30.AA", "e30..e30.AA", "e30.e30.AA.AA.AA",
    ])
    func onlyThreePartsAreRead(_ text: String) {
        #expect(throws: JWSError.notCompactSerialization) {
            try JSONWebSignature(compactSerialization: Array(text.utf8))
        }
    }

    @Test func sizeIsLimited() {
        #expect(JSONWebSignature.maximumSize == 262_144)
        let text = [UInt8](repeating: UInt8(ascii: "A"), count: JSONWebSignature.maximumSize + 1)
        #expect(throws: JWSError.tooLarge) { try JSONWebSignature(compactSerialization: text) }
        #expect(throws: JWSError.notCompactSerialization) {
            try JSONWebSignature(compactSerialization: text.dropLast())
        }
    }
}
