/// A fault that breaks one rule of the encoding, of the authenticator data, or of Apple's steps for attestations.
///
/// Apart from the fault, the attestation is valid: all signatures are valid, and the nonce covers the correct data. The
/// raw value identifies the fault, and never changes.
public enum AttestationFault: String, CaseIterable, Hashable, Sendable {
    // MARK: The CBOR object

    /// The object lacks its last byte.
    case objectTruncated
    /// An extra byte follows the object.
    case objectTrailingByte
    /// The receipt has 70,000 bytes.
    case objectTooLarge
    /// The outer map's head is not in the shortest form.
    case objectNonMinimalHead
    /// The outer map has an indefinite length.
    case objectIndefiniteLength
    /// `fmt` occurs twice.
    case objectDuplicateKey
    /// A key of the map is not valid UTF-8.
    case objectInvalidUTF8
    /// The receipt's head declares a length of 2⁶² bytes.
    case objectLengthBomb
    /// The receipt consists of arrays nested 5,000 deep.
    case objectDeepNesting
    /// The receipt is an array of 10,000 items.
    case objectItemFlood
    /// The object is an array instead of a map.
    case objectNotMap
    /// The object has a fourth member.
    case objectExtraMember
    /// `fmt` is missing.
    case formatMissing
    /// `fmt` is "packed".
    case formatOther
    /// `attStmt` is missing.
    case statementMissing
    /// `attStmt` has a third member.
    case statementExtraMember
    /// `receipt` is missing.
    case receiptMissing
    /// `receipt` is a text string.
    case receiptNotBytes
    /// `x5c` is missing.
    case certificatesMissing
    /// `x5c` is a byte string.
    case certificatesNotArray
    /// A certificate is a text string.
    case certificateNotBytes
    /// `authData` is missing.
    case authenticatorDataMissing

    // MARK: Authenticator data

    /// The authenticator data has 36 bytes: the counter lacks its last byte.
    case authenticatorDataTruncated
    /// The authenticator data has 37 bytes, as in an assertion.
    case credentialDataMissing
    /// The AAGUID is truncated.
    case aaguidTruncated
    /// The credential ID's length is 65,535.
    case credentialIDPastEnd
    /// The COSE key is missing.
    case credentialKeyMissing
    /// The COSE key is an array.
    case credentialKeyNotMap
    /// kty is OKP.
    case credentialKeyType
    /// alg is ES384.
    case credentialKeyAlgorithm
    /// crv is P-384.
    case credentialKeyCurve
    /// x has 31 bytes.
    case credentialKeyCoordinateLength
    /// The sign bit of y replaces y, as in point compression.
    case credentialKeyCompressed
    /// The COSE key has a sixth entry.
    case credentialKeyExtraEntry
    /// x occurs twice, with different values.
    case credentialKeyDuplicateEntry
    /// Extensions are an array.
    case extensionsNotMap
    /// An extra byte follows the extensions.
    case extensionsTrailingByte
    /// The extensions are truncated.
    case extensionsTruncated
    /// A known extension occurs twice.
    case extensionsDuplicateKey
    /// The ED flag is set, but no extensions follow.
    case extensionsMissing
    /// A second extensions map follows the first. The app wrote this map as the start of the client data hash.
    case extensionsAppended
    /// The validation category occurs twice, under both names that Apple has used.
    case validationCategorySpelledTwice
    /// The bundle version occurs twice, under both names that Apple has used.
    case bundleVersionSpelledTwice
    /// The validation category is three bytes long.
    case validationCategoryLength
    /// The validation category is a text string.
    case validationCategoryNotNumber
    /// The validation category is 2³² + 4.
    case validationCategoryTooLarge
    /// The bundle version is a byte string.
    case bundleVersionNotText
    /// The hash of the build is 31 bytes long.
    case buildHashLength
    /// The hash of the build occurs twice.
    case buildHashTwice
    /// The type of the build's hash is missing.
    case buildTypeMissing
    /// The unsigned member `cdHash` contains a hash of 32 bytes instead of 20.
    case unsignedBuildLength

    // MARK: Apple's steps

    /// Step 1: `x5c` is empty.
    case certificatesEmpty
    /// Step 1: the chain contains only the leaf.
    case intermediateMissing
    /// Step 1: the chain also contains the root.
    case rootIncluded
    /// Step 1: the intermediate certificate comes first.
    case certificatesReversed
    /// Step 3: the nonce covers a different client data hash.
    case nonceMismatch
    /// Step 3: the authenticator data changed after the nonce was computed.
    case authenticatorDataReplaced
    /// Step 3: the client data hash was hashed again.
    case clientDataHashedTwice
    /// Step 4: the nonce is truncated to 31 bytes.
    case nonceShortened
    /// Step 4: the nonce is preceded by an extra byte in the same string.
    case nonceSuffix
    /// Step 4: the nonce extension is missing.
    case nonceExtensionMissing
    /// Step 4: the nonce extension is empty.
    case nonceExtensionEmpty
    /// Step 4: the nonce lacks the enclosing SEQUENCE.
    case nonceExtensionBare
    /// Step 4: the nonce has tag [2] instead of [1].
    case nonceExtensionTag
    /// Step 4: the tag contains a second OCTET STRING after the nonce.
    case nonceExtensionSecondString
    /// Step 4: an extra byte follows the SEQUENCE.
    case nonceExtensionTrailingByte
    /// Step 4: the nonce extension occurs twice.
    case nonceExtensionTwice
    /// Step 5: the leaf certifies a different key.
    case keyIDMismatch
    /// Step 5: the certified key is on P-384.
    case leafKeyOnP384
    /// Step 5: the certified key is RSA.
    case leafKeyRSA
    /// Step 6: the RP ID hash belongs to a different app.
    case appIDMismatch
    /// Step 6: the certificate belongs to a Mac, but the app is declared only for devices.
    case platformMac
    /// The system version is older than the server's policy accepts.
    case systemTooOld
    /// The system is a beta, but the server's policy rejects betas.
    case systemBeta
    /// The attestation is two hours old, which is more than the server's policy accepts.
    case attestationTooOld
    /// Step 7: the counter is 1.
    case counterOne
    /// Step 7: the counter is 2³¹, which is negative as a signed number.
    case counterHighBit
    /// Step 8: the AAGUID belongs to the other environment.
    case environmentMismatch
    /// Step 8: the AAGUID is `appattest` followed by seven spaces, so only the first nine bytes are correct.
    case aaguidPrefix
    /// Step 8: the AAGUID is zero.
    case aaguidZero
    /// Step 9: the credential ID differs from the key identifier.
    case credentialIDMismatch
    /// Step 9: the credential ID is empty.
    case credentialIDEmpty
    /// Step 9: the credential ID is truncated to 31 bytes.
    case credentialIDShortened
    /// Step 9: the credential ID has an extra byte at the end.
    case credentialIDLonger
    /// The COSE key differs from the certified key.
    case credentialKeyMismatch
    /// macOS: the access control list is missing.
    case accessControlListMissing
    /// macOS: the access control list has a different form.
    case accessControlListMalformed
    /// macOS: the access control list is the list of a Mac with Reduced Security.
    case accessControlListMismatch
    /// Step 10: the app is signed for development, but the server's policy rejects development builds.
    case validationCategoryNotAllowed
    /// Step 10: the validation category, which the server's policy requires, is missing.
    case validationCategoryMissing
    /// Step 10: the app forged the launch information. Because the app was built with an older SDK, the system writes
    /// no extensions map. Instead, the app's client data hash starts with such a map.
    case launchInformationForged
    /// Step 11: the server's policy rejects the bundle version.
    case bundleVersionNotAllowed
    /// Step 11: the bundle version, which the server's policy requires, is missing.
    case bundleVersionMissing
    /// The server's policy rejects the build.
    case buildNotAllowed
    /// The build's hash has a type that the server's policy does not accept, and the policy does not accept the hash
    /// either.
    case buildOtherType
    /// The build, which the server's policy requires, is missing.
    case buildMissing
    /// The accepted build occurs only in the unsigned member `cdHash`, which the app may have written.
    case buildUnsigned
}
