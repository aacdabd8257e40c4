import PureBytes
public import PureJSON

/// The protected header of a JWS (RFC 7515 §4), unverified. Unknown members are ignored, as the RFC requires.
public struct JOSEHeader: Sendable {
    /// All members, unverified.
    public let members: JSONObject
    /// `alg`, UTF-8. This module only compares it with the caller's algorithm.
    public let algorithmUTF8: ArraySlice<UInt8>?
    /// `kid`, UTF-8. This value only selects one of the caller's trusted keys.
    public let keyIDUTF8: ArraySlice<UInt8>?
    /// `typ`, UTF-8. Not checked.
    public let typeUTF8: ArraySlice<UInt8>?
    /// `x5c`: certificates in Base64 (RFC 4648 §4), the leaf first.
    let certificateTexts: [ArraySlice<UInt8>]?

    /// The maximum number of elements in `x5c`: a leaf, one intermediate certificate and the root.
    static var maximumCertificateCount: Int { 3 }

    init(decoding json: [UInt8]) throws(JWSError) {
        let value: JSONValue
        do { value = try JSONValue(decoding: json) } catch { throw .malformedHeader(error) }
        guard let members = value.object else { throw .headerNotObject }
        for parameter in JWSParameter.rejected where members[parameter.name] != nil {
            throw .unsupportedParameter(parameter)
        }
        self.members = members
        algorithmUTF8 = try Self.text(.algorithm, in: members)
        keyIDUTF8 = try Self.text(.keyID, in: members)
        typeUTF8 = try Self.text(.type, in: members)
        certificateTexts = try Self.certificateTexts(in: members)
    }

    private static func text(
        _ parameter: JWSParameter, in members: JSONObject
    ) throws(JWSError) -> ArraySlice<UInt8>? {
        guard let value = members[parameter.name] else { return nil }
        guard let text = value.stringUTF8 else { throw .invalidParameter(parameter) }
        return text
    }

    /// RFC 7515 §4.1.6: "represented as a JSON array of certificate value strings".
    private static func certificateTexts(in members: JSONObject) throws(JWSError) -> [ArraySlice<UInt8>]? {
        guard let value = members[JWSParameter.certificates.name] else { return nil }
        guard let values = value.array else { throw .invalidParameter(.certificates) }
        guard 1...maximumCertificateCount ~= values.count else { throw .certificateCount(values.count) }
        var texts: [ArraySlice<UInt8>] = []
        for value in values {
            guard let text = value.stringUTF8 else { throw .invalidParameter(.certificates) }
            texts.append(text)
        }
        return texts
    }
}

extension JWSParameter {
    /// Members that are rejected even if they are well-formed. The sender must not choose the key or an address to
    /// fetch, and no extension is supported (RFC 7515 §4.1.11, RFC 7797 §3, RFC 8725 §3.10).
    static var rejected: [JWSParameter] {
        [.critical, .unencodedPayload, .keySetURL, .embeddedKey, .certificateURL]
    }

    var name: StaticString {
        switch self {
        case .algorithm: "alg"
        case .keyID: "kid"
        case .type: "typ"
        case .certificates: "x5c"
        case .critical: "crit"
        case .unencodedPayload: "b64"
        case .keySetURL: "jku"
        case .embeddedKey: "jwk"
        case .certificateURL: "x5u"
        }
    }
}
