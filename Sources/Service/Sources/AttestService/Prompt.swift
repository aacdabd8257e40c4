import AttestMiddleware
import Foundation

/// What goes to the upstream: of a request's members those that the configuration allows, and the service's own.
struct Prompt {
    /// The most that it uses: the tokens of the answer, of the body's bytes, and of parts that are not text.
    let units: Int64
    /// JSON.
    let body: [UInt8]

    /// - Throws: ``AttestMiddleware/RequestFault/malformed(_:)``.
    init(_ bytes: [UInt8], _ generation: Generation) throws(RequestFault) {
        // RFC 8259 §8.1: UTF-8 and no byte order mark, which the parsers below would take, and UTF-16 too.
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0), bytes.first != 0xEF else {
            throw .malformed("body")
        }
        let data = Data(bytes)
        // Numbers and truth values are told apart by the one, and whatever is passed on as it is comes from the other. What both read is
        // written by the service, so that it does not matter which of two members with one name either takes.
        let own = try Own(data, tokensMember: generation.tokensMember)
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw .malformed("body")
        }
        let messages = try PromptMessages(object["messages"], reserves: generation.parts)
        let asked = own.model ?? generation.models[0]
        guard let model = generation.models.first(where: { $0 == asked }) else { throw .malformed("model") }
        let tokens = own.tokens ?? generation.maximumTokens
        guard 1...generation.maximumTokens ~= tokens else { throw .malformed(generation.tokensMember) }
        var prompt: [String: Any] = [:]
        let refused = Generation.ownMembers + Generation.unboundedMembers
        for name in generation.members where !refused.contains(name) { prompt[name] = object[name] }
        prompt["model"] = model
        prompt["messages"] = messages.json
        prompt[generation.tokensMember] = tokens
        prompt["stream"] = own.stream ?? false
        // Without it streams say nothing of their usage.
        if own.stream == true { prompt["stream_options"] = ["include_usage": true] }
        // A number beyond all is read and can't be written.
        guard JSONSerialization.isValidJSONObject(prompt),
            let body = try? JSONSerialization.data(withJSONObject: prompt, options: [.sortedKeys])
        else { throw .malformed("body") }
        let perToken = Int64(generation.bytesPerToken)
        units = tokens + messages.units + (perToken == 0 ? 0 : (Int64(body.count) + perToken - 1) / perToken)
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

    init(_ data: Data, tokensMember: String) throws(RequestFault) {
        do {
            self = try JSONDecoder().decode(Own.self, from: data, configuration: tokensMember)
        } catch { throw error as? RequestFault ?? .malformed("body") }
    }

    init(from decoder: any Decoder, configuration tokensMember: String) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        func value<Value: Decodable>(_ name: String) throws -> Value? {
            do { return try members.decodeIfPresent(Value.self, forKey: MemberName(stringValue: name)) } catch {
                throw RequestFault.malformed(name)
            }
        }
        model = try value("model")
        stream = try value("stream")
        tokens = try value(tokensMember)
    }
}
