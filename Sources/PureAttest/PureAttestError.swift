@_exported public import enum PureCBOR.CBORError
@_exported public import enum PureDER.DERError
@_exported public import enum PureECDSA.ECDSAError
@_exported public import enum PureX509.X509Error

/// The reason why an object was rejected. The reason is for logs and operators. Send every client the same answer.
///
/// The enumeration is indirect, so that errors are small when functions return and copy them. An error allocates memory
/// for its associated values only when it is thrown.
@nonexhaustive
public indirect enum PureAttestError: Error, Hashable, Sendable {
    // MARK: What the caller passed

    /// The object exceeds ``InputLimits``.
    case inputTooLarge
    /// The challenge is empty.
    case emptyChallenge
    /// The client data hash is empty.
    case emptyClientDataHash
    /// The stored key does not belong to the verifier's environment.
    case keyOfOtherEnvironment(Environment)
    /// The verifier does not accept the stored key's app.
    case keyOfUnknownApp
    /// A stored key's bytes do not have the format that ``AttestedKey/serialized`` writes.
    case malformedKeyRecord
    /// A stored key's bytes have a later format version, which this library does not support.
    case unsupportedKeyRecord(version: UInt8)
    /// A stored key has a field that a later version of this library wrote.
    case unknownKeyRecordField(UInt8)
    /// The policy limits the age of keys, and the caller passed no time.
    case timeMissing
    /// A stored public key is not a point of P-256.
    case invalidPublicKey(ECDSAError)

    // MARK: Encoding

    /// The CBOR encoding of the object, the COSE key or the extensions is invalid, or extra bytes follow.
    case malformedCBOR(CBORError)
    /// The attestation does not have exactly the members `fmt`, `attStmt` with `x5c` and `receipt`, `authData`, and
    /// optionally a well-formed `cdHash`.
    case malformedAttestationObject
    /// `fmt` is not `apple-appattest`.
    case unsupportedFormat
    /// The assertion does not have exactly the members `signature`, `authenticatorData`, and optionally a well-formed
    /// `cdHash`.
    case malformedAssertionObject
    /// The authenticator data are truncated, or the ED flag is set and no extensions follow.
    case truncatedAuthenticatorData
    /// The COSE key is not an EC2 key on P-256 for ES256 with two full coordinates.
    case malformedCredentialKey
    /// The extensions are not a map with text keys, or a known extension has a value of the wrong type or length. Also
    /// covers a build hash without its type, and a type without a hash.
    case malformedExtensions
    /// A map contains both spellings of an extension's key.
    case extensionSpelledTwice

    // MARK: Attestation

    /// Step 1: there are not exactly two certificates, a leaf and its issuer.
    case wrongCertificateCount(Int)
    /// Step 1: a certificate is malformed, or the certificates do not form a valid chain to the pinned root.
    case certificate(X509Error)
    /// Step 4: the leaf has no extension 1.2.840.113635.100.8.2.
    case nonceExtensionMissing
    /// Step 4: the extension is not a SEQUENCE of one [1] OCTET STRING.
    case malformedNonceExtension(DERError)
    /// Step 4: the certified nonce does not match the data and the challenge. The usual cause is a different challenge.
    case nonceMismatch
    /// Step 5: the leaf's key is not a P-256 key.
    case unsupportedLeafKey
    /// Step 5: the key identifier is not the SHA-256 of the leaf's key.
    case keyIDMismatch
    /// Step 6, and assertion step 4: the RP ID hash matches no accepted App ID.
    case appIDMismatch
    /// Step 6, and assertion step 4: the App ID is declared, but not for the platform that the key's certificate names.
    case platformNotAllowed(AppID.Platform)
    /// The leaf's extension 1.2.840.113635.100.8.7 is malformed, or the platform in it is unreadable.
    case malformedSystemInformation
    /// The system's version is older than the policy accepts, or unknown (`nil`).
    case systemVersionNotAllowed(SystemVersion?)
    /// The policy does not accept the system's build, or the build is unknown (`nil`) and the policy needs it.
    case systemBuildNotAllowed(SystemBuild?)
    /// The system is a beta or another prerelease, which the policy does not accept.
    case prereleaseNotAllowed
    /// The attestation was made longer ago than the policy accepts.
    case attestationTooOld(made: UnixTime, at: UnixTime)
    /// Step 7: an attestation's counter is not 0.
    case counterNotZero(UInt32)
    /// Step 8: the AAGUID is neither of Apple's two values.
    case unknownEnvironment
    /// Step 8: the key was created in the other environment.
    case environmentMismatch(Environment)
    /// Step 9: the credential ID is not the key identifier.
    case credentialIDMismatch
    /// The COSE key is not the leaf's key.
    case credentialKeyMismatch
    /// macOS: the leaf has no extension 1.2.840.113635.100.8.6, or the extension is not a SEQUENCE of one [3] OCTET
    /// STRING.
    case accessControlListMissing
    /// macOS: the key's access control list is not the list that Apple documents (Full Security and SIP on).
    case accessControlListMismatch

    // MARK: Assertion

    /// Step 3: the signature is not an ECDSA signature in DER.
    case malformedSignature(ECDSAError)
    /// Step 3: the signature is not the key's signature of this nonce.
    case invalidSignature
    /// Step 5: the counter is not greater than the stored counter. Either this is a replay, or a later request overtook
    /// this request.
    case counterNotIncreased(previous: UInt32, received: UInt32)
    /// Step 5 under ``CounterPolicy/slidingWindow``: the value was used before.
    case counterReplayed(UInt32)
    /// Step 5: the counter exceeds the stored counter by more than the policy accepts.
    case counterStepTooLarge(previous: UInt32, received: UInt32)
    /// The key was attested longer ago than the policy accepts, or at an unknown time (`nil`).
    case keyTooOld(attestedAt: UnixTime?, at: UnixTime)
    /// Step 6: the signed bytes contain a different challenge.
    case challengeMismatch
    /// Step 6: the caller's closure found no challenge in the signed bytes.
    case challengeNotFound

    // MARK: Bound keys

    /// The signed client data contain an empty second key.
    case boundKeyMissing

    // MARK: Receipt

    /// The receipt's CMS form, its signature, or its chain to Apple Root CA - G3 is invalid.
    case receiptSignature(X509Error)
    /// The signer's certificate is not for receipts. The certificate lacks extension 1.2.840.113635.100.12.15, does not
    /// permit signing data, or has a critical extKeyUsage for a different purpose.
    case receiptSignerNotAllowed
    /// The signed content is not a SET of receipt fields.
    case malformedReceipt(DERError)
    /// The receipt has more than 64 fields.
    case tooManyReceiptFields
    /// A field occurs twice.
    case duplicateReceiptField(Int64)
    /// A field is missing.
    case receiptFieldMissing(Int64)
    /// A field's value is malformed.
    case malformedReceiptField(Int64)
    /// Field 3 is not a certificate.
    case malformedReceiptCertificate(X509Error)
    /// Field 2 names a different App ID.
    case receiptOfOtherApp
    /// Field 3 contains a different key.
    case receiptOfOtherKey
    /// The receipt belongs to a different attestation: field 4 contains a different client data hash, or field 6 is not
    /// "ATTEST".
    case receiptOfOtherAttestation
    /// Field 7 names the other environment.
    case receiptOfOtherEnvironment(Environment)
    /// Field 12: the receipt was created too long ago.
    case receiptTooOld(created: UnixTime, at: UnixTime)
    /// Field 21: the receipt has expired.
    case receiptExpired(expirationTime: UnixTime, at: UnixTime)
    /// A team or key identifier for a risk query is empty or contains characters other than ASCII letters and digits.
    case malformedIdentifier
    /// The signature of a risk query's token is not 64 bytes, r ‖ s.
    case malformedTokenSignature

    // MARK: Launch policy

    /// Attestation step 10, assertion step 7: the policy does not accept this category (`nil`: it is missing).
    case validationCategoryNotAllowed(ValidationCategory?)
    /// Attestation step 11, assertion step 8: the policy does not accept this version (`nil`: it is missing).
    case bundleVersionNotAllowed(BundleVersion?)
    /// The policy does not accept this build (`nil`: the build hash is missing).
    case codeDirectoryHashNotAllowed(CodeDirectoryHash?)
}
