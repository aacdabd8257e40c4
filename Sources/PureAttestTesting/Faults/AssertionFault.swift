public import PureAttest

/// One broken rule in an assertion. Everything else is valid. The raw value is a stable identifier.
public enum AssertionFault: String, CaseIterable, Hashable, Sendable {
    // MARK: The CBOR object

    /// The object lacks its last byte.
    case objectTruncated
    /// A byte follows the object.
    case objectTrailingByte
    /// The object has 5,000 extra bytes.
    case objectTooLarge
    /// The map's head is not in the shortest form.
    case objectNonMinimalHead
    /// The map has an indefinite length.
    case objectIndefiniteLength
    /// `signature` occurs twice.
    case objectDuplicateKey
    /// The object is an array instead of a map.
    case objectNotMap
    /// The object has a third member.
    case objectExtraMember
    /// `signature` is missing.
    case signatureMissing
    /// `signature` is a text string.
    case signatureNotBytes
    /// `authenticatorData` is missing.
    case authenticatorDataMissing

    // MARK: Authenticator data

    /// The authenticator data has 36 bytes: the counter lacks its last byte.
    case authenticatorDataTruncated
    /// The authenticator data contains credential data, as in an attestation.
    case credentialDataPresent
    /// A byte follows the authenticator data.
    case authenticatorDataTrailingByte
    /// Extensions are an array.
    case extensionsNotMap
    /// A known extension occurs twice.
    case extensionsDuplicateKey
    /// The ED flag is set, and no extensions follow.
    case extensionsMissing
    /// A second map of extensions follows. The app wrote it as the start of the client data hash.
    case extensionsAppended
    /// The validation category occurs in both of Apple's spellings.
    case validationCategorySpelledTwice
    /// The bundle version is a byte string.
    case bundleVersionNotText
    /// The build's hash has 31 bytes.
    case buildHashLength
    /// The build's hash occurs twice.
    case buildHashTwice
    /// The unsigned member `cdHash` contains a hash of 32 bytes.
    case unsignedBuildLength

    // MARK: Apple's steps

    /// Step 2: the signature covers another client data hash.
    case otherClientData
    /// Step 2: the authenticator data changed after signing.
    case authenticatorDataReplaced
    /// Step 3: the nonce was signed as the digest, without hashing it again.
    case nonceNotHashed
    /// Step 3: the signature covers client data hash and authenticator data in reverse order.
    case nonceReversed
    /// Step 3: another key signed.
    case signedByStranger
    /// Step 3: a bit of s is flipped.
    case signatureTampered
    /// Step 3: r is 0.
    case signatureZeroR
    /// Step 3: s is 0.
    case signatureZeroS
    /// Step 3: r is n.
    case signatureOrderR
    /// Step 3: s is s + n.
    case signatureOutOfRangeS
    /// Step 3: r has a redundant leading octet.
    case signatureNonMinimal
    /// Step 3: r is negative.
    case signatureNegative
    /// Step 3: the length of the SEQUENCE is not in the shortest form.
    case signatureLongLength
    /// Step 3: the length of the SEQUENCE is indefinite.
    case signatureIndefiniteLength
    /// Step 3: an octet follows the signature.
    case signatureTrailingByte
    /// Step 3: the SEQUENCE contains a third number.
    case signatureThirdNumber
    /// Step 3: the signature is empty.
    case signatureEmpty
    /// Step 4: the RP ID hash belongs to another app.
    case appIDMismatch
    /// Step 5: the counter equals the stored counter.
    case counterReplayed
    /// Step 5: the counter is 0.
    case counterZero
    /// Step 5: the counter is 1,001 above the stored counter, more than the server's policy accepts.
    case counterJump
    /// The assertion is presented 31 days after the attestation, too late for the policy. See ``presentationDelay``.
    case keyTooOld
    /// Step 6: the client data contains another challenge than the server's. The app makes this fault, not the device,
    /// so sign ``clientData(inPlaceOf:)``.
    case challengeMismatch
    /// Step 7: the app is signed for development, which the server's policy rejects.
    case validationCategoryNotAllowed
    /// Step 7: the validation category, which the server's policy requires, is missing.
    case validationCategoryMissing
    /// Step 7: the app forged the launch information. The app was built with an older SDK, so the system writes no map.
    /// The app's client data hash begins with a map.
    case launchInformationForged
    /// Step 8: the server's policy rejects the bundle version.
    case bundleVersionNotAllowed
    /// Step 8: the bundle version, which the server's policy requires, is missing.
    case bundleVersionMissing
    /// The server's policy rejects the build. Another build replaced the app and its key remained.
    case buildNotAllowed
    /// The build, which the server's policy requires, is missing.
    case buildMissing
    /// The accepted build is only in the unsigned member `cdHash`, which the app may have written.
    case buildUnsigned
}

extension AssertionFault {
    /// The broken rule: a section of a standard, or Apple's step.
    public var rule: String { definition(previousCounter: 0).rule }

    /// Returns the error that a correct verifier reports. For builds, ages, and steps 7 and 8, the verifier must have
    /// the policies of ``VirtualDevice/acceptedApp``.
    ///
    /// - Parameters:
    ///   - previousCounter: the counter in the server's record: the device's counter before the faulty assertion.
    ///   - time: the time of the attestation. Only ``keyTooOld`` depends on it.
    public func expectedError(
        previousCounter: UInt32, attestedAt time: UnixTime = Corpus.defaultTime
    ) -> PureAttestError {
        definition(previousCounter: previousCounter, attestedAt: time).error
    }

    /// The delay between attestation and assertion, in seconds.
    public var presentationDelay: Int64 { self == .keyTooOld ? 31 * 86_400 : 0 }

    /// Whether the system can make the fault. Systems before 27 send no extensions. Steps 7 and 8 read only extensions
    /// that the system provably wrote.
    public func applies(to system: DeviceSystem) -> Bool {
        switch self {
        case .extensionsDuplicateKey, .extensionsAppended, .validationCategorySpelledTwice, .bundleVersionNotText:
            system.sendsLaunchInformation
        case .validationCategoryNotAllowed, .validationCategoryMissing, .launchInformationForged,
            .bundleVersionNotAllowed, .bundleVersionMissing, .buildNotAllowed, .buildMissing, .buildHashLength,
            .buildHashTwice, .buildUnsigned:
            system.assertionFlags & 0x80 != 0
        default: true
        }
    }

    /// Returns the client data that a client with this fault sends and signs.
    public func clientData(inPlaceOf clientData: [UInt8]) -> [UInt8] {
        self == .challengeMismatch ? Array("another challenge".utf8) : clientData
    }
}
