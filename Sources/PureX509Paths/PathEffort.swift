/// The owner of a name that a search compares. A number is an intermediate's; `nil` is the leaf.
enum NameOwner {
    case issuer(Int?)
    case subject(Int?)
    case anchor(Int)
}

/// The work that a ``PathSearch`` has done, and its limits.
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
