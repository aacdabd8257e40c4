/// A file of path cases. The optional members occur only in some suites.
struct X509ChainFile: Decodable {
    struct Name: Decodable {
        let kind: String
        let value: String
    }

    struct Case: Decodable {
        let id: String
        let expected_result: String
        /// The expected error of the path, in the form in which Swift prints errors. Only the files that this package
        /// generates have this member.
        let expected_error: String?
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
        /// The policies for which the path must be valid, in the trust anchor's policy domain. The member occurs only
        /// in suites that name policies, such as BoringSSL's.
        let expected_user_constrained_policy_set: X509InputValue?
        /// The inputs for policies (RFC 5280 §6.1.1 (c), (e), (f), (g)), by the member names that the suites use.
        let policyInputs: [String: X509InputValue]
        /// The names of other members, sorted. They have a value other than a default, and are not known to be
        /// informational.
        let otherInputs: [String]

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case id, expected_result, expected_error, validation_time, trusted_certs, untrusted_intermediates,
                peer_certificate
            case features, max_chain_depth, extended_key_usage, expected_peer_name, expected_peer_names, crls
            case key_usage, signature_algorithms
            case last_cert_trust, key_purpose, expected_user_constrained_policy_set
        }

        static let memberNames = Set(CodingKeys.allCases.map(\.rawValue))

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func value<T: Decodable>(_ key: CodingKeys) throws -> T { try container.decode(T.self, forKey: key) }
            func optional<T: Decodable>(_ key: CodingKeys) throws -> T? {
                try container.decodeIfPresent(T.self, forKey: key)
            }
            id = try value(.id)
            expected_result = try value(.expected_result)
            expected_error = try optional(.expected_error)
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
            expected_user_constrained_policy_set = try optional(.expected_user_constrained_policy_set)
            let known = Self.memberNames.union(X509PolicyInput.names)
            let members = try decoder.container(keyedBy: MemberName.self)
            policyInputs = try members.allKeys.reduce(into: [:]) { inputs, name in
                guard X509PolicyInput.names.contains(name.stringValue) else { return }
                inputs[name.stringValue] = try members.decode(X509InputValue.self, forKey: name)
            }
            otherInputs = try members.allKeys.filter { name in
                try !known.contains(name.stringValue) && PathCaseMember(named: name.stringValue) != .informs
                    && members.decode(X509InputValue.self, forKey: name).asksForSomething
            }.map(\.stringValue).sorted()
        }
    }

    let testcases: [Case]
}
