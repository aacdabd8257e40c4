public import PureDER
import PureX509

/// The policy extensions of a certificate (RFC 5280 §4.2.1.4, .5, .11, .14), whose syntax was already checked.
struct PolicyExtensions {
    /// The policies of certificatePolicies, or `nil` if the extension is absent.
    private(set) var policies: [ASN1ObjectIdentifier]?
    private(set) var mappings: [PolicyMapping] = []
    private(set) var requireExplicitPolicy: Int64?
    private(set) var inhibitPolicyMapping: Int64?
    private(set) var inhibitAnyPolicy: Int64?

    init(_ certificate: Certificate) throws(X509Error) {
        for i in certificate.extensions.indices {
            let value = certificate.extensions[i].value
            switch certificate.extensions[i].identifier {
            case .certificatePolicies: policies = try Self.readPolicies(value)
            case .policyMappings: mappings = try Self.readMappings(value)
            case .policyConstraints:
                var reader = try FieldReader.entering(.sequence, of: value, .policyConstraints)
                requireExplicitPolicy = try reader.readNumberIfPresent(.contextPrimitive(0))
                inhibitPolicyMapping = try reader.readNumberIfPresent(.contextPrimitive(1))
            case .inhibitAnyPolicy:
                var reader = FieldReader(value, .inhibitAnyPolicy)
                inhibitAnyPolicy = try reader.readInt64()
            default: break
            }
        }
    }

    private static func readPolicies(_ value: ArraySlice<UInt8>) throws(X509Error) -> [ASN1ObjectIdentifier] {
        var policies: [ASN1ObjectIdentifier] = []
        var reader = try FieldReader.entering(.sequence, of: value, .certificatePolicies)
        while !reader.isAtEnd {
            var policy = try reader.enter(.sequence)
            policies.append(try policy.readObjectIdentifier())
        }
        return policies
    }

    /// Reads the mappings. Rejects mappings from or to anyPolicy (§6.1.4 (a)).
    private static func readMappings(_ value: ArraySlice<UInt8>) throws(X509Error) -> [PolicyMapping] {
        var mappings: [PolicyMapping] = []
        var reader = try FieldReader.entering(.sequence, of: value, .policyMappings)
        while !reader.isAtEnd {
            var pair = try reader.enter(.sequence)
            let issuer = try pair.readObjectIdentifier(), subject = try pair.readObjectIdentifier()
            guard issuer != .anyPolicy, subject != .anyPolicy else { throw .invalidValue(.policyMappings) }
            mappings.append(PolicyMapping(issuerDomainPolicy: issuer, subjectDomainPolicy: subject))
        }
        return mappings
    }
}

/// One mapping of policyMappings (RFC 5280 §4.2.1.5).
struct PolicyMapping {
    let issuerDomainPolicy: ASN1ObjectIdentifier
    let subjectDomainPolicy: ASN1ObjectIdentifier
}

extension FieldReader {
    fileprivate mutating func readNumberIfPresent(_ tag: DERTag) throws(X509Error) -> Int64? {
        try peekTag() == tag ? try readInt64(tag) : nil
    }
}

extension ASN1ObjectIdentifier {
    /// anyPolicy, 2.5.29.32.0 (RFC 5280 §4.2.1.4).
    @inline(__always) public static var anyPolicy: Self { Self(encodedAs: 0x55_1D_20_00) }
}
