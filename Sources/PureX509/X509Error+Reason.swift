extension X509Error {
    /// A number for each error case, for the bindings to other languages. `reasons.mjs` contains the name for each
    /// number. A number never changes its meaning. The numbers 21, 30, 34, 39 and 40 are reserved for errors of path
    /// searches.
    @_spi(Bindings) public enum Reason: UInt8, CaseIterable, Sendable {
        case malformed = 1
        case invalidPublicKey = 2
        case certificateTooLarge = 3
        case tooManyExtensions = 4
        case unknownVersion = 5
        case fieldNotAllowedInVersion = 6
        case serialNumberNotPositive = 7
        case serialNumberTooLong = 8
        case signatureAlgorithmMismatch = 9
        case unexpectedAlgorithmParameters = 10
        case curveNotNamed = 11
        case notWholeOctets = 12
        case emptyList = 13
        case encodedDefault = 14
        case unsortedSet = 15
        case invalidCharacters = 16
        case invalidGeneralName = 17
        case duplicateExtension = 18
        case invalidValue = 19
        case noSubject = 20
        case unexpectedCertificationAuthority = 22
        case notYetValid = 23
        case expired = 24
        case notVersion3 = 25
        case unsupportedSignatureAlgorithm = 26
        case unsupportedPublicKey = 27
        case invalidSignature = 28
        case issuerNotFound = 29
        case notCertificationAuthority = 31
        case keyCertSignMissing = 32
        case pathLengthExceeded = 33
        case unhandledCriticalExtension = 35
        case wrongCriticality = 36
        case unsupportedConstraint = 37
        case extendedKeyUsageMissing = 38
        case unsupportedContentType = 41
        case unsupportedSignedDataVersion = 42
        case contentMissing = 43
        case tooManyCertificates = 44
        case wrongSignerCount = 45
        case signedAttributesPresent = 46
        case digestAlgorithmMismatch = 47
        case signerCertificateMissing = 48
        case invalidContentSignature = 49
        case duplicateAttributeType = 50
        case digitalSignatureMissing = 51
        case malformedPEM = 52

        /// The reason of `error`.
        public init(_ error: X509Error) {
            self =
                switch error {
                case .malformed: .malformed
                case .invalidPublicKey: .invalidPublicKey
                case .certificateTooLarge: .certificateTooLarge
                case .tooManyExtensions: .tooManyExtensions
                case .unknownVersion: .unknownVersion
                case .fieldNotAllowedInVersion: .fieldNotAllowedInVersion
                case .serialNumberNotPositive: .serialNumberNotPositive
                case .serialNumberTooLong: .serialNumberTooLong
                case .signatureAlgorithmMismatch: .signatureAlgorithmMismatch
                case .unexpectedAlgorithmParameters: .unexpectedAlgorithmParameters
                case .curveNotNamed: .curveNotNamed
                case .notWholeOctets: .notWholeOctets
                case .emptyList: .emptyList
                case .encodedDefault: .encodedDefault
                case .unsortedSet: .unsortedSet
                case .invalidCharacters: .invalidCharacters
                case .invalidGeneralName: .invalidGeneralName
                case .duplicateExtension: .duplicateExtension
                case .invalidValue: .invalidValue
                case .noSubject: .noSubject
                case .unexpectedCertificationAuthority: .unexpectedCertificationAuthority
                case .notYetValid: .notYetValid
                case .expired: .expired
                case .notVersion3: .notVersion3
                case .unsupportedSignatureAlgorithm: .unsupportedSignatureAlgorithm
                case .unsupportedPublicKey: .unsupportedPublicKey
                case .invalidSignature: .invalidSignature
                case .issuerNotFound: .issuerNotFound
                case .notCertificationAuthority: .notCertificationAuthority
                case .keyCertSignMissing: .keyCertSignMissing
                case .pathLengthExceeded: .pathLengthExceeded
                case .unhandledCriticalExtension: .unhandledCriticalExtension
                case .wrongCriticality: .wrongCriticality
                case .unsupportedConstraint: .unsupportedConstraint
                case .extendedKeyUsageMissing: .extendedKeyUsageMissing
                case .unsupportedContentType: .unsupportedContentType
                case .unsupportedSignedDataVersion: .unsupportedSignedDataVersion
                case .contentMissing: .contentMissing
                case .tooManyCertificates: .tooManyCertificates
                case .wrongSignerCount: .wrongSignerCount
                case .signedAttributesPresent: .signedAttributesPresent
                case .digestAlgorithmMismatch: .digestAlgorithmMismatch
                case .signerCertificateMissing: .signerCertificateMissing
                case .invalidContentSignature: .invalidContentSignature
                case .duplicateAttributeType: .duplicateAttributeType
                case .digitalSignatureMissing: .digitalSignatureMissing
                case .malformedPEM: .malformedPEM
                }
        }
    }
}
