import PureDER
import PureX509

/// permitted_subtrees and excluded_subtrees: RFC 5280 §6.1.2 (b), (c).
///
/// The permitted subtrees of each extension are stored separately. If an extension has permitted subtrees of a name's
/// form, at least one of these subtrees must contain the name.
struct NameConstraintState {
    private var permitted: [SubtreeSet] = []
    private var excluded = SubtreeSet()

    /// Adds constraints by §6.1.4 (g).
    mutating func add(_ constraints: NameConstraints) {
        permitted.append(constraints.permitted)
        excluded.formUnion(constraints.excluded)
    }

    /// Checks all names of a certificate (§6.1.3 (b), (c)), and adds the number of comparisons to `comparisons`.
    func check(_ certificate: Certificate, position: Int, comparisons: inout Int) throws(PathError) {
        guard !permitted.isEmpty else { return }
        let names = try wrapping { () throws(X509Error) in try SubjectName.all(of: certificate) }
        for name in names {
            let isConstrained = !excluded[name.form].isEmpty || permitted.contains { !$0[name.form].isEmpty }
            guard isConstrained else { continue }
            if case .incomparable = name.value { throw .nameNotComparable(certificate: position) }
            // Counts all possible comparisons in advance, so the count does not depend on the order of subtrees.
            let count = permitted.reduce(excluded[name.form].count) { $0 + $1[name.form].count }
            guard comparisons <= CertificatePathVerifier.maximumNameComparisons - count else {
                throw .nameComparisonLimitReached
            }
            comparisons += count
            for subtree in excluded[name.form] {
                switch subtree.contains(name, isExcluded: true) {
                case .different: break
                case .same: throw .nameExcluded(certificate: position)
                case .undecided: throw .nameNotComparable(certificate: position)
                }
            }
            for subtrees in permitted where !subtrees[name.form].isEmpty {
                let isPermitted = subtrees[name.form].contains { $0.contains(name, isExcluded: false) == .same }
                guard isPermitted else { throw .nameNotPermitted(certificate: position) }
            }
        }
    }
}
