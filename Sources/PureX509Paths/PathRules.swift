import PureDER
import PureX509

/// The rules of RFC 5280 §6.1 and ``PathRequirements`` for a whole path. `Certificate+PathChecks.swift` of PureX509
/// contains the rules for a single certificate, such as validity and pathLenConstraint.
struct PathRules {
    let requirements: PathRequirements
    /// The policies for which the last checked path is valid.
    private(set) var policies = CertificatePolicySet.only([])
    /// Rejected candidates. `path` contains indices of intermediates, and `anchor` is the index of an anchor.
    private(set) var refused: [(path: [Int], anchor: Int?, error: PathError)] = []
    private let names: ComparedNames?
    private(set) var revocation: RevocationCheck?

    init(
        _ requirements: PathRequirements, verifier: CertificatePathVerifier, leaf: Certificate,
        intermediates: [Certificate]
    ) throws(X509Error) {
        self.requirements = requirements
        names =
            requirements.nameComparison == .encoding
            ? nil : try ComparedNames(verifier.trustAnchors, leaf: leaf, intermediates)
        revocation = try requirements.revocation.map { (policy) throws(X509Error) in
            try RevocationCheck(policy, requirements.nameComparison)
        }
    }

    /// Creates the rules for the path of an intermediate that may sign revocation lists. This path must end at the
    /// given anchor. Reuses the prepared names and lists, so they are prepared once per validation, not once per
    /// signer.
    init(
        _ requirements: PathRequirements, ofSigner index: Int, anchor: Int, _ rules: PathRules,
        revocation: RevocationCheck
    ) {
        self.requirements = requirements
        names = rules.names?.ofIntermediate(index, anchor: anchor)
        self.revocation = revocation
    }

    func comparable(_ name: ArraySlice<UInt8>, _ owner: NameOwner) -> ArraySlice<UInt8> {
        names?[owner] ?? name
    }

    /// Whether issuer and subject of a certificate are the same name (RFC 5280 §3.2), for example because a CA changed
    /// its key. `index` is `nil` for the leaf.
    func isSelfIssued(_ certificate: Certificate, _ index: Int?) -> Bool {
        comparable(certificate.issuer, .issuer(index)) == comparable(certificate.subject, .subject(index))
    }

    func check(_ certificate: Certificate, position: Int) throws(PathError) {
        if let constraints = certificate.extension(.nameConstraints) {
            // §4.2.1.10: nameConstraints must be critical, and only CA certificates may have this extension.
            guard constraints.isCritical || requirements.acceptsNonCriticalNameConstraints else {
                throw .certificate(.wrongCriticality(.nameConstraints, certificate: position))
            }
            guard certificate.basicConstraints?.isCertificationAuthority == true else {
                throw .certificate(.notCertificationAuthority(certificate: position))
            }
        }
        try wrapping { () throws(X509Error) in
            for purpose in requirements.purposes { try certificate.checkPurpose(purpose, position: position) }
        }
        guard position == 0 else { return }
        guard certificate.keyUsage?.isSuperset(of: requirements.keyUsage) != false else {
            throw .keyUsageMissing(certificate: 0)
        }
        guard requirements.serverIdentity?.matches(certificate) != false else { throw .serverIdentityMismatch }
    }

    /// Checks the whole path from the anchor to the leaf (§6.1.3 to §6.1.5).
    mutating func check(
        _ path: [Int], anchor: Int, in search: PathSearch, effort: inout PathEffort
    ) throws(PathError) {
        var names = NameConstraintState()
        var policyState = PolicyState(requirements)
        for constraints in requirements.nameConstraints { names.add(constraints) }
        if let certificate = search.verifier.trustAnchors[anchor].certificate {
            try names.add(of: certificate)
            try policyState.add(anchor: certificate, budget: &effort.policyGraphBudget)
        }
        let indices: [Int?] = [nil] + path.map { $0 }
        for position in indices.indices.reversed() {
            let index = indices[position], isLast = position == 0
            let certificate = index.map { search.intermediates[$0] } ?? search.leaf
            let isSelfIssued = isSelfIssued(certificate, index)
            // Steps (b) and (c): the names of a self-issued certificate are constrained only if it is the leaf.
            if !isSelfIssued || isLast {
                try names.check(certificate, position: position, comparisons: &effort.nameComparisons)
            }
            try policyState.add(
                certificate, isSelfIssued: isSelfIssued, isLast: isLast, position: position,
                budget: &effort.policyGraphBudget)
            if !isLast { try names.add(of: certificate) }
        }
        policies = try policyState.finish(requirements.initialPolicies)
        let whole = RevocationCheck.Path(indices: indices, anchor: anchor, search: search)
        try revocation?.check(whole, requirements, effort: &effort)
    }

    mutating func note(_ error: PathError, path: [Int], intermediate: Int?, anchor: Int?) {
        guard refused.count < PathReport.maximumCandidateCount else { return }
        refused.append((path + (intermediate.map { [$0] } ?? []), anchor, error))
    }
}

extension NameConstraintState {
    /// Adds the certificate's nameConstraints, if present (§6.1.4 (g)).
    fileprivate mutating func add(of certificate: Certificate) throws(PathError) {
        guard let value = certificate.extension(.nameConstraints)?.value else { return }
        add(try NameConstraints(derEncoded: value))
    }
}

extension PathError {
    /// Whether this error means that the search reached a limit and must stop.
    var isLimit: Bool {
        switch self {
        case .signatureCheckLimitReached, .stepLimitReached, .nameComparisonLimitReached, .policyGraphLimitReached: true
        default: false
        }
    }
}

/// The names of all certificates and anchors of a search, in the canonical form of RFC 5280 §7.1.
private struct ComparedNames {
    private var anchors: [ArraySlice<UInt8>]
    private let issuers: [ArraySlice<UInt8>]
    private let subjects: [ArraySlice<UInt8>]
    private var leafIssuer: ArraySlice<UInt8>
    private var leafSubject: ArraySlice<UInt8>

    init(_ anchors: [TrustAnchor], leaf: Certificate, _ intermediates: [Certificate]) throws(X509Error) {
        self.anchors = try anchors.map { (anchor) throws(X509Error) in try comparableBytes(anchor.name) }
        issuers = try intermediates.map { (certificate) throws(X509Error) in try comparableBytes(certificate.issuer) }
        subjects = try intermediates.map { (certificate) throws(X509Error) in try comparableBytes(certificate.subject) }
        leafIssuer = try comparableBytes(leaf.issuer)
        leafSubject = try comparableBytes(leaf.subject)
    }

    /// Returns the names for a search that starts at the intermediate with this index, and has a single anchor.
    func ofIntermediate(_ index: Int, anchor: Int) -> ComparedNames {
        var names = self
        (names.anchors, names.leafIssuer, names.leafSubject) = ([anchors[anchor]], issuers[index], subjects[index])
        return names
    }

    subscript(owner: NameOwner) -> ArraySlice<UInt8> {
        switch owner {
        case .anchor(let index): anchors[index]
        case .issuer(let index): index.map { issuers[$0] } ?? leafIssuer
        case .subject(let index): index.map { subjects[$0] } ?? leafSubject
        }
    }
}

/// Converts an encoded name to the canonical form of RFC 5280 §7.1.
func comparableBytes(_ name: ArraySlice<UInt8>) throws(X509Error) -> ArraySlice<UInt8> {
    try ComparableName(name, .subject).encoded[...]
}
