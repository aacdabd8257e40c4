public import Hummingbird
import HTTPTypes
import PureBytes

extension Request {
    /// The bytes of the body. A length that the client declares is looked at before anything is read.
    ///
    /// - Throws: ``RequestFault/tooLarge``, ``RequestFault/malformedRequest``.
    public func bytes(upTo limit: Int) async throws -> [UInt8] {
        // A length that no number here has is larger still; what is no number the codec refuses.
        if let declared = headers[.contentLength], Int(declared) ?? .max > limit { throw RequestFault.tooLarge }
        let buffer = try await body.collect(upTo: limit)
        return [UInt8](buffer: buffer)
    }

    /// The bytes of a body that is JSON by its content type.
    ///
    /// - Throws: ``RequestFault/unsupportedMediaType``, ``RequestFault/tooLarge``, ``RequestFault/malformedRequest``.
    public func jsonBytes(upTo limit: Int) async throws -> [UInt8] {
        guard isJSON else { throw RequestFault.unsupportedMediaType }
        return try await bytes(upTo: limit)
    }

    /// The members of a body that is a ``FlatJSONObject`` with exactly these, no more and no less.
    ///
    /// - Throws: ``RequestFault/unsupportedMediaType``, ``RequestFault/tooLarge``, ``RequestFault/malformed(_:)``.
    public func message(_ names: String..., upTo limit: Int) async throws -> [String: String] {
        try FlatJSONObject(await jsonBytes(upTo: limit), named: names).members
    }

    /// A parameter says nothing that matters here (RFC 8259 §11).
    private var isJSON: Bool { headers[.contentType].map { mediaType($0) } == Array("application/json".utf8) }

    /// The token of RFC 6750 §2.1; `nil` without one.
    public var bearerToken: [UInt8]? {
        let scheme = Array("bearer ".utf8)
        guard let value = headers[.authorization].map({ Array($0.utf8) }),
            value.prefix(scheme.count).lowercasedASCII == scheme
        else { return nil }
        return Array(value.dropFirst(scheme.count))
    }
}

/// Bytes from Base64 (RFC 4648 §4) as `generateKey` writes key identifiers, or from base64url without padding (§5), as tokens are
/// written; strictly, and of a length that is asked for.
///
/// - Parameter name: the member or header that has them, for the log.
/// - Throws: ``RequestFault/malformed(_:)``.
public func decodedBytes(_ text: String?, of name: String, count: Int? = nil) throws(RequestFault) -> [UInt8] {
    guard let text,
        let bytes = (try? [UInt8](base64Encoded: text)) ?? (try? [UInt8](base64Encoded: text, as: .urlSafeUnpadded)),
        count == nil || bytes.count == count
    else { throw .malformed(name) }
    return bytes
}

extension [String: String] {
    /// The bytes of a member of a message, as ``decodedBytes(_:of:count:)`` reads them.
    public func bytes(_ name: String, count: Int? = nil) throws(RequestFault) -> [UInt8] {
        try decodedBytes(self[name], of: name, count: count)
    }
}
