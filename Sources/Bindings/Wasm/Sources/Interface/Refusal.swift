package import PureAttest

/// A reason as a number: the low byte is the rule, and the second byte the X.509 rule of
/// ``PureAttestError/certificate(_:)`` and similar cases. Callers map both to names (`reasons.mjs`, `pure_attest.h`),
/// so a number never changes its meaning.
package struct Refusal: Error {
    package let code: Int32

    private init(code: Int32) { self.code = code }

    package static var malformedArgument: Refusal { Refusal(code: 254) }
    /// The input exceeds its limit.
    static var inputTooLarge: Refusal { Refusal(code: 1) }

    package init(_ error: PureAttestError) {
        let rule = Self.number(of: error)
        switch error {
        case .certificate(let detail), .receiptSignature(let detail), .malformedReceiptCertificate(let detail):
            code = rule | Self.number(of: detail) << 8
        default: code = rule
        }
    }

    private static func number(of error: PureAttestError) -> Int32 {
        switch error {
        case .inputTooLarge: 1
        case .emptyChallenge: 2
        case .emptyClientDataHash: 3
        case .keyOfOtherEnvironment: 4
        case .keyOfUnknownApp: 5
        case .malformedKeyRecord: 6
        case .unsupportedKeyRecord: 7
        case .invalidPublicKey: 8
        case .malformedCBOR: 9
        case .malformedAttestationObject: 10
        case .unsupportedFormat: 11
        case .malformedAssertionObject: 12
        case .truncatedAuthenticatorData: 13
        case .malformedCredentialKey: 14
        case .malformedExtensions: 15
        case .extensionSpelledTwice: 16
        case .wrongCertificateCount: 17
        case .certificate: 18
        case .nonceExtensionMissing: 19
        case .malformedNonceExtension: 20
        case .nonceMismatch: 21
        case .unsupportedLeafKey: 22
        case .keyIDMismatch: 23
        case .appIDMismatch: 24
        case .counterNotZero: 25
        case .unknownEnvironment: 26
        case .environmentMismatch: 27
        case .credentialIDMismatch: 28
        case .credentialKeyMismatch: 29
        case .accessControlListMissing: 30
        case .accessControlListMismatch: 31
        case .malformedSignature: 32
        case .invalidSignature: 33
        case .counterNotIncreased: 34
        case .counterReplayed: 35
        case .challengeMismatch: 36
        case .challengeNotFound: 37
        case .validationCategoryNotAllowed: 38
        case .bundleVersionNotAllowed: 39
        case .boundKeyMissing: 40
        case .receiptSignature: 41
        case .receiptSignerNotAllowed: 42
        case .malformedReceipt: 43
        case .tooManyReceiptFields: 44
        case .duplicateReceiptField: 45
        case .receiptFieldMissing: 46
        case .malformedReceiptField: 47
        case .malformedReceiptCertificate: 48
        case .receiptOfOtherApp: 49
        case .receiptOfOtherKey: 50
        case .receiptOfOtherAttestation: 51
        case .receiptOfOtherEnvironment: 52
        case .receiptTooOld: 53
        case .receiptExpired: 54
        case .unknownKeyRecordField: 55
        case .platformNotAllowed: 56
        case .timeMissing: 57
        case .systemVersionNotAllowed: 58
        case .systemBuildNotAllowed: 59
        case .prereleaseNotAllowed: 60
        case .attestationTooOld: 61
        case .keyTooOld: 62
        case .counterStepTooLarge: 63
        case .codeDirectoryHashNotAllowed: 64
        case .malformedSystemInformation: 65
        // Errors of risk queries, which no export here makes.
        case .malformedIdentifier, .malformedTokenSignature: 255
        @unknown default: 255
        }
    }

    /// The numbers 21, 30, 34, 39 and 40 are reserved: they belonged to path searches.
    private static func number(of error: X509Error) -> Int32 {
        switch error {
        case .malformed: 1
        case .invalidPublicKey: 2
        case .certificateTooLarge: 3
        case .tooManyExtensions: 4
        case .unknownVersion: 5
        case .fieldNotAllowedInVersion: 6
        case .serialNumberNotPositive: 7
        case .serialNumberTooLong: 8
        case .signatureAlgorithmMismatch: 9
        case .unexpectedAlgorithmParameters: 10
        case .curveNotNamed: 11
        case .notWholeOctets: 12
        case .emptyList: 13
        case .encodedDefault: 14
        case .unsortedSet: 15
        case .invalidCharacters: 16
        case .invalidGeneralName: 17
        case .duplicateExtension: 18
        case .invalidValue: 19
        case .noSubject: 20
        case .unexpectedCertificationAuthority: 22
        case .notYetValid: 23
        case .expired: 24
        case .notVersion3: 25
        case .unsupportedSignatureAlgorithm: 26
        case .unsupportedPublicKey: 27
        case .invalidSignature: 28
        case .issuerNotFound: 29
        case .notCertificationAuthority: 31
        case .keyCertSignMissing: 32
        case .pathLengthExceeded: 33
        case .unhandledCriticalExtension: 35
        case .wrongCriticality: 36
        case .unsupportedConstraint: 37
        case .extendedKeyUsageMissing: 38
        case .unsupportedContentType: 41
        case .unsupportedSignedDataVersion: 42
        case .contentMissing: 43
        case .tooManyCertificates: 44
        case .wrongSignerCount: 45
        case .signedAttributesPresent: 46
        case .digestAlgorithmMismatch: 47
        case .signerCertificateMissing: 48
        case .invalidContentSignature: 49
        case .duplicateAttributeType: 50
        case .digitalSignatureMissing: 51
        // Errors of text input, which no export here reads.
        case .malformedPEM: 255
        @unknown default: 255
        }
    }
}
