public import PureDER
public import PureX509

extension CertificatePathVerifier {
    /// How many comparisons of names with constraints one validation makes at most: 1,048,576, as in BoringSSL (`kMaxChecks`,
    /// pki/verify_name_match and name_constraints).
    public static var maximumNameComparisons: Int { 1 << 20 }

    /// How many nodes and edges the graphs of policies of one validation have at most: 65,536. It bounds memory; genuine paths
    /// have fewer than 100.
    public static var maximumPolicyGraphSize: Int { 1 << 16 }

    /// Finds a valid path from `leaf` to a trust anchor.
    ///
    /// `intermediates` are in any order; those that are of no use do no harm, within the limits. The leaf may be a CA
    /// certificate, but not a trust anchor. If there are several paths, which one is returned is not specified; if there
    /// is none, the error is that of the certificate farthest from the leaf, or of the first path that reached an anchor.
    public func validate(
        leaf: Certificate, intermediates: [Certificate], at time: UnixTime
    ) throws(PathError) -> ValidatedCertificateChain {
        try validate(leaf: leaf, intermediates: intermediates, at: time, meeting: PathRequirements()).chain
    }

    /// Finds a valid path from `leaf` to a trust anchor that meets `requirements`; of several, any.
    public func validate(
        leaf: Certificate, intermediates: [Certificate], at time: UnixTime, meeting requirements: PathRequirements
    ) throws(PathError) -> ValidatedPath {
        var search = try PathSearch(
            verifier: self, leaf: leaf, intermediates: intermediates, time: time, meeting: requirements)
        return ValidatedPath(chain: try search.run(), policies: search.rules.policies)
    }

    /// The same with every candidate that failed before the valid path was found, or all, if there is none.
    public func report(
        leaf: Certificate, intermediates: [Certificate], at time: UnixTime, meeting requirements: PathRequirements
    ) -> PathReport {
        do {
            var search = try PathSearch(
                verifier: self, leaf: leaf, intermediates: intermediates, time: time, meeting: requirements)
            let result: Result<ValidatedPath, PathError>
            do {
                let chain = try search.run()
                result = .success(ValidatedPath(chain: chain, policies: search.rules.policies))
            } catch {
                result = .failure(error)
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
