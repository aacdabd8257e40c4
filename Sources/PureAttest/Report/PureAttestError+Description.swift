#if !hasFeature(Embedded)
    import PureDER

    extension PureAttestError: CustomStringConvertible {
        /// The reason for an operator: one line of bounded length, whatever a device sent. Many descriptions begin with
        /// the number of the step in Apple's documentation.
        ///
        /// Do not send the reason to clients; send every client the same answer.
        public var description: String {
            switch self {
            case .inputTooLarge: "the object exceeds the size limit"
            case .emptyChallenge: "the challenge is empty"
            case .emptyClientDataHash: "the client data hash is empty"
            case .keyOfOtherEnvironment(let environment): "the stored key belongs to the \(environment) environment"
            case .keyOfUnknownApp: "the stored key belongs to another App ID"
            case .malformedKeyRecord: "the key record is malformed"
            case .unsupportedKeyRecord(let version): "the key record has the unknown format version \(version)"
            case .unknownKeyRecordField(let number): "the key record has field \(number), which a later version wrote"
            case .timeMissing: "the age policy needs a time, and none was given"
            case .invalidPublicKey(let error): "the public key is not a P-256 key: \(error)"

            case .malformedCBOR(let error): "the CBOR is malformed: \(error)"
            case .malformedAttestationObject:
                "not an attestation object: expected a map of fmt, attStmt (x5c and receipt) and authData"
            case .unsupportedFormat: "the attestation's format is not apple-appattest"
            case .malformedAssertionObject: "not an assertion: expected a map of signature and authenticatorData"
            case .truncatedAuthenticatorData: "the authenticator data are truncated"
            case .malformedCredentialKey: "the COSE key in the authenticator data is not an ES256 key on P-256"
            case .malformedExtensions: "the extensions in the authenticator data are malformed"
            case .extensionSpelledTwice: "the extensions in the authenticator data hold one value under two spellings"

            case .wrongCertificateCount(let count): "step 1: the chain has \(count) certificates instead of 2"
            case .certificate(let error): "step 1: \(error)"
            case .nonceExtensionMissing: "step 4: the leaf certificate has no nonce extension (1.2.840.113635.100.8.2)"
            case .malformedNonceExtension(let error): "step 4: the nonce extension is malformed: \(error)"
            case .nonceMismatch: "step 4: nonce mismatch: made for a different challenge or client data hash"
            case .unsupportedLeafKey: "step 5: the leaf certificate's key is not a P-256 key"
            case .keyIDMismatch: "step 5: the key identifier is not the SHA-256 of the leaf certificate's key"
            case .appIDMismatch: "RP ID: the object was made for another App ID"
            case .platformNotAllowed(.macOS):
                "platform: the key is from a Mac, but the App ID is accepted only on devices"
            case .platformNotAllowed(.device):
                "platform: the key is from a device, but the App ID is accepted only on macOS"
            case .malformedSystemInformation:
                "system: the leaf certificate's extension 1.2.840.113635.100.8.7 can't be read"
            case .systemVersionNotAllowed(let version?): "system: version \(version) is older than the policy accepts"
            case .systemVersionNotAllowed(nil): "system: the policy needs a version, and the version is unknown"
            case .systemBuildNotAllowed(let build?): "system: the policy does not accept build \(build)"
            case .systemBuildNotAllowed(nil): "system: the policy needs a build, and the build is unknown"
            case .prereleaseNotAllowed: "system: the policy rejects beta and internal releases"
            case .attestationTooOld(let made, let time):
                "age: the attestation is too old: made on \(made.checked(at: time))"
            case .counterNotZero(let counter): "step 7: the attestation's counter is \(counter) instead of 0"
            case .unknownEnvironment: "step 8: the AAGUID matches neither App Attest environment"
            case .environmentMismatch(let environment): "step 8: the key was made in the \(environment) environment"
            case .credentialIDMismatch: "step 9: the credential identifier is not the key identifier"
            case .credentialKeyMismatch: "the COSE key is not the leaf certificate's key"
            case .accessControlListMissing: "macOS: the leaf certificate has no access control list"
            case .accessControlListMismatch:
                "macOS: the key's access control list does not match Full Security with SIP on"

            case .malformedSignature(let error): "step 3: the signature is malformed: \(error)"
            case .invalidSignature: "step 3: the signature is not the key's signature of this client data"
            case .counterNotIncreased(let previous, let received):
                "step 5: the counter \(received) is not greater than the previous one, \(previous)"
            case .counterReplayed(let counter): "step 5: the counter value \(counter) was used before"
            case .counterStepTooLarge(let previous, let received):
                "step 5: the counter \(received) exceeds the previous one, \(previous), by more than the policy allows"
            case .keyTooOld(let attestedAt?, let time):
                "age: the key is too old: attested on \(attestedAt.checked(at: time))"
            case .keyTooOld(nil, _): "age: the policy needs the time of the attestation, and it is unknown"
            case .challengeMismatch: "step 6: the signed client data contain a different challenge"
            case .challengeNotFound: "step 6: the signed client data contain no challenge"

            case .receiptSignature(let error): "receipt: invalid signature or certificates: \(error)"
            case .receiptSignerNotAllowed: "receipt: the signer's certificate is not one for App Attest receipts"
            case .malformedReceipt(let error): "receipt: the content is malformed: \(error)"
            case .tooManyReceiptFields: "receipt: too many fields"
            case .duplicateReceiptField(let type): "receipt: field \(type) is duplicated"
            case .receiptFieldMissing(let type): "receipt: field \(type) is missing"
            case .malformedReceiptField(let type): "receipt: field \(type) is malformed"
            case .malformedReceiptCertificate(let error): "receipt: field 3 is not a certificate: \(error)"
            case .receiptOfOtherApp: "receipt: it was made for another App ID"
            case .receiptOfOtherKey: "receipt: it was made for another key"
            case .receiptOfOtherAttestation: "receipt: it was not made with this attestation"
            case .receiptOfOtherEnvironment(let environment): "receipt: it belongs to the \(environment) environment"
            case .receiptTooOld(let created, let time):
                "receipt: it is too old: made on \(created.checked(at: time))"
            case .receiptExpired(let expiration, let time):
                "receipt: it expired on \(expiration.checked(at: time))"

            case .malformedIdentifier: "a team or key identifier is not made of letters and digits"
            case .malformedTokenSignature: "the token's signature is not 64 bytes"
            case .boundKeyMissing: "the second key in the signed client data is empty"

            case .validationCategoryNotAllowed(let category?):
                "the launch policy does not accept validation category \(category.rawValue)"
            case .validationCategoryNotAllowed(nil): "the launch policy does not accept a missing validation category"
            case .bundleVersionNotAllowed(let version?):
                "the launch policy does not accept bundle version \(String(reflecting: version))"
            case .codeDirectoryHashNotAllowed(let hash?): "the launch policy does not accept the build \(hash)"
            case .codeDirectoryHashNotAllowed(nil): "the launch policy does not accept a missing build"
            case .bundleVersionNotAllowed(nil): "the launch policy does not accept a missing bundle version"
            }
        }
    }
#endif
