/// One rule of an attestation that is broken: its encoding, its authenticator data, or one of Apple's steps. Everything else is
/// in order: all signatures are good, and the nonce covers what it has to.
///
/// The raw value is the fault's identifier. It does not change between versions.
public enum AttestationFault: String, CaseIterable, Hashable, Sendable {
    // MARK: The CBOR object

    /// The last byte is missing.
    case objectTruncated
    /// A byte follows the object.
    case objectTrailingByte
    /// 70,000 bytes.
    case objectTooLarge
    /// The outer map's head is longer than it has to be.
    case objectNonMinimalHead
    /// The outer map has an indefinite length.
    case objectIndefiniteLength
    /// `fmt` is there twice.
    case objectDuplicateKey
    /// A key is not UTF-8.
    case objectInvalidUTF8
    /// A byte string declares 2⁶² bytes.
    case objectLengthBomb
    /// Arrays are nested 5,000 deep.
    case objectDeepNesting
    /// An array of 10,000 items.
    case objectItemFlood
    /// An array in place of the map.
    case objectNotMap
    /// A fourth member.
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

    /// 36 bytes: the counter's last byte is missing.
    case authenticatorDataTruncated
    /// 37 bytes, as an assertion has.
    case credentialDataMissing
    /// The AAGUID ends early.
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
    /// y is a sign bit (point compression).
    case credentialKeyCompressed
    /// A sixth entry.
    case credentialKeyExtraEntry
    /// x is there twice, the second time another one.
    case credentialKeyDuplicateEntry
    /// Extensions are an array.
    case extensionsNotMap
    /// A byte follows the extensions.
    case extensionsTrailingByte
    /// The extensions end early.
    case extensionsTruncated
    /// A known extension is there twice.
    case extensionsDuplicateKey
    /// The ED flag is set, and no extensions follow.
    case extensionsMissing
    /// A second map of extensions, which the app wrote: it was the start of the client data hash.
    case extensionsAppended
    /// The validation category is in both of Apple's spellings.
    case validationCategorySpelledTwice
    /// The bundle version is in both of Apple's spellings.
    case bundleVersionSpelledTwice
    /// The validation category has three bytes.
    case validationCategoryLength
    /// The validation category is a text.
    case validationCategoryNotNumber
    /// The validation category is 2³² + 4.
    case validationCategoryTooLarge
    /// The bundle version is a byte string.
    case bundleVersionNotText
    /// The build's hash has 31 bytes.
    case buildHashLength
    /// The build's hash is there twice.
    case buildHashTwice
    /// The build's hash is there without its type.
    case buildTypeMissing
    /// The unsigned member `cdHash` has a hash of 32 bytes.
    case unsignedBuildLength

    // MARK: Apple's steps

    /// Step 1: `x5c` is empty.
    case certificatesEmpty
    /// Step 1: only the leaf.
    case intermediateMissing
    /// Step 1: the root is in the chain.
    case rootIncluded
    /// Step 1: the intermediate certificate comes first.
    case certificatesReversed
    /// Step 3: another client data hash was attested.
    case nonceMismatch
    /// Step 3: the authenticator data were changed after the nonce was made.
    case authenticatorDataReplaced
    /// Step 3: the client data hash was hashed once more.
    case clientDataHashedTwice
    /// Step 4: the nonce's first 31 bytes.
    case nonceShortened
    /// Step 4: the nonce stands at the end of a longer string.
    case nonceSuffix
    /// Step 4: no nonce extension.
    case nonceExtensionMissing
    /// Step 4: the nonce extension is empty.
    case nonceExtensionEmpty
    /// Step 4: the nonce without the SEQUENCE around it.
    case nonceExtensionBare
    /// Step 4: tag [2] in place of [1].
    case nonceExtensionTag
    /// Step 4: a second octet string follows in the tag.
    case nonceExtensionSecondString
    /// Step 4: a byte follows the SEQUENCE.
    case nonceExtensionTrailingByte
    /// Step 4: the nonce extension is there twice.
    case nonceExtensionTwice
    /// Step 5: another key was certified.
    case keyIDMismatch
    /// Step 5: the certified key is on P-384.
    case leafKeyOnP384
    /// Step 5: the certified key is RSA.
    case leafKeyRSA
    /// Step 6: another app's RP ID hash.
    case appIDMismatch
    /// Step 6: a Mac's certificate, and the app is declared for devices alone.
    case platformMac
    /// The system is older than the server's policy accepts.
    case systemTooOld
    /// The system is a beta, which the server's policy does not accept.
    case systemBeta
    /// The attestation was made two hours ago, which is longer than the server's policy accepts.
    case attestationTooOld
    /// Step 7: the counter is 1.
    case counterOne
    /// Step 7: the counter is 2³¹, negative as a signed number.
    case counterHighBit
    /// Step 8: the other environment's AAGUID.
    case environmentMismatch
    /// Step 8: the AAGUID is `appattest` and seven spaces: the first nine bytes are right.
    case aaguidPrefix
    /// Step 8: the AAGUID is zero.
    case aaguidZero
    /// Step 9: the credential ID is another one.
    case credentialIDMismatch
    /// Step 9: the credential ID is empty.
    case credentialIDEmpty
    /// Step 9: the credential ID's first 31 bytes.
    case credentialIDShortened
    /// Step 9: a byte follows the credential ID.
    case credentialIDLonger
    /// The COSE key is not the certified key.
    case credentialKeyMismatch
    /// macOS: no access control list.
    case accessControlListMissing
    /// macOS: an access control list of another form.
    case accessControlListMalformed
    /// macOS: the access control list of a Mac with Reduced Security.
    case accessControlListMismatch
    /// Step 10: the app is signed for development, which the server's policy does not accept.
    case validationCategoryNotAllowed
    /// Step 10: no validation category, which the server's policy does not accept.
    case validationCategoryMissing
    /// Step 10: the app wrote the launch information: it was built with an older SDK, so that the system writes none, and began the client
    /// data hash with a map.
    case launchInformationForged
    /// Step 11: another bundle version than the server's policy accepts.
    case bundleVersionNotAllowed
    /// Step 11: no bundle version, which the server's policy does not accept.
    case bundleVersionMissing
    /// Another build than the server's policy accepts.
    case buildNotAllowed
    /// The accepted hash, of another type.
    case buildOtherType
    /// No build, which the server's policy does not accept.
    case buildMissing
    /// The accepted build, but only in the unsigned member `cdHash`, where the app can have written it.
    case buildUnsigned
}
