/// The proof that a key attestation passed every check: there is no other way to get one.
public struct VerifiedKeyAttestation: Sendable {
    /// The attested key: store it.
    public let key: AttestedAndroidKey
    /// The accepted app that made the key. Apps that share a user ID share its keys: of several, all accepted, the first that was named.
    public let app: AndroidApp
    /// All that the device said of the key and of itself. Only ``KeyDescription/hardwareEnforced`` is the hardware's word.
    public let description: KeyDescription
    /// What Google's server said of the device; `nil` of a key from the factory.
    public let provisioningInformation: ProvisioningInformation?
}

/// The proof that an attested key signed these bytes, which hold the challenge: there is no other way to get one.
///
/// There is no counter: that the challenge was issued once, and is accepted once, is all that stands against a replay.
public struct VerifiedKeySignature: Sendable {
    /// The key that signed.
    public let key: AttestedAndroidKey
    /// The bytes that were signed. Read the request from these and not from another copy.
    public let clientData: ArraySlice<UInt8>
}
