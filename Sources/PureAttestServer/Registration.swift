public import PureAttest

/// The proof that a key is attested, answered this server's challenge, and is in the store: of App Attest a
/// `Registration<VerifiedAttestation>`, of an Android device a `Registration<VerifiedKeyAttestation>`.
public struct Registration<Attestation: Sendable>: Sendable {
    /// The stored record. That of an earlier registration of the same key stays as it was, counter included.
    public let record: KeyRecord
    /// Whether the key was not registered before.
    public let isNew: Bool
    /// What the attestation says.
    public let attestation: Attestation
    /// When it was verified.
    public let time: UnixTime
    /// Which app ran, if the attestation says it.
    let launch: LaunchInformation?
}
