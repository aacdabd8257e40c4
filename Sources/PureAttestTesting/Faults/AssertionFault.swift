public import PureAttest

/// One rule of an assertion that is broken. Everything else is in order.
///
/// The raw value is the fault's identifier. It does not change between versions.
public enum AssertionFault: String, CaseIterable, Hashable, Sendable {
    // MARK: The CBOR object

    /// The last byte is missing.
    case objectTruncated
    /// A byte follows the object.
    case objectTrailingByte
    /// 5,000 bytes.
    case objectTooLarge
    /// The map's head is longer than it has to be.
    case objectNonMinimalHead
    /// The map has an indefinite length.
    case objectIndefiniteLength
    /// `signature` is there twice.
    case objectDuplicateKey
    /// An array in place of the map.
    case objectNotMap
    /// A third member.
    case objectExtraMember
    /// `signature` is missing.
    case signatureMissing
    /// `signature` is a text string.
    case signatureNotBytes
    /// `authenticatorData` is missing.
    case authenticatorDataMissing

    // MARK: Authenticator data

    /// 36 bytes: the counter's last byte is missing.
    case authenticatorDataTruncated
    /// Credential data, as an attestation has.
    case credentialDataPresent
    /// A byte follows.
    case authenticatorDataTrailingByte
    /// Extensions are an array.
    case extensionsNotMap
    /// A known extension is there twice.
    case extensionsDuplicateKey
    /// The ED flag is set, and no extensions follow.
    case extensionsMissing
    /// A second map of extensions, which the app wrote: it was the start of the client data hash.
    case extensionsAppended
    /// The validation category is in both of Apple's spellings.
    case validationCategorySpelledTwice
    /// The bundle version is a byte string.
    case bundleVersionNotText
    /// The build's hash has 31 bytes.
    case buildHashLength
    /// The build's hash is there twice.
    case buildHashTwice
    /// The unsigned member `cdHash` has a hash of 32 bytes.
    case unsignedBuildLength

    // MARK: Apple's steps

    /// Step 2: another client data hash was signed.
    case otherClientData
    /// Step 2: the authenticator data were changed after they were signed.
    case authenticatorDataReplaced
    /// Step 3: the nonce was taken for the digest, and not hashed once more.
    case nonceNotHashed
    /// Step 3: authenticator data and client data hash were signed in the other order.
    case nonceReversed
    /// Step 3: another key signed.
    case signedByStranger
    /// Step 3: a bit of s is another one.
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
    /// Step 3: the length of the SEQUENCE is longer than it has to be.
    case signatureLongLength
    /// Step 3: the length of the SEQUENCE is indefinite.
    case signatureIndefiniteLength
    /// Step 3: an octet follows the signature.
    case signatureTrailingByte
    /// Step 3: a third number.
    case signatureThirdNumber
    /// Step 3: the signature is empty.
    case signatureEmpty
    /// Step 4: another app's RP ID hash.
    case appIDMismatch
    /// Step 5: the counter is the stored one.
    case counterReplayed
    /// Step 5: the counter is 0.
    case counterZero
    /// Step 5: the counter is 1,001 above the stored one, which is more than the server's policy accepts.
    case counterJump
    /// The assertion is presented 31 days after the attestation, when the server's policy wants a new key: see
    /// ``presentationDelay``.
    case keyTooOld
    /// Step 6: the client data hold another challenge than the server's. The app makes this fault and not the device: sign
    /// ``clientData(inPlaceOf:)``.
    case challengeMismatch
    /// Step 7: the app is signed for development, which the server's policy does not accept.
    case validationCategoryNotAllowed
    /// Step 7: no validation category, which the server's policy does not accept.
    case validationCategoryMissing
    /// Step 7: the app wrote the launch information: it was built with an older SDK, so that the system writes none, and began the client
    /// data hash with a map.
    case launchInformationForged
    /// Step 8: another bundle version than the server's policy accepts.
    case bundleVersionNotAllowed
    /// Step 8: no bundle version, which the server's policy does not accept.
    case bundleVersionMissing
    /// Another build than the server's policy accepts: the app was substituted, and its key stays.
    case buildNotAllowed
    /// No build, which the server's policy does not accept.
    case buildMissing
    /// The accepted build, but only in the unsigned member `cdHash`, where the app can have written it.
    case buildUnsigned
}

extension AssertionFault {
    /// The rule that is broken: a section of a standard, or Apple's step.
    public var rule: String { definition(previousCounter: 0).rule }

    /// What a correct verifier reports. Its policies have to be those of ``VirtualDevice/acceptedApp`` for faults against steps 7 and 8,
    /// the build, and ages.
    ///
    /// - Parameters:
    ///   - previousCounter: the counter that the server has stored: the device's before the faulty assertion.
    ///   - time: of the attestation; only ``keyTooOld`` depends on it.
    public func expectedError(
        previousCounter: UInt32, attestedAt time: UnixTime = Corpus.defaultTime
    ) -> PureAttestError {
        definition(previousCounter: previousCounter, attestedAt: time).error
    }

    /// How many seconds after the attestation the assertion is presented.
    public var presentationDelay: Int64 { self == .keyTooOld ? 31 * 86_400 : 0 }

    /// Whether the fault can be made: only systems from 27 on send extensions, and only what they show to have written counts in
    /// steps 7 and 8.
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

    /// The client data that a client with this fault sends and signs.
    public func clientData(inPlaceOf clientData: [UInt8]) -> [UInt8] {
        self == .challengeMismatch ? Array("another challenge".utf8) : clientData
    }
}
