// Describes in one line why no path was found.

#if !hasFeature(Embedded)
    import PureDER
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
            case .ocsp(let error): error.description
            }
        }
    }

    extension OCSPError: CustomStringConvertible {
        /// Describes the error in one sentence.
        public var description: String {
            switch self {
            case .responseTooLarge: "the OCSP response is too large"
            case .tooManyStatuses: "the OCSP response has too many statuses"
            case .tooManyCertificates: "the OCSP response has too many certificates"
            case .unsuccessful(let failure): "the OCSP responder gives no status: \(failure.text)"
            case .unsupportedResponseType: "the OCSP response is not a basic response"

            case .issuerMismatch: "the certificate names another issuer than the one passed"
            case .unsupportedSignatureAlgorithm:
                "the OCSP response is not signed with ECDSA and SHA-256, SHA-384 or SHA-512"
            case .responderNotFound: "the OCSP response names neither the issuer nor an included certificate as signer"
            case .delegate(let error): "the OCSP responder's certificate, as a leaf, is rejected: \(error)"
            case .invalidSignature: "the OCSP response is not signed by its responder"
            case .unhandledCriticalExtension(let identifier):
                "the OCSP response has the unknown critical extension \(identifier)"

            case .statusMissing: "the OCSP response has no status of the certificate"
            case .notYetValid(let thisUpdate, let time):
                "the OCSP status is not valid before \(thisUpdate.checked(at: time))"
            case .nextUpdateMissing: "the OCSP status does not say when it expires"
            case .expired(let nextUpdate, let time): "the OCSP status expired on \(nextUpdate.checked(at: time))"
            case .revoked(let time, let reason): "the certificate was revoked on \(time) for the reason \(reason)"
            case .unknownCertificate: "the OCSP responder does not know the certificate"
            }
        }
    }

    extension OCSPFailure {
        /// The responder's reason, which follows a colon in the error message.
        fileprivate var text: String {
            switch self {
            case .malformedRequest: "the request is malformed"
            case .internalError: "an internal fault; ask again"
            case .tryLater: "ask again later"
            case .signatureRequired: "the request must be signed"
            case .unauthorized: "the client may not ask this responder"
            }
        }
    }
#endif
