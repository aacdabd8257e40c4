/// A file of path cases. What is `nil` is not in every suite.
struct X509ChainFile: Decodable {
    struct Name: Decodable {
        let kind: String
        let value: String
    }

    struct Case: Decodable {
        let id: String
        let expected_result: String
        let validation_time: String?
        let trusted_certs: [String]
        let untrusted_intermediates: [String]
        let peer_certificate: String
        // x509-limbo
        let features: [String]?
        let max_chain_depth: Int?
        let extended_key_usage: [String]?
        let expected_peer_name: Name?
        let expected_peer_names: [Name]?
        let crls: [String]?
        let key_usage: [String]?
        let signature_algorithms: [String]?
        // BoringSSL
        let last_cert_trust: String?
        let key_purpose: String?
        /// The names of members that are neither above nor in `descriptions`, and ask for something.
        let otherInputs: [String]

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case id, expected_result, validation_time, trusted_certs, untrusted_intermediates, peer_certificate
            case features, max_chain_depth, extended_key_usage, expected_peer_name, expected_peer_names, crls
            case key_usage, signature_algorithms
            case last_cert_trust, key_purpose
        }

        /// Members that a verdict does not depend on: texts, the peer's private key, and BoringSSL's `expected_…` beside the
        /// verdict, which the library does not compute.
        private static let descriptions: Set<String> = [
            "description", "importance", "conflicts_with", "validation_kind", "peer_certificate_key", "expected_errors",
            "expected_user_constrained_policy_set", "comment", "comments", "note", "notes", "name", "title", "section",
            "number", "source", "origin", "reference", "references", "url", "tags", "rule", "reason",
        ]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func value<T: Decodable>(_ key: CodingKeys) throws -> T { try container.decode(T.self, forKey: key) }
            func optional<T: Decodable>(_ key: CodingKeys) throws -> T? {
                try container.decodeIfPresent(T.self, forKey: key)
            }
            id = try value(.id)
            expected_result = try value(.expected_result)
            validation_time = try optional(.validation_time)
            trusted_certs = try value(.trusted_certs)
            untrusted_intermediates = try value(.untrusted_intermediates)
            peer_certificate = try value(.peer_certificate)
            features = try optional(.features)
            max_chain_depth = try optional(.max_chain_depth)
            extended_key_usage = try optional(.extended_key_usage)
            expected_peer_name = try optional(.expected_peer_name)
            expected_peer_names = try optional(.expected_peer_names)
            crls = try optional(.crls)
            key_usage = try optional(.key_usage)
            signature_algorithms = try optional(.signature_algorithms)
            last_cert_trust = try optional(.last_cert_trust)
            key_purpose = try optional(.key_purpose)
            let known = Self.descriptions.union(CodingKeys.allCases.map(\.rawValue))
            let members = try decoder.container(keyedBy: MemberName.self)
            otherInputs = try members.allKeys.filter { name in
                try !known.contains(name.stringValue) && members.decode(OtherInput.self, forKey: name).asksForSomething
            }.map(\.stringValue).sorted()
        }
    }

    let testcases: [Case]
}

/// A value that the runner does not know. `null`, false, an empty text, list or object, and the policies that RFC 5280 §6.1.1 (c)
/// starts with, any, ask for nothing; neither do lists and objects of such values.
private struct OtherInput: Decodable {
    let asksForSomething: Bool

    private static let anyPolicy: Set<String> = ["anypolicy", "any-policy", "any_policy", "2.5.29.32.0"]

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: MemberName.self) {
            asksForSomething = try members.allKeys.contains {
                try members.decode(Self.self, forKey: $0).asksForSomething
            }
        } else if var elements = try? decoder.unkeyedContainer() {
            var isAsking = false
            while !elements.isAtEnd { isAsking = try elements.decode(Self.self).asksForSomething || isAsking }
            asksForSomething = isAsking
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                asksForSomething = false
            } else if let flag = try? value.decode(Bool.self) {
                asksForSomething = flag
            } else if let text = try? value.decode(String.self) {
                asksForSomething = !(text.isEmpty || Self.anyPolicy.contains(text.lowercased()))
            } else {
                asksForSomething = true
            }
        }
    }
}
