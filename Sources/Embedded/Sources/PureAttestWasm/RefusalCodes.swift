import PureAttest

/// A number for each reason. The JavaScript loader gives them their names back, so a number never changes its meaning.
func code(of error: PureAttestError) -> Int32 {
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
    // Of receipts, which nothing exported here verifies.
    default: 255
    }
}
