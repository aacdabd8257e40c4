import PureDER

/// What a caller asks of revocation: the lists that it has. Nothing is fetched.
public struct RevocationPolicy: Sendable {
    /// Revocation lists in any order; those of other issuers, of other times and not properly signed do no harm.
    public var lists: [CertificateRevocationList]

    /// Whether a certificate whose status no list tells is taken as not revoked. If not, every certificate of a path but the anchor
    /// needs a list.
    public var allowsUnknownStatus: Bool

    /// Asks for the status of every certificate, by `lists`.
    public init(lists: [CertificateRevocationList], allowsUnknownStatus: Bool = false) {
        self.lists = lists
        self.allowsUnknownStatus = allowsUnknownStatus
    }
}

/// RFC 5280 §6.3 for full lists of a certificate's own issuer.
struct RevocationCheck {
    private let policy: RevocationPolicy
    /// The lists' issuers, as they are compared.
    private let issuers: [ArraySlice<UInt8>]
    private let allowsOtherSigners: Bool
    /// The key that a list is known to be signed by, for the certificates and paths to come.
    private var signers: [ArraySlice<UInt8>?]

    init(
        _ policy: RevocationPolicy, _ comparison: NameComparison, allowsOtherSigners: Bool
    ) throws(X509Error) {
        self.policy = policy
        signers = [ArraySlice<UInt8>?](repeating: nil, count: policy.lists.count)
        issuers = try policy.lists.map { (list) throws(X509Error) in
            comparison == .encoding ? list.issuer : try comparableBytes(list.issuer)
        }
        self.allowsOtherSigners = allowsOtherSigners
    }

    /// A path, and the search that found it.
    struct Path {
        /// The leaf, which is `nil`, and intermediates by number.
        let indices: [Int?]
        let anchor: Int
        let search: PathSearch<ConstrainedPathRules>
        let comparable: (ArraySlice<UInt8>, NameOwner) -> ArraySlice<UInt8>

        func certificate(_ position: Int) -> Certificate {
            indices[position].map { search.intermediates[$0] } ?? search.leaf
        }
    }

    /// §6.1.3 (a)(3), from the anchor down: a revoked issuer comes before what it issued.
    mutating func check(
        _ path: Path, _ requirements: PathRequirements, effort: inout PathEffort
    ) throws(X509Error) {
        for position in path.indices.indices.reversed() {
            let isKnown = try check(position, of: path, requirements, effort: &effort)
            guard isKnown || policy.allowsUnknownStatus else {
                throw .revocationStatusUnknown(certificate: position)
            }
        }
    }

    /// §6.3.3 for one certificate: whether its status is known for all reasons. Throws if it is revoked for any.
    private mutating func check(
        _ position: Int, of path: Path, _ requirements: PathRequirements, effort: inout PathEffort
    ) throws(X509Error) -> Bool {
        let certificate = path.certificate(position)
        let issuer = path.comparable(certificate.issuer, .issuer(path.indices[position]))
        let points =
            try DistributionPoint.all(of: certificate) + [try DistributionPoint(issuer: certificate.issuer)]
        var reasons: ReasonFlags = []
        for number in policy.lists.indices {
            let list = policy.lists[number]
            // §6.3.3 (b)(1). §5.2.4: only lists that may be used.
            guard issuers[number] == issuer, list.isUsable, list.isCurrent(at: path.search.time) else { continue }
            let covered = Self.reasons(list.scope, points, certificate)
            guard !covered.isEmpty,
                try isSigned(number, above: position, path, requirements, effort: &effort)
            else { continue }
            // §6.3.3 (j)
            if let entry = try list.entry(of: certificate.serialNumber) {
                throw .revoked(certificate: position, entry.reason)
            }
            // §6.3.3 (l)
            reasons.formUnion(covered)
        }
        return reasons == .all
    }

    /// §6.3.3 (b)(2), (d): the reasons for which a list is about the certificate, none if it is not.
    private static func reasons(
        _ scope: RevocationListScope, _ points: [DistributionPoint], _ certificate: Certificate
    ) -> ReasonFlags {
        let isAuthority = certificate.basicConstraints?.isCertificationAuthority == true
        guard !(scope.hasOnlyUserCertificates && isAuthority), !(scope.hasOnlyAuthorityCertificates && !isAuthority)
        else { return [] }
        var reasons: ReasonFlags = []
        for point in points where !point.hasIssuer {
            if let names = scope.names {
                guard point.names?.intersects(names) == true else { continue }
            }
            reasons.formUnion(scope.reasons.intersection(point.reasons))
        }
        return reasons
    }

    /// §6.3.3 (f), (g): whether an issuer above signed the list, with a key that may, or a certificate beside the path that is valid under
    /// the same anchor.
    private mutating func isSigned(
        _ number: Int, above position: Int, _ path: Path, _ requirements: PathRequirements, effort: inout PathEffort
    ) throws(X509Error) -> Bool {
        let search = path.search
        for above in path.indices.indices.dropFirst(position + 1) {
            let certificate = path.certificate(above)
            guard path.comparable(certificate.subject, .subject(path.indices[above])) == issuers[number],
                certificate.keyUsage?.contains(.cRLSign) != false, let key = IssuerKey(certificate.publicKey)
            else { continue }
            if try isSigned(number, by: key, certificate.subjectPublicKeyInfo, effort: &effort) { return true }
        }
        let anchor = search.verifier.trustAnchors[path.anchor]
        if path.comparable(anchor.name, .anchor(path.anchor)) == issuers[number],
            anchor.certificate?.keyUsage?.contains(.cRLSign) != false,
            try isSigned(number, by: anchor.key, anchor.subjectPublicKeyInfo, effort: &effort)
        {
            return true
        }
        guard allowsOtherSigners else { return false }
        for index in search.intermediates.indices where !path.indices.contains(index) {
            let certificate = search.intermediates[index]
            guard path.comparable(certificate.subject, .subject(index)) == issuers[number],
                certificate.keyUsage?.contains(.cRLSign) == true, let key = IssuerKey(certificate.publicKey),
                try isSigned(number, by: key, certificate.subjectPublicKeyInfo, effort: &effort),
                try isValid(certificate, above: position, path, requirements, effort: &effort)
            else { continue }
            return true
        }
        return false
    }

    private mutating func isSigned(
        _ number: Int, by key: IssuerKey, _ keyInfo: ArraySlice<UInt8>, effort: inout PathEffort
    ) throws(X509Error) -> Bool {
        if signers[number] == keyInfo { return true }
        let list = policy.lists[number]
        if case .unsupported = list.signatureAlgorithm { return false }
        try effort.countSignatureCheck()
        guard
            key.isValidSignature(list.signature, algorithm: list.signatureAlgorithm, message: list.tbsCertList)
        else { return false }
        signers[number] = keyInfo
        return true
    }

    /// Whether a signer of lists has a path to the same anchor, on which lists are signed by issuers alone, so that no search
    /// goes deeper than this one.
    ///
    /// §6.3.3 (f) asks for no more than the anchor, and a name: one that any CA below it may give. So the signer's own issuer is to be
    /// an issuer of the certificate's path.
    private func isValid(
        _ signer: Certificate, above position: Int, _ path: Path, _ requirements: PathRequirements,
        effort: inout PathEffort
    ) throws(X509Error) -> Bool {
        let verifier = CertificatePathVerifier(
            trustAnchors: [path.search.verifier.trustAnchors[path.anchor]],
            maximumPathLength: path.search.verifier.maximumPathLength)
        var signerRequirements = PathRequirements()
        signerRequirements.nameComparison = requirements.nameComparison
        signerRequirements.nameConstraints = requirements.nameConstraints
        signerRequirements.acceptsNonCriticalNameConstraints = requirements.acceptsNonCriticalNameConstraints
        signerRequirements.revocation = policy
        let rules = try ConstrainedPathRules(
            signerRequirements, verifier: verifier, leaf: signer, intermediates: path.search.intermediates,
            allowsOtherSigners: false)
        var search = PathSearch(
            verifier: verifier, leaf: signer, intermediates: path.search.intermediates, time: path.search.time,
            rules: rules, effort: effort)
        defer { effort = search.effort }
        do {
            let chain = try search.run()
            guard chain.certificates.count > 1 else { return true }
            let key = chain.certificates[1].subjectPublicKeyInfo
            return path.indices.indices.dropFirst(position + 1).contains {
                path.certificate($0).subjectPublicKeyInfo == key
            }
        } catch {
            if error.isLimit { throw error }
            return false
        }
    }
}
