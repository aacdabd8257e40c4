package import PureJSON

/// A request body: one JSON object whose members are all strings.
///
/// `JSONValue` rejects an object that contains a name twice, because some parsers use the first value and others the
/// last. So a proxy reads the same values as the service.
public struct FlatJSONObject: Sendable {
    /// The members.
    public let members: [String: String]

    /// The maximum number of members, several times as many as any message has.
    public static let maximumMemberCount = 16

    /// Parses `bytes`, which must contain nothing after the object.
    ///
    /// - Parameter names: the names of the required members. An object with any other member is rejected.
    /// - Throws: ``RequestFault/malformed(_:)`` with the member of `names` that is missing or not a string, or with
    ///   `body` for any other fault.
    public init(_ bytes: [UInt8], named names: [String]) throws(RequestFault) {
        let limits = JSONLimits(
            maximumDepth: 1, maximumValues: Self.maximumMemberCount + 1, maximumSize: bytes.count)
        guard let object = (try? JSONValue(decoding: bytes, limits: limits))?.object else { throw .malformed("body") }
        var members: [String: String] = [:]
        for name in names {
            guard let text = object[named: name]?.stringUTF8 else { throw .malformed(name) }
            members[name] = String(decoding: text, as: UTF8.self)
        }
        guard object.members.count == names.count else { throw .malformed("body") }
        self.members = members
    }
}

extension JSONObject {
    /// The value of the member whose name has the same bytes, or `nil`.
    package subscript(named name: String) -> JSONValue? {
        members.first { $0.name.elementsEqual(name.utf8) }?.value
    }
}
