#if !hasFeature(Embedded)
    import PureDER

    extension PureAttestError: CustomStringConvertible {
        /// The reason for the rejection, in one line of bounded length, whatever the device sent. Many descriptions
        /// begin with Apple's step number. The text is for operators. Send every client the same answer instead.
        public var description: String {
            let text = Reason(self).text
            return switch self {
            case .keyOfOtherEnvironment(let environment): "the stored key belongs to the \(environment) environment"
            case .unsupportedKeyRecord(let version): "the key record has the unknown format version \(version)"
            case .unknownKeyRecordField(let number): "the key record has field \(number), which a later version wrote"
            case .invalidPublicKey(let error), .malformedSignature(let error): "\(text): \(error)"
            case .malformedCBOR(let error): "\(text): \(error)"
            case .wrongCertificateCount(let count): "step 1: the chain has \(count) certificates instead of 2"
            case .certificate(let error): "step 1: \(error)"
            case .malformedNonceExtension(let error), .malformedReceipt(let error): "\(text): \(error)"
            case .platformNotAllowed(.macOS):
                "platform: the key is from a Mac, but the App ID is accepted only on devices"
            case .platformNotAllowed(.device):
                "platform: the key is from a device, but the App ID is accepted only on macOS"
            case .systemVersionNotAllowed(let version?): "system: version \(version) is older than the policy accepts"
            case .systemVersionNotAllowed(nil): "system: the policy needs a version, and the version is unknown"
            case .systemBuildNotAllowed(let build?): "system: the policy does not accept build \(build)"
            case .systemBuildNotAllowed(nil): "system: the policy needs a build, and the build is unknown"
            case .attestationTooOld(let made, let time), .receiptTooOld(let made, let time):
                "\(text): made on \(made.checked(at: time))"
            case .counterNotZero(let counter): "step 7: the attestation's counter is \(counter) instead of 0"
            case .environmentMismatch(let environment): "step 8: the key was made in the \(environment) environment"
            case .counterNotIncreased(let previous, let received):
                "step 5: the counter \(received) is not greater than the previous one, \(previous)"
            case .counterReplayed(let counter): "step 5: the counter value \(counter) was used before"
            case .counterStepTooLarge(let previous, let received):
                "step 5: the counter \(received) exceeds the previous one, \(previous), by more than the policy allows"
            case .keyTooOld(let attestedAt?, let time):
                "age: the key is too old: attested on \(attestedAt.checked(at: time))"
            case .keyTooOld(nil, _): "age: the policy needs the time of the attestation, and it is unknown"
            case .receiptSignature(let error), .malformedReceiptCertificate(let error): "\(text): \(error)"
            case .duplicateReceiptField(let type): "receipt: field \(type) is duplicated"
            case .receiptFieldMissing(let type): "receipt: field \(type) is missing"
            case .malformedReceiptField(let type): "receipt: field \(type) is malformed"
            case .receiptOfOtherEnvironment(let environment): "receipt: it belongs to the \(environment) environment"
            case .receiptExpired(let expiration, let time):
                "receipt: it expired on \(expiration.checked(at: time))"
            case .validationCategoryNotAllowed(let category?):
                "the launch policy does not accept validation category \(category.rawValue)"
            case .validationCategoryNotAllowed(nil): "the launch policy does not accept a missing validation category"
            case .bundleVersionNotAllowed(let version?):
                "the launch policy does not accept bundle version \(String(reflecting: version))"
            case .codeDirectoryHashNotAllowed(let hash?): "the launch policy does not accept the build \(hash)"
            case .codeDirectoryHashNotAllowed(nil): "the launch policy does not accept a missing build"
            case .bundleVersionNotAllowed(nil): "the launch policy does not accept a missing bundle version"
            default: text
            }
        }
    }
#endif
