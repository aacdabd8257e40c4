public import PureAttest

/// A fault that breaks one rule in an otherwise valid assertion. The raw value identifies the fault, and never changes.
public enum AssertionFault: String, CaseIterable, Hashable, Sendable {
    // MARK: The CBOR object

    /// The object lacks its last byte.
    case objectTruncated
    /// An extra byte follows the object.
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
    /// An extra byte follows the authenticator data.
    case authenticatorDataTrailingByte
    /// Extensions are an array.
    case extensionsNotMap
    /// A known extension occurs twice.
    case extensionsDuplicateKey
    /// The ED flag is set, but no extensions follow.
    case extensionsMissing
    /// A second extensions map follows the first. The app wrote this map as the start of the client data hash.
    case extensionsAppended
    /// The validation category occurs twice, under both names that Apple has used.
    case validationCategorySpelledTwice
    /// The bundle version is a byte string.
    case bundleVersionNotText
    /// The hash of the build is 31 bytes long.
    case buildHashLength
    /// The hash of the build occurs twice.
    case buildHashTwice
    /// The unsigned member `cdHash` contains a hash of 32 bytes instead of 20.
    case unsignedBuildLength

    // MARK: Apple's steps

    /// Step 2: the signature covers a different client data hash.
    case otherClientData
    /// Step 2: the authenticator data changed after signing.
    case authenticatorDataReplaced
    /// Step 3: the nonce was used as the digest of the signature, without being hashed again.
    case nonceNotHashed
    /// Step 3: the signature covers the client data hash before the authenticator data, which is the wrong order.
    case nonceReversed
    /// Step 3: a different key made the signature.
    case signedByStranger
    /// Step 3: a bit of s is flipped.
    case signatureTampered
    /// Step 3: r is 0.
    case signatureZeroR
    /// Step 3: s is 0.
    case signatureZeroS
    /// Step 3: r is n, the order of the curve.
    case signatureOrderR
    /// Step 3: s is s + n.
    case signatureOutOfRangeS
    /// Step 3: r has a redundant leading octet.
    case signatureNonMinimal
    /// Step 3: r is negative.
    case signatureNegative
    /// Step 3: the length of the signature's SEQUENCE is not in the shortest form.
    case signatureLongLength
    /// Step 3: the length of the signature's SEQUENCE is indefinite.
    case signatureIndefiniteLength
    /// Step 3: an extra octet follows the signature.
    case signatureTrailingByte
    /// Step 3: the SEQUENCE of the signature contains a third number.
    case signatureThirdNumber
    /// Step 3: the signature is empty.
    case signatureEmpty
    /// Step 4: the RP ID hash belongs to a different app.
    case appIDMismatch
    /// Step 5: the counter equals the stored counter.
    case counterReplayed
    /// Step 5: the counter is 0.
    case counterZero
    /// Step 5: the counter is 1,001 above the stored counter, which is more than the server's policy accepts.
    case counterJump
    /// The assertion is presented 31 days after the attestation (``presentationDelay``), which the policy rejects.
    case keyTooOld
    /// Step 6: the client data contains a challenge that the server did not issue. The app causes this fault, not the
    /// device, so sign the result of ``clientData(inPlaceOf:)``.
    case challengeMismatch
    /// Step 7: the app is signed for development, but the server's policy rejects development builds.
    case validationCategoryNotAllowed
    /// Step 7: the validation category, which the server's policy requires, is missing.
    case validationCategoryMissing
    /// Step 7: the app forged the launch information. Because the app was built with an older SDK, the system writes no
    /// extensions map. Instead, the app's client data hash starts with such a map.
    case launchInformationForged
    /// Step 8: the server's policy rejects the bundle version.
    case bundleVersionNotAllowed
    /// Step 8: the bundle version, which the server's policy requires, is missing.
    case bundleVersionMissing
    /// The server's policy rejects the build. A different build replaced the app, but the key remained.
    case buildNotAllowed
    /// The build, which the server's policy requires, is missing.
    case buildMissing
    /// The accepted build occurs only in the unsigned member `cdHash`, which the app may have written.
    case buildUnsigned
}

extension AssertionFault {
    /// Returns the error that a correct verifier reports. For faults that concern builds, ages, or steps 7 and 8, the
    /// verifier must have the policies of ``VirtualDevice/acceptedApp``.
    ///
    /// - Parameters:
    ///   - previousCounter: the server's stored counter, equal to the device's counter before the faulty assertion.
    ///     For ``counterJump``, it must be at most `UInt32.max - 1_001`.
    ///   - time: the time of the attestation. Only the error for ``keyTooOld`` depends on the time.
    public func expectedError(
        previousCounter: UInt32, attestedAt time: UnixTime = Corpus.defaultTime
    ) -> PureAttestError {
        definition(previousCounter: previousCounter, attestedAt: time).error
    }

    /// The delay between attestation and assertion, in seconds.
    public var presentationDelay: Int64 { self == .keyTooOld ? 31 * 86_400 : 0 }

    /// Whether a device with this system can create the fault. Some faults need extensions, which systems before
    /// version 27 do not send. Faults that break the launch policy need a system whose attestations prove that the
    /// system writes the launch information. Otherwise ``VirtualDevice/acceptedApp`` accepts missing information.
    public func applies(to system: DeviceSystem) -> Bool {
        switch self {
        case .extensionsDuplicateKey, .extensionsAppended, .validationCategorySpelledTwice, .bundleVersionNotText:
            system.sendsLaunchInformation
        case .validationCategoryNotAllowed, .validationCategoryMissing, .launchInformationForged,
            .bundleVersionNotAllowed, .bundleVersionMissing, .buildNotAllowed, .buildMissing, .buildUnsigned:
            system.attestsLaunchInformation
        case .buildHashLength, .buildHashTwice: system.assertionFlags & 0x80 != 0
        default: true
        }
    }

    /// Returns the client data that a client with this fault sends, and that the device must sign.
    public func clientData(inPlaceOf clientData: [UInt8]) -> [UInt8] {
        self == .challengeMismatch ? Array("another challenge".utf8) : clientData
    }
}
