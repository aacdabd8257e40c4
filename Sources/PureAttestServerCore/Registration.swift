public import PureAttest

/// The proof that a key is attested, answered this server's challenge, and is in the store.
///
/// App Attest gives a `Registration<VerifiedAttestation>`, Android a `Registration<VerifiedKeyAttestation>`.
public struct Registration<Attestation: Sendable>: Sendable {
    /// The stored record. If the same key was registered before, its record stays unchanged, including the counter.
    public let record: KeyRecord
    /// Whether this registration stored the key.
    public let isNew: Bool
    /// The content of the attestation.
    public let attestation: Attestation
    /// When the attestation was verified.
    public let time: UnixTime
    /// The app that ran, if the attestation reports it.
    let launch: LaunchInformation?
}
