/// The certificate or anchor that owns a compared name. For issuer and subject names, the number is the index of an
/// intermediate, and `nil` is the leaf.
enum NameOwner {
    case issuer(Int?)
    case subject(Int?)
    case anchor(Int)
}

/// The work that a ``PathSearch`` has done, with its limits.
struct PathEffort {
    /// Certificate signatures verified so far.
    var signatureChecks = 0
    /// Candidates examined so far.
    var steps = 0
    /// Names compared with subtrees so far.
    var nameComparisons = 0
    /// The remaining nodes and edges of policy graphs.
    var policyGraphBudget = CertificatePathVerifier.maximumPolicyGraphSize

    mutating func countSignatureCheck() throws(PathError) {
        guard signatureChecks < CertificatePathVerifier.maximumSignatureChecks else {
            throw .signatureCheckLimitReached
        }
        signatureChecks += 1
    }
}
