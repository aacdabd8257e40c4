/// The certificate or anchor to which a compared name belongs. For issuer and subject names, the associated value is
/// the index of an intermediate, or `nil` for the leaf.
enum NameOwner {
    case issuer(Int?)
    case subject(Int?)
    case anchor(Int)
}

/// Counts the work of a ``PathSearch``, and enforces the limits.
struct PathEffort {
    /// Certificate signatures verified so far.
    var signatureChecks = 0
    var steps = 0
    var nameComparisons = 0
    /// The number of nodes and edges that policy graphs may still add.
    var policyGraphBudget = CertificatePathVerifier.maximumPolicyGraphSize

    mutating func countSignatureCheck() throws(PathError) {
        guard signatureChecks < CertificatePathVerifier.maximumSignatureChecks else {
            throw .signatureCheckLimitReached
        }
        signatureChecks += 1
    }
}
