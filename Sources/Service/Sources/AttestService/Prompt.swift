import AttestMiddleware
import Foundation

/// What goes to the upstream: of a request's members those that the configuration allows, and the service's own.
struct Prompt {
    /// The most that it uses: the tokens of the answer, and those that the body may be.
    let units: Int64
    /// JSON.
    let body: [UInt8]

    /// - Throws: ``AttestMiddleware/RequestFault/malformedRequest``.
    init(_ bytes: [UInt8], _ generation: Generation) throws(RequestFault) {
        let data = Data(bytes)
        // Numbers and truth values are told apart by the one, and whatever is passed on as it is comes from the other. What both read is
        // written by the service, so that it does not matter which of two members with one name either takes.
        guard let own = try? JSONDecoder().decode(Own.self, from: data, configuration: generation.tokensMember),
            let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let messages = object["messages"] as? [Any], !messages.isEmpty
        else { throw .malformedRequest }
        let model = own.model ?? generation.models[0]
        let tokens = own.tokens ?? generation.maximumTokens
        guard generation.models.contains(model), 1...generation.maximumTokens ~= tokens else { throw .malformedRequest }
        var prompt: [String: Any] = [:]
        for name in generation.members where !Generation.ownMembers.contains(name) { prompt[name] = object[name] }
        prompt["model"] = model
        prompt["messages"] = messages
        prompt[generation.tokensMember] = tokens
        prompt["stream"] = own.stream ?? false
        // Without it streams say nothing of their usage.
        if own.stream == true { prompt["stream_options"] = ["include_usage": true] }
        // A number beyond all is read and can't be written.
        guard JSONSerialization.isValidJSONObject(prompt),
            let body = try? JSONSerialization.data(withJSONObject: prompt, options: [.sortedKeys])
        else { throw .malformedRequest }
        let perToken = Int64(generation.bytesPerToken)
        units = tokens + (perToken == 0 ? 0 : (Int64(body.count) + perToken - 1) / perToken)
        self.body = [UInt8](body)
    }
}

/// Any name of a member.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// What the service reads of a request itself.
private struct Own: DecodableWithConfiguration {
    let model: String?
    let stream: Bool?
    let tokens: Int64?

    init(from decoder: any Decoder, configuration tokensMember: String) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        model = try members.decodeIfPresent(String.self, forKey: MemberName(stringValue: "model"))
        stream = try members.decodeIfPresent(Bool.self, forKey: MemberName(stringValue: "stream"))
        tokens = try members.decodeIfPresent(Int64.self, forKey: MemberName(stringValue: tokensMember))
    }
}
