import AttestMiddleware
import PureJSON

/// Limits the messages of a prompt to content whose cost is known in advance: text, and parts with a configured
/// reserve. The reserve for each byte covers text. The README of this package lists the admitted content under
/// "Messages".
enum PromptMessages {
    private static let roles = ["system", "developer", "user", "assistant", "tool"]
    /// Members that must be strings or null for every role.
    private static let texts = ["name", "refusal", "tool_call_id"]

    /// Checks the member `messages` of a request, and returns the tokens to reserve for parts that are not text.
    ///
    /// - Parameter reserves: the tokens to reserve for one part of a message, keyed by the part's type. Parts of all
    ///   other types except `text` are rejected.
    static func check(_ value: JSONValue, reserves: [String: Int64]) throws(RequestFault) -> Int64 {
        guard let messages = value.array, !messages.isEmpty else { throw .malformed("messages") }
        var units: Int64 = 0
        for message in messages {
            guard let message = message.object else { throw .malformed("messages") }
            units += try check(message, reserves)
        }
        return units
    }

    /// Checks a message, and returns the tokens to reserve for its parts.
    private static func check(_ message: JSONObject, _ reserves: [String: Int64]) throws(RequestFault) -> Int64 {
        guard let role = message["role"], roles.contains(where: role.isString) else {
            throw .malformed("messages.role")
        }
        for name in texts where !isText(message[named: name], orNull: true) { throw .malformed("messages.\(name)") }
        let isAssistant = role.isString("assistant")
        let calls = isAssistant ? message["tool_calls"] : nil
        if let calls, !areCalls(calls) { throw .malformed("messages.tool_calls") }
        let declared = ["role", "content"] + texts + (calls == nil ? [] : ["tool_calls"])
        guard message.members.allSatisfy({ $0.isNamed(in: declared) }) else { throw .malformed("messages") }
        if let parts = message["content"]?.array {
            var units: Int64 = 0
            for part in parts { units += try reserve(of: part, reserves) }
            return units
        }
        guard message["content"]?.stringUTF8 != nil || isAssistant && isText(message["content"], orNull: true) else {
            throw .malformed("messages.content")
        }
        return 0
    }

    private static func reserve(of part: JSONValue, _ reserves: [String: Int64]) throws(RequestFault) -> Int64 {
        guard let part = part.object, let type = part["type"], let typeName = type.stringUTF8 else {
            throw .malformed("messages.content")
        }
        if type.isString("text") {
            guard part["text"]?.stringUTF8 != nil, part.members.count == 2 else { throw .malformed("messages.content") }
            return 0
        }
        let references = part.members.filter { !$0.isNamed(in: ["type", "detail"]) }
        guard let reserve = reserves.first(where: { type.isString($0.key) })?.value, isText(part["detail"]),
            references.count == 1, isReference(references[0], in: typeName)
        else { throw .malformed("messages.content") }
        return reserve
    }

    /// A reserve covers exactly one reference.
    ///
    /// The reference is the member with the same name as the type. For OpenAI's `input_` types, the reference may be a
    /// string in another member. If the reference is an object, all its members must be strings. Otherwise, the object
    /// could contain another part, which no reserve covers.
    private static func isReference(_ member: JSONObject.Member, in type: ArraySlice<UInt8>) -> Bool {
        let isNamedLikeType = member.name == type
        if member.value.stringUTF8 != nil { return isNamedLikeType || type.starts(with: "input_".utf8) }
        guard let object = member.value.object else { return false }
        // Do not count members that only describe the reference.
        let references = object.members.filter { !$0.isNamed(in: ["detail", "format", "filename", "media_type"]) }
        return isNamedLikeType && references.count == 1 && object.members.allSatisfy { $0.value.stringUTF8 != nil }
    }

    /// Returns whether a value is a list of function calls, whose identifiers, names and arguments are all text.
    private static func areCalls(_ value: JSONValue) -> Bool {
        guard let calls = value.array else { return false }
        return calls.allSatisfy { call in
            guard let call = call.object, let function = call["function"]?.object else { return false }
            return call.members.count == 3 && call["id"]?.stringUTF8 != nil
                && call["type"]?.isString("function") ?? false && function.members.count == 2
                && function["name"]?.stringUTF8 != nil && function["arguments"]?.stringUTF8 != nil
        }
    }

    /// Returns true if the value is missing, is a string, or is null where null is permitted.
    private static func isText(_ value: JSONValue?, orNull: Bool = false) -> Bool {
        guard let value else { return true }
        return value.stringUTF8 != nil || orNull && value.isNull
    }
}

extension JSONObject.Member {
    fileprivate func isNamed(in names: [String]) -> Bool { names.contains { name.elementsEqual($0.utf8) } }
}
