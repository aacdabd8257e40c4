// Describes in one line which certificate was rejected, and why.

#if !hasFeature(Embedded)
    import PureDER

    extension X509Error: CustomStringConvertible {
        /// Describes the error in one sentence. Long object identifiers are shortened.
        public var description: String {
            switch self {
            case .malformed(let field, let error): "\(field.subject) is malformed: \(error)"
            case .invalidPublicKey(let error): "a certificate's public key is invalid: \(error)"
            case .certificateTooLarge: "a certificate is too large"
            case .tooManyExtensions: "a certificate has too many extensions"
            case .unknownVersion: "a certificate's version is not 1, 2 or 3"
            case .fieldNotAllowedInVersion(let field): "the certificate's version does not allow \(field.subject)"
            case .serialNumberNotPositive: "a certificate's serial number is not positive"
            case .serialNumberTooLong: "a certificate's serial number is longer than 20 octets"
            case .signatureAlgorithmMismatch: "a certificate names two different signature algorithms"
            case .unexpectedAlgorithmParameters: "an algorithm has unexpected parameters"
            case .curveNotNamed: "a certificate's key does not name its curve"
            case .notWholeOctets(let field): "\(field.subject) is not a whole number of octets"
            case .emptyList(let field): "\(field.subject) has an empty list"
            case .encodedDefault(let field): "\(field.subject) encodes a default value"
            case .unsortedSet(let field): "\(field.subject) has an unsorted set"
            case .duplicateAttributeType(let field): "\(field.subject) has a duplicate attribute type"
            case .invalidCharacters(let field): "\(field.subject) has characters that its type does not allow"
            case .invalidGeneralName(let field): "\(field.subject) has an invalid name"
            case .duplicateExtension(let identifier): "a certificate has the extension \(identifier) twice"
            case .invalidValue(let field): "\(field.subject) has a value that \(field.standard) does not allow"
            case .noSubject: "a certificate has no subject"
            case .malformedPEM(let error): "invalid certificate PEM: \(error)"

            case .unexpectedCertificationAuthority: "the leaf certificate is a CA certificate"
            case .digitalSignatureMissing(let index): "the key of \(nameOfCertificate(index)) may not sign data"
            case .notYetValid(let index, let notBefore, let time):
                "\(nameOfCertificate(index)) is not valid before \(notBefore.checked(at: time))"
            case .expired(let index, let notAfter, let time):
                "\(nameOfCertificate(index)) expired on \(notAfter.checked(at: time))"
            case .notVersion3(let index): "\(nameOfCertificate(index)) is not version 3"
            case .unsupportedSignatureAlgorithm(let index):
                "\(nameOfCertificate(index)) is not signed with ECDSA and SHA-256, SHA-384 or SHA-512"
            case .unsupportedPublicKey(let index):
                "the key of \(nameOfCertificate(index)) is on neither P-256 nor P-384"
            case .invalidSignature(let index): "\(nameOfCertificate(index)) is not signed by its issuer"
            case .issuerNotFound(let index): "\(nameOfCertificate(index)) does not name a trusted issuer"
            case .notCertificationAuthority(let index): "\(nameOfCertificate(index)) may not issue certificates"
            case .keyCertSignMissing(let index): "the key of \(nameOfCertificate(index)) may not sign certificates"
            case .pathLengthExceeded(let index):
                "the path below \(nameOfCertificate(index)) is longer than it allows"
            case .unhandledCriticalExtension(let identifier, let index):
                "\(nameOfCertificate(index)) has the unknown critical extension \(identifier)"
            case .wrongCriticality(let identifier, let index):
                "\(nameOfCertificate(index)) has the extension \(identifier) with the wrong criticality"
            case .unsupportedConstraint(let identifier, let index):
                "\(nameOfCertificate(index)) has the extension \(identifier), which is not supported here"
            case .extendedKeyUsageMissing(let index):
                "the extended key usage of \(nameOfCertificate(index)) does not allow this use"

            case .unsupportedContentType: "the signed data have the wrong content type"
            case .unsupportedSignedDataVersion: "the signed data are not version 1"
            case .contentMissing: "the signed data do not contain the signed content"
            case .tooManyCertificates: "the signed data have too many certificates"
            case .wrongSignerCount: "the signed data do not have exactly one signer"
            case .signedAttributesPresent: "the signer signed attributes instead of the content"
            case .digestAlgorithmMismatch: "the signer's digest algorithm does not match its signature algorithm"
            case .signerCertificateMissing: "the signer's certificate is not in the signed data"
            case .invalidContentSignature: "the content's signature does not verify with the signer's key"
            }
        }

    }

    /// Describes a certificate by its number in the path. The leaf has number 0.
    package func nameOfCertificate(_ index: Int) -> String {
        switch index {
        case 0: "the leaf certificate"
        case 1: "the leaf's issuer"
        default: "certificate \(index)"
        }
    }

    extension CertificateField {
        /// The grammatical subject of an error message: a field of a certificate, or a different structure.
        fileprivate var subject: String {
            switch self {
            case .certificate: "a certificate"
            case .revocationList: "a revocation list"
            case .ocspResponse: "an OCSP response"
            case .signedData: "the structure of signed data"
            case .signerInfo: "the signer's part of signed data"
            default: "a certificate's \(self)"
            }
        }

        fileprivate var standard: String { self == .ocspResponse ? "RFC 6960" : "RFC 5280" }
    }
#endif
