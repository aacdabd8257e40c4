import PureDER
import PureX509

/// Requires a revocation check, with lists that the caller passes. The verifier never fetches lists.
public struct RevocationPolicy: Sendable {
    /// Revocation lists in any order. Lists from other issuers are ignored, as are lists that are not current or not
    /// validly signed.
    public var lists: [CertificateRevocationList]

    /// Whether a certificate with unknown status is treated as not revoked. If `false`, a list must determine the
    /// status of every certificate in the path except the anchor.
    public var allowsUnknownStatus: Bool

    /// Creates a policy. By default, `lists` must determine the status of every certificate.
    public init(lists: [CertificateRevocationList], allowsUnknownStatus: Bool = false) {
        self.lists = lists
        self.allowsUnknownStatus = allowsUnknownStatus
    }
}

/// Checks revocation by RFC 5280 §6.3. Uses only full lists that are issued in the name of the certificate's issuer.
struct RevocationCheck {
    private let policy: RevocationPolicy
    /// The issuer name of each list, in the form that `NameComparison` selects.
    private let issuers: [ArraySlice<UInt8>]
    /// The results of signature checks, shared by all certificates and paths of a validation.
    private(set) var signatures: ListSignatures
    private let allowsOtherSigners: Bool
    /// For each intermediate, whether it may sign lists under the anchor with index `signersAnchor`.
    private var signers: [Signer] = []
    private var signersAnchor: Int?

    private enum Signer {
        case unknown
        case notValid
        /// The signer has a valid path. The value is the key of the signer's issuer, or `nil` for the anchor.
        case issued(by: ArraySlice<UInt8>?)
    }

    init(_ policy: RevocationPolicy, _ comparison: NameComparison) throws(X509Error) {
        self.policy = policy
        signatures = ListSignatures(listCount: policy.lists.count)
        allowsOtherSigners = true
        issuers = try policy.lists.map { (list) throws(X509Error) in
            comparison == .encoding ? list.issuer : try comparableBytes(list.issuer)
        }
    }

    /// Creates the check for the path of a list signer. Only the issuer of a certificate in this path
    /// may sign the revocation list for that certificate.
    private init(ofSignerFor check: RevocationCheck) {
        policy = check.policy
        signatures = check.signatures
        allowsOtherSigners = false
        issuers = check.issuers
    }

    struct Path {
        /// `nil` for the leaf, followed by the indices of the intermediates.
        let indices: [Int?]
        let anchor: Int
        let search: PathSearch

        func certificate(_ position: Int) -> Certificate {
            indices[position].map { search.intermediates[$0] } ?? search.leaf
        }
    }

    /// Checks every certificate (§6.1.3 (a)(3)). Starts at the anchor, so that a revoked issuer is reported first.
    mutating func check(
        _ path: Path, _ requirements: PathRequirements, effort: inout PathEffort
    ) throws(PathError) {
        for position in path.indices.indices.reversed() {
            let isKnown = try check(position, of: path, requirements, effort: &effort)
            guard isKnown || policy.allowsUnknownStatus else {
                throw .revocationStatusUnknown(certificate: position)
            }
        }
    }

    /// Checks a single certificate (§6.3.1, §6.3.2, §6.3.3). Returns whether the lists cover the certificate for all
    /// reasons. Throws if the certificate is revoked for any reason.
    private mutating func check(
        _ position: Int, of path: Path, _ requirements: PathRequirements, effort: inout PathEffort
    ) throws(PathError) -> Bool {
        let certificate = path.certificate(position)
        let issuer = path.search.rules.comparable(certificate.issuer, .issuer(path.indices[position]))
        let points = try wrapping { () throws(X509Error) in
            try DistributionPoint.all(of: certificate) + [try DistributionPoint(issuer: certificate.issuer)]
        }
        var reasons: ReasonFlags = []
        for number in policy.lists.indices {
            let list = policy.lists[number]
            // §6.3.3 (b)(1); §5.2.4: only usable lists.
            guard issuers[number] == issuer, list.isUsable, list.isCurrent(at: path.search.time) else { continue }
            let covered = Self.reasons(list.fields.scope, points, certificate)
            guard !covered.isEmpty,
                try isSigned(number, above: position, path, requirements, effort: &effort)
            else { continue }
            // §6.3.3 (j)
            if let entry = try wrapping({ () throws(X509Error) in try list.entry(of: certificate.serialNumber) }) {
                throw .revoked(certificate: position, entry.reason)
            }
            // §6.3.3 (l)
            reasons.formUnion(covered)
        }
        // Uses a superset test, because lists and distribution points may set bit 0, which is not a reason.
        return reasons.isSuperset(of: .all)
    }

    /// Returns the reasons for which a list covers the certificate (§6.3.3 (b)(2), (d)), or an empty set if the list
    /// does not cover the certificate.
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

    /// Whether an authorized key signed the list (§6.3.3 (f), (g)). Authorized keys belong to issuers above `position`,
    /// or to valid certificates outside the path under the same anchor.
    private mutating func isSigned(
        _ number: Int, above position: Int, _ path: Path, _ requirements: PathRequirements, effort: inout PathEffort
    ) throws(PathError) -> Bool {
        let search = path.search, list = policy.lists[number]
        for above in path.indices.indices.dropFirst(position + 1) {
            let certificate = path.certificate(above)
            guard search.rules.comparable(certificate.subject, .subject(path.indices[above])) == issuers[number],
                certificate.keyUsage?.contains(.cRLSign) != false, let key = IssuerKey(certificate.publicKey)
            else { continue }
            if signatures.isSigned(number, list, by: key, certificate.subjectPublicKeyInfo) { return true }
        }
        let anchor = search.verifier.trustAnchors[path.anchor]
        if search.rules.comparable(anchor.name, .anchor(path.anchor)) == issuers[number],
            anchor.certificate?.keyUsage?.contains(.cRLSign) != false,
            signatures.isSigned(number, list, by: anchor.key, anchor.subjectPublicKeyInfo)
        {
            return true
        }
        guard allowsOtherSigners else { return false }
        for index in search.intermediates.indices {
            let certificate = search.intermediates[index]
            guard search.rules.comparable(certificate.subject, .subject(index)) == issuers[number],
                certificate.keyUsage?.contains(.cRLSign) == true, let key = IssuerKey(certificate.publicKey),
                signatures.verdict(number, certificate.subjectPublicKeyInfo) != false,
                try isSigner(index, above: position, path, requirements, effort: &effort),
                signatures.isSigned(number, list, by: key, certificate.subjectPublicKeyInfo)
            else { continue }
            return true
        }
        return false
    }

    /// Whether an intermediate may sign lists: it has a path to the same anchor, and its issuer is also an issuer above
    /// `position`.
    ///
    /// §6.3.3 (f) requires only the same anchor and a matching name, but any CA below the anchor could issue a
    /// certificate with this name. So the signer's issuer must also be an issuer in the checked certificate's path.
    private mutating func isSigner(
        _ index: Int, above position: Int, _ path: Path, _ requirements: PathRequirements, effort: inout PathEffort
    ) throws(PathError) -> Bool {
        if signersAnchor != path.anchor {
            signers = [Signer](repeating: .unknown, count: path.search.intermediates.count)
            signersAnchor = path.anchor
        }
        if case .unknown = signers[index] {
            signers[index] = try findSigner(index, path, requirements, effort: &effort)
        }
        guard case .issued(by: let issuer) = signers[index] else { return false }
        guard let issuer else { return true }
        return path.indices.indices.dropFirst(position + 1).contains {
            path.certificate($0).subjectPublicKeyInfo == issuer
        }
    }

    /// Searches for a signer's path to the anchor. In this path only issuers may sign lists, so searches do not nest.
    private mutating func findSigner(
        _ index: Int, _ path: Path, _ requirements: PathRequirements, effort: inout PathEffort
    ) throws(PathError) -> Signer {
        let signer = path.search.intermediates[index]
        let verifier = CertificatePathVerifier(
            trustAnchors: [path.search.verifier.trustAnchors[path.anchor]],
            maximumPathLength: path.search.verifier.maximumPathLength)
        var signerRequirements = PathRequirements()
        signerRequirements.nameConstraints = requirements.nameConstraints
        signerRequirements.acceptsNonCriticalNameConstraints = requirements.acceptsNonCriticalNameConstraints
        let rules = PathRules(
            signerRequirements, ofSigner: index, anchor: path.anchor, path.search.rules,
            revocation: RevocationCheck(ofSignerFor: self))
        var search = PathSearch(
            verifier: verifier, leaf: signer, intermediates: path.search.intermediates, time: path.search.time,
            rules: rules, effort: effort)
        defer {
            effort = search.effort
            signatures = search.rules.revocation?.signatures ?? signatures
        }
        do {
            let chain = try search.run()
            return .issued(by: chain.certificates.count > 1 ? chain.certificates[1].subjectPublicKeyInfo : nil)
        } catch {
            if error.isLimit { throw error }
            return .notValid
        }
    }
}
