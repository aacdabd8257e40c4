// One-line descriptions of why no path was found.

#if !hasFeature(Embedded)
    import PureX509

    extension PathError: CustomStringConvertible {
        /// Describes the error in one sentence.
        public var description: String {
            switch self {
            case .certificate(let error): error.description
            case .repeatedCertificate(let index): "\(nameOfCertificate(index)) is in the path twice"
            case .pathTooLong: "the path has too many certificates"
            case .signatureCheckLimitReached: "no path was found within the limit on signature checks"
            case .stepLimitReached: "no path was found within the limit on search steps"

            case .nameNotPermitted(let index): "a name of \(nameOfCertificate(index)) is not permitted by its issuers"
            case .nameExcluded(let index): "a name of \(nameOfCertificate(index)) is excluded by its issuers"
            case .nameNotComparable(let index):
                "a name of \(nameOfCertificate(index)) can't be compared with its issuers' constraints"
            case .nameComparisonLimitReached: "the path has too many names and constraints to compare"
            case .policyMissing(let index):
                "no certificate policy is valid for the path as far as \(nameOfCertificate(index))"
            case .policyGraphLimitReached: "the path has too many policies"
            case .keyUsageMissing(let index): "the key usage of \(nameOfCertificate(index)) does not allow this use"
            case .serverIdentityMismatch: "the leaf certificate is for another server"
            case .revoked(let index, _): "\(nameOfCertificate(index)) is revoked"
            case .revocationStatusUnknown(let index): "no revocation list covers \(nameOfCertificate(index))"
            case .revocationListTooLarge: "a revocation list is too large"
            }
        }
    }
#endif
