/// A key attestation that passed every check. Only the verifier can create an instance.
public struct VerifiedKeyAttestation: Sendable {
    /// The attested key, which the server stores.
    public let key: AttestedAndroidKey
    /// The accepted app that generated the key. If several apps share the user ID and the key, all of them are
    /// accepted. The property is then the first app in the attestation.
    public let app: AndroidApp
    /// The key description: all statements of the device. Only ``KeyDescription/hardwareEnforced`` is from the
    /// hardware.
    public let description: KeyDescription
    /// The information from the provisioning server, or `nil` if the attestation certificate does not contain it, as in
    /// factory chains.
    public let provisioningInformation: ProvisioningInformation?
}

/// A valid signature by an attested key over bytes that contain the challenge. Only the verifier creates instances.
///
/// Signatures contain no counter. To prevent replay, the server must issue and consume each challenge only once.
public struct VerifiedKeySignature: Sendable {
    /// The key that signed.
    public let key: AttestedAndroidKey
    /// The signed bytes. Read the request from these bytes, not from a different copy of the request.
    public let clientData: ArraySlice<UInt8>
}
