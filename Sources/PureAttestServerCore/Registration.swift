import PureAttest

/// Proof that a key was attested for this server's challenge and is in the store.
///
/// For App Attest the type is `Registration<VerifiedAttestation>`; for Android it is
/// `Registration<VerifiedKeyAttestation>`.
public struct Registration<Attestation: Sendable>: Sendable {
    /// The stored record. If the same key was registered before, its record stays unchanged, including the counter.
    public let record: KeyRecord
    /// Whether this registration stored the key.
    public let isNew: Bool
    /// The content of the attestation.
    public let attestation: Attestation
    /// When the attestation was verified.
    let time: UnixTime
    let launch: LaunchInformation?
}
