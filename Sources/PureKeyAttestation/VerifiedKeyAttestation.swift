/// The proof that a key attestation passed every check. Only the verifier creates it.
public struct VerifiedKeyAttestation: Sendable {
    /// The attested key, to store.
    public let key: AttestedAndroidKey
    /// The accepted app that made the key. If several apps share a user ID and the key, all are accepted, and this is
    /// the first app in the attestation.
    public let app: AndroidApp
    /// The device's full description of the key and of itself. The hardware wrote only
    /// ``KeyDescription/hardwareEnforced``.
    public let description: KeyDescription
    /// The provisioning server's statement about the device, or `nil` for factory keys.
    public let provisioningInformation: ProvisioningInformation?
}

/// The proof that an attested key signed these bytes, which contain the challenge. Only the verifier creates it.
///
/// The signature has no counter. To prevent replay, the server must issue each challenge once and consume it once.
public struct VerifiedKeySignature: Sendable {
    /// The key that signed.
    public let key: AttestedAndroidKey
    /// The signed bytes. Read the request from these bytes, not from another copy.
    public let clientData: ArraySlice<UInt8>
}
