import PureDER
import PureX509

/// The policy variables of RFC 5280 §6.1.2: graph (RFC 9618), explicit_policy, policy_mapping, inhibit_anyPolicy.
struct PolicyState {
    private var graph = PolicyGraph()
    /// The number of certificates until a policy is required. Self-issued certificates are not counted. A policy is
    /// required once the number is 0 or negative, so never if the number exceeds the path length. In the same way, the
    /// next two variables are the numbers of certificates until policy mapping and anyPolicy are inhibited.
    private var explicitPolicy: Int64
    private var policyMapping: Int64
    private var inhibitAnyPolicy: Int64

    private var isMappingAllowed: Bool { policyMapping > 0 }

    /// Initialises the variables by §6.1.2 (a), (d), (e), (f).
    init(_ requirements: PathRequirements) {
        explicitPolicy = requirements.requiresExplicitPolicy ? 0 : .max
        policyMapping = requirements.inhibitsPolicyMapping ? 0 : .max
        inhibitAnyPolicy = requirements.inhibitsAnyPolicy ? 0 : .max
    }

    /// Adds the anchor's policies and constraints first (RFC 5937 §3.2). The anchor's mappings apply like the mappings
    /// of an intermediate. The anchor's policies only narrow the initial set, so inhibit_anyPolicy does not apply to
    /// them.
    mutating func add(anchor: Certificate, budget: inout Int) throws(PathError) {
        let extensions = try wrapping { () throws(X509Error) in try PolicyExtensions(anchor) }
        if extensions.policies != nil {
            _ = try graph.add(extensions.policies, isAnyPolicyAllowed: true, budget: &budget)
            try graph.map(extensions.mappings, isAllowed: isMappingAllowed, budget: &budget)
        }
        restrict(extensions)
    }

    /// Applies §6.1.3 (d), (e), (f), then §6.1.4 (a), (b), (h) to (j) or, for the leaf, §6.1.5 (a), (b).
    mutating func add(
        _ certificate: Certificate, isSelfIssued: Bool, isLast: Bool, position: Int, budget: inout Int
    ) throws(PathError) {
        let extensions = try wrapping { () throws(X509Error) in try PolicyExtensions(certificate) }
        let isAnyPolicyAllowed = inhibitAnyPolicy > 0 || !isLast && isSelfIssued
        let isLeft = try graph.add(extensions.policies, isAnyPolicyAllowed: isAnyPolicyAllowed, budget: &budget)
        guard isLeft || explicitPolicy > 0 else { throw .policyMissing(certificate: position) }
        if isLast {
            // §6.1.5 (a), (b)
            explicitPolicy -= 1
            if extensions.requireExplicitPolicy == 0 { explicitPolicy = 0 }
            return
        }
        try graph.map(extensions.mappings, isAllowed: isMappingAllowed, budget: &budget)
        if !isSelfIssued {
            // §6.1.4 (h)
            explicitPolicy -= 1
            policyMapping -= 1
            inhibitAnyPolicy -= 1
        }
        restrict(extensions)
    }

    /// Applies policyConstraints and inhibitAnyPolicy (§6.1.4 (i), (j)).
    private mutating func restrict(_ extensions: PolicyExtensions) {
        explicitPolicy = min(explicitPolicy, extensions.requireExplicitPolicy ?? .max)
        policyMapping = min(policyMapping, extensions.inhibitPolicyMapping ?? .max)
        inhibitAnyPolicy = min(inhibitAnyPolicy, extensions.inhibitAnyPolicy ?? .max)
    }

    /// Returns the policies in `initial` for which the path is valid (§6.1.5 (g)). Empty only if no policy is required.
    func finish(_ initial: CertificatePolicySet) throws(PathError) -> CertificatePolicySet {
        if let policies = graph.policies(within: initial) { return policies }
        guard explicitPolicy > 0 else { throw .policyMissing(certificate: 0) }
        return .only([])
    }
}
