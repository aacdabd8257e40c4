/// The proof that a key attestation passed every check. Only the verifier creates such a value.
public struct VerifiedKeyAttestation: Sendable {
    /// The attested key, to store.
    public let key: AttestedAndroidKey
    /// The accepted app that made the key. Apps that share a user ID share the key. All these apps are accepted, and
    /// this is the first app that the attestation names.
    public let app: AndroidApp
    /// The device's full description of the key and of itself. Only ``KeyDescription/hardwareEnforced`` comes from the
    /// hardware.
    public let description: KeyDescription
    /// The provisioning server's statement about the device, or `nil` for factory keys.
    public let provisioningInformation: ProvisioningInformation?
}

/// The proof that an attested key signed these bytes, which contain the challenge. Only the verifier creates such a
/// value.
///
/// The signature has no counter. Replay is prevented only if the server issues each challenge once and consumes it
/// once.
public struct VerifiedKeySignature: Sendable {
    /// The key that signed.
    public let key: AttestedAndroidKey
    /// The signed bytes. Read the request from these bytes, not from another copy.
    public let clientData: ArraySlice<UInt8>
}
