/// Whose name a search compares. A number is an intermediate's; `nil` stands for the leaf.
package enum NameOwner {
    case issuer(Int?)
    case subject(Int?)
    case anchor(Int)
}

/// What a ``PathSearch`` has done, and how much of it there may be.
package struct PathEffort {
    /// Signatures of certificates verified so far.
    var signatureChecks = 0
    /// Candidates looked at so far.
    var steps = 0
    /// Names compared with subtrees so far.
    var nameComparisons = 0
    /// What the graphs of policies may still have.
    var policyGraphBudget = CertificatePathVerifier.maximumPolicyGraphSize

    mutating func countSignatureCheck() throws(X509Error) {
        guard signatureChecks < CertificatePathVerifier.maximumSignatureChecks else {
            throw .signatureCheckLimitReached
        }
        signatureChecks += 1
    }
}

/// What a search for a path asks that is not of every path.
///
/// A search is generic over it so that a program which links only the narrow rules has nothing of the others.
package protocol PathRules {
    /// Whether ``check(_:anchor:in:effort:)`` processes name constraints and policies. If not, a path with any is refused.
    static var processConstraints: Bool { get }
    /// The bytes that stand for a name: equal if, and only if, the names are.
    func comparable(_ name: ArraySlice<UInt8>, _ owner: NameOwner) -> ArraySlice<UInt8>
    /// Checks a certificate of the path by itself.
    func check(_ certificate: Certificate, position: Int) throws(X509Error)
    /// Checks the whole of a path all of whose links are valid.
    mutating func check(
        _ path: [Int], anchor: Int, in search: PathSearch<Self>, effort: inout PathEffort
    ) throws(X509Error)
    /// A candidate was refused.
    mutating func note(_ error: X509Error, path: [Int], intermediate: Int?, anchor: Int?)
}

/// The rules of chains that have no constraints: those of signed data.
struct NarrowPathRules: PathRules {
    static var processConstraints: Bool { false }

    func comparable(_ name: ArraySlice<UInt8>, _ owner: NameOwner) -> ArraySlice<UInt8> { name }

    func check(_ certificate: Certificate, position: Int) throws(X509Error) {}

    func check(
        _ path: [Int], anchor: Int, in search: PathSearch<Self>, effort: inout PathEffort
    ) throws(X509Error) {}

    func note(_ error: X509Error, path: [Int], intermediate: Int?, anchor: Int?) {}
}
