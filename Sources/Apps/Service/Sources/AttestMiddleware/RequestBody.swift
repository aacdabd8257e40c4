public import Hummingbird
import HTTPTypes
import PureBytes

extension Request {
    /// Returns the bytes of the body. Checks the declared length, if there is one, before it reads the body.
    ///
    /// - Throws: ``RequestFault/tooLarge``, ``RequestFault/malformedRequest``.
    public func bytes(upTo limit: Int) async throws -> [UInt8] {
        // The codec rejects a length that is not a number, so `Int(declared)` is `nil` only if the length overflows.
        if let declared = headers[.contentLength], Int(declared) ?? .max > limit { throw RequestFault.tooLarge }
        let buffer = try await body.collect(upTo: limit)
        return [UInt8](buffer: buffer)
    }

    /// Returns the bytes of a body whose content type is JSON.
    ///
    /// - Throws: ``RequestFault/unsupportedMediaType``, ``RequestFault/tooLarge``, ``RequestFault/malformedRequest``.
    public func jsonBytes(upTo limit: Int) async throws -> [UInt8] {
        guard isJSON else { throw RequestFault.unsupportedMediaType }
        return try await bytes(upTo: limit)
    }

    /// Returns the members of a body that is a ``FlatJSONObject`` with exactly these names.
    ///
    /// - Throws: ``RequestFault/unsupportedMediaType``, ``RequestFault/tooLarge``, ``RequestFault/malformed(_:)``.
    public func message(_ names: String..., upTo limit: Int) async throws -> [String: String] {
        try FlatJSONObject(await jsonBytes(upTo: limit), named: names).members
    }

    /// Ignores parameters, which have no meaning for JSON (RFC 8259 §11).
    private var isJSON: Bool { headers[.contentType].map { mediaType($0) } == Array("application/json".utf8) }

    /// The bearer token (RFC 6750 §2.1), or `nil`.
    public var bearerToken: [UInt8]? {
        let scheme = Array("bearer ".utf8)
        guard let value = headers[.authorization].map({ Array($0.utf8) }),
            value.prefix(scheme.count).lowercasedASCII == scheme
        else { return nil }
        return Array(value.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") })
    }
}

/// Strictly decodes Base64 (RFC 4648 §4) or unpadded base64url (§5). Key identifiers are in Base64, and tokens are in
/// base64url.
///
/// - Parameter name: the name of the member or header that contains the text, for the log.
/// - Throws: ``RequestFault/malformed(_:)``.
public func decodedBytes(_ text: String?, of name: String, count: Int? = nil) throws(RequestFault) -> [UInt8] {
    guard let text,
        let bytes = (try? [UInt8](base64Encoded: text)) ?? (try? [UInt8](base64Encoded: text, as: .urlSafeUnpadded)),
        count == nil || bytes.count == count
    else { throw .malformed(name) }
    return bytes
}

extension [String: String] {
    /// Decodes a member of a message with ``decodedBytes(_:of:count:)``.
    public func bytes(_ name: String, count: Int? = nil) throws(RequestFault) -> [UInt8] {
        try decodedBytes(self[name], of: name, count: count)
    }
}
