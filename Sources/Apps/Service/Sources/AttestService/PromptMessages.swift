import AttestMiddleware
import Foundation

/// The messages of a prompt, limited to content whose cost is known in advance. This is text, which the reserve for
/// each byte covers, and parts with a configured reserve. The package's README lists it under "Messages".
struct PromptMessages {
    let json: [[String: Any]]
    let units: Int64

    private static let roles = ["system", "developer", "user", "assistant", "tool"]
    /// Members that must be strings or null for every role.
    private static let texts = ["name", "refusal", "tool_call_id"]

    /// - Parameter reserves: the tokens to reserve for a part, by type. Parts of all other types except `text` are
    ///   rejected.
    init(_ value: Any?, reserves: [String: Int64]) throws(RequestFault) {
        guard let messages = value as? [Any], !messages.isEmpty else { throw .malformed("messages") }
        var units: Int64 = 0
        var checked: [[String: Any]] = []
        for message in messages {
            guard let message = message as? [String: Any] else { throw .malformed("messages") }
            units += try Self.check(message, reserves)
            checked.append(message)
        }
        json = checked
        self.units = units
    }

    private static func check(_ message: [String: Any], _ reserves: [String: Int64]) throws(RequestFault) -> Int64 {
        guard let role = message["role"] as? String, roles.contains(role) else { throw .malformed("messages.role") }
        for name in texts where !isText(message[name], orNull: true) { throw .malformed("messages.\(name)") }
        let isCalling = role == "assistant" && message["tool_calls"] != nil
        if isCalling, !areCalls(message["tool_calls"]) { throw .malformed("messages.tool_calls") }
        let declared = ["role", "content"] + texts + (isCalling ? ["tool_calls"] : [])
        guard message.keys.allSatisfy(declared.contains) else { throw .malformed("messages") }
        if let parts = message["content"] as? [Any] {
            var units: Int64 = 0
            for part in parts { units += try reserve(of: part, reserves) }
            return units
        }
        guard message["content"] is String || role == "assistant" && isText(message["content"], orNull: true) else {
            throw .malformed("messages.content")
        }
        return 0
    }

    private static func reserve(of part: Any, _ reserves: [String: Int64]) throws(RequestFault) -> Int64 {
        guard let part = part as? [String: Any], let type = part["type"] as? String else {
            throw .malformed("messages.content")
        }
        if type == "text" {
            guard part["text"] is String, part.count == 2 else { throw .malformed("messages.content") }
            return 0
        }
        let references = part.keys.filter { $0 != "type" && $0 != "detail" }
        guard let reserve = reserves[type], isText(part["detail"]), references.count == 1,
            let name = references.first, isReference(part[name], named: name, in: type)
        else { throw .malformed("messages.content") }
        return reserve
    }

    /// A reserve covers exactly one reference.
    ///
    /// The reference is the member with the same name as the type. For OpenAI's `input_` types, it may be a string in
    /// another member. Objects may contain only strings, so that no object hides a further part.
    private static func isReference(_ value: Any?, named name: String, in type: String) -> Bool {
        if value is String { return name == type || type.utf8.starts(with: "input_".utf8) }
        guard let object = value as? [String: Any] else { return false }
        // These members only describe the reference.
        let references = object.keys.filter { !["detail", "format", "filename", "media_type"].contains($0) }
        return name == type && references.count == 1 && object.values.allSatisfy { $0 is String }
    }

    /// Whether the identifiers, names and arguments are all text.
    private static func areCalls(_ value: Any?) -> Bool {
        guard let calls = value as? [Any] else { return false }
        return calls.allSatisfy { call in
            guard let call = call as? [String: Any], let function = call["function"] as? [String: Any] else {
                return false
            }
            return call.count == 3 && call["id"] is String && call["type"] as? String == "function"
                && function.count == 2 && function["name"] is String && function["arguments"] is String
        }
    }

    private static func isText(_ value: Any?, orNull: Bool = false) -> Bool {
        value == nil || value is String || orNull && value is NSNull
    }
}
