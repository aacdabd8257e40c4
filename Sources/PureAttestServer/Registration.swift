public import PureAttest

/// The proof that a key is attested, answered this server's challenge, and is in the store.
public struct Registration: Sendable {
    /// The stored record. That of an earlier registration of the same key stays as it was, counter included.
    public let record: KeyRecord
    /// Whether the key was not registered before.
    public let isNew: Bool
    /// What the attestation says.
    public let attestation: VerifiedAttestation
    /// When it was verified.
    public let time: UnixTime
}
