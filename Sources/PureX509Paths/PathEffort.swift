/// Whose name a search compares. A number is an intermediate's; `nil` stands for the leaf.
enum NameOwner {
    case issuer(Int?)
    case subject(Int?)
    case anchor(Int)
}

/// What a ``PathSearch`` has done, and how much of it there may be.
struct PathEffort {
    /// Signatures of certificates verified so far.
    var signatureChecks = 0
    /// Candidates looked at so far.
    var steps = 0
    /// Names compared with subtrees so far.
    var nameComparisons = 0
    /// What the graphs of policies may still have.
    var policyGraphBudget = CertificatePathVerifier.maximumPolicyGraphSize

    mutating func countSignatureCheck() throws(PathError) {
        guard signatureChecks < CertificatePathVerifier.maximumSignatureChecks else {
            throw .signatureCheckLimitReached
        }
        signatureChecks += 1
    }
}
