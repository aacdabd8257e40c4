extension PureAttestError {
    /// An error case without its associated values, for callers in other languages. Callers receive the case's number,
    /// and `reasons.mjs` contains the names and texts. The meaning of a number never changes.
    @_spi(Bindings) public enum Reason: UInt8, CaseIterable, Sendable {
        case inputTooLarge = 1
        case emptyChallenge = 2
        case emptyClientDataHash = 3
        case keyOfOtherEnvironment = 4
        case keyOfUnknownApp = 5
        case malformedKeyRecord = 6
        case unsupportedKeyRecord = 7
        case invalidPublicKey = 8
        case malformedCBOR = 9
        case malformedAttestationObject = 10
        case unsupportedFormat = 11
        case malformedAssertionObject = 12
        case truncatedAuthenticatorData = 13
        case malformedCredentialKey = 14
        case malformedExtensions = 15
        case extensionSpelledTwice = 16
        case wrongCertificateCount = 17
        case certificate = 18
        case nonceExtensionMissing = 19
        case malformedNonceExtension = 20
        case nonceMismatch = 21
        case unsupportedLeafKey = 22
        case keyIDMismatch = 23
        case appIDMismatch = 24
        case counterNotZero = 25
        case unknownEnvironment = 26
        case environmentMismatch = 27
        case credentialIDMismatch = 28
        case credentialKeyMismatch = 29
        case accessControlListMissing = 30
        case accessControlListMismatch = 31
        case malformedSignature = 32
        case invalidSignature = 33
        case counterNotIncreased = 34
        case counterReplayed = 35
        case challengeMismatch = 36
        case challengeNotFound = 37
        case validationCategoryNotAllowed = 38
        case bundleVersionNotAllowed = 39
        case boundKeyMissing = 40
        case receiptSignature = 41
        case receiptSignerNotAllowed = 42
        case malformedReceipt = 43
        case tooManyReceiptFields = 44
        case duplicateReceiptField = 45
        case receiptFieldMissing = 46
        case malformedReceiptField = 47
        case malformedReceiptCertificate = 48
        case receiptOfOtherApp = 49
        case receiptOfOtherKey = 50
        case receiptOfOtherAttestation = 51
        case receiptOfOtherEnvironment = 52
        case receiptTooOld = 53
        case receiptExpired = 54
        case unknownKeyRecordField = 55
        case platformNotAllowed = 56
        case timeMissing = 57
        case systemVersionNotAllowed = 58
        case systemBuildNotAllowed = 59
        case prereleaseNotAllowed = 60
        case attestationTooOld = 61
        case keyTooOld = 62
        case counterStepTooLarge = 63
        case codeDirectoryHashNotAllowed = 64
        case malformedSystemInformation = 65
        case malformedIdentifier = 66
        case malformedTokenSignature = 67

        /// The reason of `error`.
        public init(_ error: PureAttestError) {
            self =
                switch error {
                case .inputTooLarge: .inputTooLarge
                case .emptyChallenge: .emptyChallenge
                case .emptyClientDataHash: .emptyClientDataHash
                case .keyOfOtherEnvironment: .keyOfOtherEnvironment
                case .keyOfUnknownApp: .keyOfUnknownApp
                case .malformedKeyRecord: .malformedKeyRecord
                case .unsupportedKeyRecord: .unsupportedKeyRecord
                case .invalidPublicKey: .invalidPublicKey
                case .malformedCBOR: .malformedCBOR
                case .malformedAttestationObject: .malformedAttestationObject
                case .unsupportedFormat: .unsupportedFormat
                case .malformedAssertionObject: .malformedAssertionObject
                case .truncatedAuthenticatorData: .truncatedAuthenticatorData
                case .malformedCredentialKey: .malformedCredentialKey
                case .malformedExtensions: .malformedExtensions
                case .extensionSpelledTwice: .extensionSpelledTwice
                case .wrongCertificateCount: .wrongCertificateCount
                case .certificate: .certificate
                case .nonceExtensionMissing: .nonceExtensionMissing
                case .malformedNonceExtension: .malformedNonceExtension
                case .nonceMismatch: .nonceMismatch
                case .unsupportedLeafKey: .unsupportedLeafKey
                case .keyIDMismatch: .keyIDMismatch
                case .appIDMismatch: .appIDMismatch
                case .counterNotZero: .counterNotZero
                case .unknownEnvironment: .unknownEnvironment
                case .environmentMismatch: .environmentMismatch
                case .credentialIDMismatch: .credentialIDMismatch
                case .credentialKeyMismatch: .credentialKeyMismatch
                case .accessControlListMissing: .accessControlListMissing
                case .accessControlListMismatch: .accessControlListMismatch
                case .malformedSignature: .malformedSignature
                case .invalidSignature: .invalidSignature
                case .counterNotIncreased: .counterNotIncreased
                case .counterReplayed: .counterReplayed
                case .challengeMismatch: .challengeMismatch
                case .challengeNotFound: .challengeNotFound
                case .validationCategoryNotAllowed: .validationCategoryNotAllowed
                case .bundleVersionNotAllowed: .bundleVersionNotAllowed
                case .boundKeyMissing: .boundKeyMissing
                case .receiptSignature: .receiptSignature
                case .receiptSignerNotAllowed: .receiptSignerNotAllowed
                case .malformedReceipt: .malformedReceipt
                case .tooManyReceiptFields: .tooManyReceiptFields
                case .duplicateReceiptField: .duplicateReceiptField
                case .receiptFieldMissing: .receiptFieldMissing
                case .malformedReceiptField: .malformedReceiptField
                case .malformedReceiptCertificate: .malformedReceiptCertificate
                case .receiptOfOtherApp: .receiptOfOtherApp
                case .receiptOfOtherKey: .receiptOfOtherKey
                case .receiptOfOtherAttestation: .receiptOfOtherAttestation
                case .receiptOfOtherEnvironment: .receiptOfOtherEnvironment
                case .receiptTooOld: .receiptTooOld
                case .receiptExpired: .receiptExpired
                case .unknownKeyRecordField: .unknownKeyRecordField
                case .platformNotAllowed: .platformNotAllowed
                case .timeMissing: .timeMissing
                case .systemVersionNotAllowed: .systemVersionNotAllowed
                case .systemBuildNotAllowed: .systemBuildNotAllowed
                case .prereleaseNotAllowed: .prereleaseNotAllowed
                case .attestationTooOld: .attestationTooOld
                case .keyTooOld: .keyTooOld
                case .counterStepTooLarge: .counterStepTooLarge
                case .codeDirectoryHashNotAllowed: .codeDirectoryHashNotAllowed
                case .malformedSystemInformation: .malformedSystemInformation
                case .malformedIdentifier: .malformedIdentifier
                case .malformedTokenSignature: .malformedTokenSignature
                }
        }
    }
}

#if !hasFeature(Embedded)
    extension PureAttestError.Reason {
        package var text: String {
            switch self {
            case .inputTooLarge: "the object exceeds the size limit"
            case .emptyChallenge: "the challenge is empty"
            case .emptyClientDataHash: "the client data hash is empty"
            case .keyOfOtherEnvironment: "the stored key belongs to the other environment"
            case .keyOfUnknownApp: "the stored key belongs to another App ID"
            case .malformedKeyRecord: "the key record is malformed"
            case .unsupportedKeyRecord: "the key record has an unknown format version"
            case .invalidPublicKey: "the public key is not a P-256 key"
            case .malformedCBOR: "the CBOR is malformed"
            case .malformedAttestationObject:
                "not an attestation object: expected a map of fmt, attStmt (x5c and receipt) and authData"
            case .unsupportedFormat: "the attestation's format is not apple-appattest"
            case .malformedAssertionObject: "not an assertion: expected a map of signature and authenticatorData"
            case .truncatedAuthenticatorData: "the authenticator data are truncated"
            case .malformedCredentialKey: "the COSE key in the authenticator data is not an ES256 key on P-256"
            case .malformedExtensions: "the extensions in the authenticator data are malformed"
            case .extensionSpelledTwice: "the extensions in the authenticator data hold one value under two spellings"
            case .wrongCertificateCount: "step 1: the chain does not have 2 certificates"
            case .certificate: "step 1: a certificate is invalid"
            case .nonceExtensionMissing: "step 4: the leaf certificate has no nonce extension (1.2.840.113635.100.8.2)"
            case .malformedNonceExtension: "step 4: the nonce extension is malformed"
            case .nonceMismatch: "step 4: nonce mismatch: made for a different challenge or client data hash"
            case .unsupportedLeafKey: "step 5: the leaf certificate's key is not a P-256 key"
            case .keyIDMismatch: "step 5: the key identifier is not the SHA-256 of the leaf certificate's key"
            case .appIDMismatch: "RP ID: the object was made for another App ID"
            case .counterNotZero: "step 7: the attestation's counter is not 0"
            case .unknownEnvironment: "step 8: the AAGUID matches neither App Attest environment"
            case .environmentMismatch: "step 8: the key was made in the other environment"
            case .credentialIDMismatch: "step 9: the credential identifier is not the key identifier"
            case .credentialKeyMismatch: "the COSE key is not the leaf certificate's key"
            case .accessControlListMissing: "macOS: the leaf certificate has no access control list"
            case .accessControlListMismatch:
                "macOS: the key's access control list does not match Full Security with SIP on"
            case .malformedSignature: "step 3: the signature is malformed"
            case .invalidSignature: "step 3: the signature is not the key's signature of this client data"
            case .counterNotIncreased: "step 5: the counter is not greater than the previous one"
            case .counterReplayed: "step 5: the counter value was used before"
            case .challengeMismatch: "step 6: the signed client data contain a different challenge"
            case .challengeNotFound: "step 6: the signed client data contain no challenge"
            case .validationCategoryNotAllowed:
                "the launch policy does not accept the validation category, or the category is missing"
            case .bundleVersionNotAllowed:
                "the launch policy does not accept the bundle version, or the version is missing"
            case .boundKeyMissing: "the second key in the signed client data is empty"
            case .receiptSignature: "receipt: its signature or its certificates are invalid"
            case .receiptSignerNotAllowed: "receipt: the signer's certificate is not one for App Attest receipts"
            case .malformedReceipt: "receipt: the content is malformed"
            case .tooManyReceiptFields: "receipt: too many fields"
            case .duplicateReceiptField: "receipt: a field is duplicated"
            case .receiptFieldMissing: "receipt: a field is missing"
            case .malformedReceiptField: "receipt: a field is malformed"
            case .malformedReceiptCertificate: "receipt: field 3 is not a certificate"
            case .receiptOfOtherApp: "receipt: it was made for another App ID"
            case .receiptOfOtherKey: "receipt: it was made for another key"
            case .receiptOfOtherAttestation: "receipt: it was not made with this attestation"
            case .receiptOfOtherEnvironment: "receipt: it belongs to the other environment"
            case .receiptTooOld: "receipt: it is too old"
            case .receiptExpired: "receipt: it has expired"
            case .unknownKeyRecordField: "the key record has a field that a later version wrote"
            case .platformNotAllowed: "platform: the App ID is not accepted on the key's platform"
            case .timeMissing: "the age policy needs a time, and none was given"
            case .systemVersionNotAllowed: "system: the version is older than the policy accepts, or unknown"
            case .systemBuildNotAllowed: "system: the policy does not accept the build, or the build is unknown"
            case .prereleaseNotAllowed: "system: the policy rejects beta and internal releases"
            case .attestationTooOld: "age: the attestation is too old"
            case .keyTooOld: "age: the key is too old, or the time of its attestation is unknown"
            case .counterStepTooLarge: "step 5: the counter exceeds the previous one by more than the policy allows"
            case .codeDirectoryHashNotAllowed: "the launch policy does not accept the build, or the build is missing"
            case .malformedSystemInformation:
                "system: the leaf certificate's extension 1.2.840.113635.100.8.7 can't be read"
            case .malformedIdentifier: "a team or key identifier is not made of letters and digits"
            case .malformedTokenSignature: "the token's signature is not 64 bytes"
            }
        }
    }
#endif
