public import PureDER
public import PureX509

extension CertificatePathVerifier {
    /// The maximum number of times that a validation compares a name with a name constraint: 1,048,576, as in BoringSSL
    /// (`kMaxChecks`, pki/verify_name_match and name_constraints).
    public static var maximumNameComparisons: Int { 1 << 20 }

    /// The maximum total size of the policy graphs in a validation: 65,536 nodes and edges. This limit bounds memory.
    /// Genuine paths need fewer than 100.
    public static var maximumPolicyGraphSize: Int { 1 << 16 }

    /// Finds a valid path from `leaf` to a trust anchor.
    ///
    /// The intermediates may be in any order, and may include unrelated certificates as long as no limit is reached.
    /// The leaf may be a CA certificate, but must not be a trust anchor.
    ///
    /// If several paths are valid, any of them may be returned. If none is valid, the method throws the error of the
    /// first path that reached an anchor. If no path reached an anchor, it throws the error of the rejected certificate
    /// farthest from the leaf.
    public func validate(
        leaf: Certificate, intermediates: [Certificate], at time: UnixTime
    ) throws(PathError) -> ValidatedCertificateChain {
        try validate(leaf: leaf, intermediates: intermediates, at: time, meeting: PathRequirements()).chain
    }

    /// Finds a path as `validate(leaf:intermediates:at:)` does. The path must also meet `requirements`.
    public func validate(
        leaf: Certificate, intermediates: [Certificate], at time: UnixTime, meeting requirements: PathRequirements
    ) throws(PathError) -> ValidatedPath {
        var search = try PathSearch(
            verifier: self, leaf: leaf, intermediates: intermediates, time: time, meeting: requirements)
        return ValidatedPath(chain: try search.run(), policies: search.rules.policies)
    }

    /// Validates `leaf`, and also returns the first paths that the search rejected, up to
    /// ``PathReport/maximumCandidateCount``.
    public func report(
        leaf: Certificate, intermediates: [Certificate], at time: UnixTime, meeting requirements: PathRequirements
    ) -> PathReport {
        do {
            var search = try PathSearch(
                verifier: self, leaf: leaf, intermediates: intermediates, time: time, meeting: requirements)
            let result = Result { () throws(PathError) in
                ValidatedPath(chain: try search.run(), policies: search.rules.policies)
            }
            let refused = search.rules.refused.map { candidate in
                PathReport.Candidate(
                    certificates: [leaf] + candidate.path.map { intermediates[$0] },
                    trustAnchor: candidate.anchor.map { trustAnchors[$0] }, error: candidate.error)
            }
            return PathReport(result: result, refused: refused)
        } catch {
            return PathReport(result: .failure(error), refused: [])
        }
    }
}

extension PathSearch {
    package init(
        verifier: CertificatePathVerifier, leaf: Certificate, intermediates: [Certificate], time: UnixTime,
        meeting requirements: PathRequirements = PathRequirements()
    ) throws(PathError) {
        self.init(
            verifier: verifier, leaf: leaf, intermediates: intermediates, time: time,
            rules: try wrapping { () throws(X509Error) in
                try PathRules(requirements, verifier: verifier, leaf: leaf, intermediates: intermediates)
            })
    }
}
