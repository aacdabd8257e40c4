// One line for people: which certificate is refused, and why.

#if !hasFeature(Embedded)
    import PureDER

    extension X509Error: CustomStringConvertible {
        /// The reason in a sentence; an object identifier in it is cut.
        public var description: String {
            switch self {
            case .malformed(let field, let error): "\(field.subject) is malformed: \(error)"
            case .invalidPublicKey(let error): "a certificate's public key is invalid: \(error)"
            case .certificateTooLarge: "a certificate is too large"
            case .tooManyExtensions: "a certificate has too many extensions"
            case .unknownVersion: "a certificate's version is none of 1, 2 and 3"
            case .fieldNotAllowedInVersion(let field): "\(field.subject) is not of the certificate's version"
            case .serialNumberNotPositive: "a certificate's serial number is not positive"
            case .serialNumberTooLong: "a certificate's serial number is longer than 20 octets"
            case .signatureAlgorithmMismatch: "a certificate names two signature algorithms"
            case .unexpectedAlgorithmParameters: "an algorithm has parameters, and takes none"
            case .curveNotNamed: "a certificate's key does not name its curve"
            case .notWholeOctets(let field): "\(field.subject) is no whole number of octets"
            case .emptyList(let field): "\(field.subject) has an empty list"
            case .encodedDefault(let field): "\(field.subject) has a default value written out"
            case .unsortedSet(let field): "\(field.subject) has a set that is not in order"
            case .duplicateAttributeType(let field): "\(field.subject) has two attributes of one type in one place"
            case .invalidCharacters(let field): "\(field.subject) has characters that its type does not allow"
            case .invalidGeneralName(let field): "\(field.subject) has a name of no known form"
            case .duplicateExtension(let identifier): "a certificate has the extension \(identifier) twice"
            case .invalidValue(let field): "\(field.subject) has a value that RFC 5280 does not allow"
            case .noSubject: "a certificate names no subject"
            case .malformedPEM(let error): "no PEM of certificates: \(error)"

            case .wrongCertificateCount: "the chain has not exactly 2 certificates"
            case .unexpectedCertificationAuthority: "the leaf certificate is a CA's"
            case .digitalSignatureMissing(let index): "the key of \(certificate(index)) may not sign data"
            case .notYetValid(let index): "\(certificate(index)) is not valid yet at that time"
            case .expired(let index): "\(certificate(index)) has expired at that time"
            case .notVersion3(let index): "\(certificate(index)) is not of version 3"
            case .unsupportedSignatureAlgorithm(let index):
                "\(certificate(index)) is not signed with ECDSA and SHA-256, SHA-384 or SHA-512"
            case .unsupportedPublicKey(let index): "the key of \(certificate(index)) is on neither P-256 nor P-384"
            case .invalidSignature(let index): "\(certificate(index)) is not signed by its issuer"
            case .issuerNotFound(let index): "\(certificate(index)) does not name a trusted issuer"
            case .repeatedCertificate(let index): "\(certificate(index)) is in the path twice"
            case .notCertificationAuthority(let index): "\(certificate(index)) may not issue certificates"
            case .keyCertSignMissing(let index): "the key of \(certificate(index)) may not sign certificates"
            case .pathLengthExceeded(let index):
                "more certificates are below \(certificate(index)) than it allows"
            case .pathTooLong: "the path has too many certificates"
            case .unhandledCriticalExtension(let identifier, let index):
                "\(certificate(index)) has the unknown critical extension \(identifier)"
            case .wrongCriticality(let identifier, let index):
                "\(certificate(index)) has the extension \(identifier) with the wrong criticality"
            case .unsupportedConstraint(let identifier, let index):
                "\(certificate(index)) has the extension \(identifier), which this path may not have"
            case .extendedKeyUsageMissing(let index): "\(certificate(index)) is not for this use"
            case .signatureCheckLimitReached: "no path was found within the limit of signatures"
            case .stepLimitReached: "no path was found within the limit of steps"

            case .nameNotPermitted(let index): "a name of \(certificate(index)) is not permitted by its issuers"
            case .nameExcluded(let index): "a name of \(certificate(index)) is excluded by its issuers"
            case .nameNotComparable(let index):
                "a name of \(certificate(index)) can't be compared with its issuers' constraints"
            case .nameComparisonLimitReached: "the path has too many names and constraints to compare"
            case .policyMissing(let index): "with \(certificate(index)) the path is valid for no policy"
            case .policyGraphLimitReached: "the path has too many policies"
            case .keyUsageMissing(let index): "the key of \(certificate(index)) is not for this use"
            case .serverIdentityMismatch: "the leaf certificate is another server's"
            case .revoked(let index, _): "\(certificate(index)) is revoked"
            case .revocationStatusUnknown(let index): "no list tells whether \(certificate(index)) is revoked"
            case .revocationListTooLarge: "a revocation list is too large"

            case .unsupportedContentType: "the signed data are of another type"
            case .unsupportedSignedDataVersion: "the signed data are not of version 1"
            case .contentMissing: "the signed data do not hold what is signed"
            case .tooManyCertificates: "the signed data have too many certificates"
            case .wrongSignerCount: "the signed data have not exactly one signer"
            case .signedAttributesPresent: "the signer signed attributes and not the content itself"
            case .digestAlgorithmMismatch: "the signer's digest is not that of the signature"
            case .signerCertificateMissing: "the signer's certificate is not in the signed data"
            case .invalidContentSignature: "the content's signature is not the signer's"
            }
        }

        private func certificate(_ index: Int) -> String {
            switch index {
            case 0: "the leaf certificate"
            case 1: "the leaf's issuer"
            default: "certificate \(index)"
            }
        }
    }

    extension CertificateField {
        /// Whose rule is broken, to begin a sentence with: the field of a certificate, or what is none of one.
        fileprivate var subject: String {
            switch self {
            case .certificate: "a certificate"
            case .revocationList: "a revocation list"
            case .signedData: "the structure of signed data"
            case .signerInfo: "the signer's part of signed data"
            default: "a certificate's \(self)"
            }
        }
    }
#endif
