import AttestMiddleware
import PureJSON

/// A request to the upstream: the client's members that the configuration allows, and the service's own members.
struct Prompt {
    /// The maximum usage in tokens, for the answer, the bytes of the body, and the parts that are not text.
    let units: Int64
    let body: [UInt8]

    /// The maximum supported depth, because a member such as `response_format` may contain a JSON Schema.
    private static let limits = JSONLimits(
        maximumDepth: JSONLimits.deepestSupported, maximumValues: JSONLimits.default.maximumValues,
        maximumSize: Generation.maximumBody)

    /// - Throws: ``AttestMiddleware/RequestFault/malformed(_:)``.
    init(_ bytes: [UInt8], _ generation: Generation) throws(RequestFault) {
        guard let object = (try? JSONValue(decoding: bytes, limits: Self.limits))?.object else {
            throw .malformed("body")
        }
        guard let messages = object["messages"] else { throw .malformed("messages") }
        /// Returns `nil` if the member is missing or null.
        func member<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(RequestFault) -> Value? {
            guard let value = object[named: name], !value.isNull else { return nil }
            guard let found = read(value) else { throw .malformed(name) }
            return found
        }
        let partUnits = try PromptMessages.check(messages, reserves: generation.parts)
        let model = try member("model") { name in generation.models.first { name.isString($0) } }
        let stream = try member("stream", \.bool) ?? false
        let tokens = try member(generation.tokensMember, \.number?.int64) ?? generation.maximumTokens
        guard 1...generation.maximumTokens ~= tokens else { throw .malformed(generation.tokensMember) }

        var prompt = PromptText()
        prompt.append("model", .string(ArraySlice((model ?? generation.models[0]).utf8)))
        prompt.append("messages", messages)
        prompt.append(generation.tokensMember, written: "\(tokens)")
        prompt.append("stream", .bool(stream))
        // Without this option, streams report no usage.
        if stream { prompt.append("stream_options", written: #"{"include_usage":true}"#) }
        for name in Set(generation.members).subtracting(generation.refusedMembers).sorted() {
            if let value = object[named: name] { prompt.append(name, value) }
        }
        guard let body = prompt.body else { throw .malformed("body") }
        let perToken = Int64(generation.bytesPerToken)
        units = tokens + partUnits + (perToken == 0 ? 0 : (Int64(body.count) + perToken - 1) / perToken)
        self.body = body
    }
}

extension JSONValue {
    var isNull: Bool { if case .null = self { true } else { false } }

    /// Whether this is a string with the same bytes.
    func isString(_ text: String) -> Bool { stringUTF8?.elementsEqual(text.utf8) ?? false }
}
