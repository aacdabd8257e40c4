import PureDER
package import PureX509
import PureX509Paths

/// The value of a case member. Its type depends on the suite.
enum X509InputValue: Decodable {
    case null
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([X509InputValue])
    case members([String: X509InputValue])

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: MemberName.self) {
            self = .members(
                try members.allKeys.reduce(into: [:]) { $0[$1.stringValue] = try members.decode(Self.self, forKey: $1) }
            )
        } else if var elements = try? decoder.unkeyedContainer() {
            var list: [X509InputValue] = []
            while !elements.isAtEnd { list.append(try elements.decode(Self.self)) }
            self = .list(list)
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    /// Whether the value differs from an input's default. Defaults are `null`, false, anyPolicy, an empty text, list or
    /// object, and lists and objects that contain only defaults.
    var asksForSomething: Bool {
        switch self {
        case .null: false
        case .flag(let flag): flag
        case .number: true
        case .text(let text): !(text.isEmpty || text.isAnyPolicy)
        case .list(let values): values.contains(where: \.asksForSomething)
        case .members(let members): members.values.contains(where: \.asksForSomething)
        }
    }

    /// The value as a flag, which a suite may also write as a number; `nil` for other values.
    var isSet: Bool? {
        switch self {
        case .null: false
        case .flag(let flag): flag
        case .number(0): false
        case .number(1): true
        default: nil
        }
    }

    /// The value as a list of policies, written as identifiers or PKITS names; `nil` for other values.
    var policies: [ASN1ObjectIdentifier]? {
        switch self {
        case .null: return []
        case .text(let text):
            if text.isEmpty { return [] }
            if text.isAnyPolicy { return [.anyPolicy] }
            let number = text.removing(prefix: "NIST-test-policy-").flatMap { $0.isDecimal ? $0 : nil }
            let dotted = number.map { "2.16.840.1.101.3.2.1.48.\($0)" } ?? text
            return ASN1ObjectIdentifier(dotted: dotted).map { [$0] }
        case .list(let values):
            let lists = values.map(\.policies)
            return lists.contains { $0 == nil } ? nil : lists.flatMap { $0 ?? [] }
        case .members(let members): return members.count == 1 ? members.values.first?.policies : nil
        default: return nil
        }
    }
}

/// The inputs of RFC 5280 §6.1.1 (c), (e), (f) and (g).
enum X509PolicyInput: CaseIterable {
    case initialPolicies
    case policyMappingInhibit
    case explicitPolicy
    case anyPolicyInhibit

    private var names: [String] {
        switch self {
        case .initialPolicies: ["user_initial_policy_set", "initial_policy_set", "initial_policies", "policies"]
        case .policyMappingInhibit: ["initial_policy_mapping_inhibit", "inhibit_policy_mapping"]
        case .explicitPolicy: ["initial_explicit_policy", "require_explicit_policy"]
        case .anyPolicyInhibit: ["initial_any_policy_inhibit", "inhibit_any_policy"]
        }
    }

    static let names = Set(allCases.flatMap(\.names))

    init?(_ name: String) {
        guard let input = Self.allCases.first(where: { $0.names.contains(name) }) else { return nil }
        self = input
    }
}

extension PathRequirements {
    /// Sets the policy inputs of a case. Returns `false` if an input is unreadable.
    mutating func setPolicies(_ inputs: [String: X509InputValue]) -> Bool {
        for (name, value) in inputs {
            guard let input = X509PolicyInput(name) else { return false }
            if input == .initialPolicies {
                guard let policies = value.policies else { return false }
                initialPolicies = policies.isEmpty || policies.contains(.anyPolicy) ? .any : .only(policies)
                continue
            }
            guard let isSet = value.isSet else { return false }
            switch input {
            case .policyMappingInhibit: inhibitsPolicyMapping = isSet
            case .explicitPolicy: requiresExplicitPolicy = isSet
            default: inhibitsAnyPolicy = isSet
            }
        }
        return true
    }
}

extension String {
    /// Whether the text is a name of anyPolicy. The comparison is ASCII case-insensitive.
    fileprivate var isAnyPolicy: Bool {
        let name = lowercasedASCII
        return ["anypolicy", "any-policy", "any_policy", "2.5.29.32.0"].contains { $0.utf8.elementsEqual(name) }
    }
}

extension KeyUsage {
    /// The names that RFC 5280 §4.2.1.3 defines, in the order of the bits.
    private static let bitNames = [
        "digitalSignature", "contentCommitment", "keyEncipherment", "dataEncipherment", "keyAgreement", "keyCertSign",
        "cRLSign", "encipherOnly", "decipherOnly",
    ]

    /// Creates a key usage from its name.
    init?(named name: String) {
        guard let bit = Self.bitNames.firstIndex(of: name) else { return nil }
        self.init(rawValue: 1 << bit)
    }

    /// The names of the set bits.
    package var names: [String] {
        Self.bitNames.filter { name in KeyUsage(named: name).map { contains($0) } == true }
    }
}

extension ASN1ObjectIdentifier {
    /// Creates an object identifier from its dotted form. Each arc must be below 2^63 (X.690 §8.19).
    init?(dotted text: String) {
        let arcs = text.parts(between: ".").map { $0.isDecimal ? UInt64($0) : nil }
        guard arcs.count > 1, let root = arcs[0], let second = arcs[1], root < 3, root == 2 || second < 40,
            second < 1 << 63
        else { return nil }
        var contents: [UInt8] = []
        for arc in [root * 40 + second] + arcs.dropFirst(2) {
            guard var rest = arc, rest < 1 << 63 else { return nil }
            var octets = [UInt8(rest & 0x7F)]
            while rest > 0x7F {
                rest >>= 7
                octets.append(UInt8(rest & 0x7F) | 0x80)
            }
            contents += octets.reversed()
        }
        try? self.init(contents: contents[...])
    }
}
