import AttestMiddleware
import Foundation

/// A request to the upstream: the client's members that the configuration allows, and the service's own members.
struct Prompt {
    /// The maximum usage in tokens, for the answer, the bytes of the body, and the parts that are not text.
    let units: Int64
    let body: [UInt8]

    init(_ bytes: [UInt8], _ generation: Generation) throws(RequestFault) {
        // RFC 8259 §8.1 requires UTF-8 without a byte order mark, but the parsers below accept a byte order mark and
        // UTF-16.
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0), bytes.first != 0xEF else {
            throw .malformed("body")
        }
        let data = Data(bytes)
        // `JSONDecoder` reads the service's own members, because it distinguishes numbers from Booleans.
        // `JSONSerialization` reads the members to pass on. If a name occurs twice, the parsers may choose different
        // values. This is harmless, because the service replaces its own members.
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
        // Without this option, streams report no usage.
        if own.stream == true { prompt["stream_options"] = ["include_usage": true] }
        // `JSONSerialization` can read an infinite number but cannot write it.
        guard JSONSerialization.isValidJSONObject(prompt),
            let body = try? JSONSerialization.data(withJSONObject: prompt, options: [.sortedKeys])
        else { throw .malformed("body") }
        let perToken = Int64(generation.bytesPerToken)
        units = tokens + messages.units + (perToken == 0 ? 0 : (Int64(body.count) + perToken - 1) / perToken)
        self.body = [UInt8](body)
    }
}

struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

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
