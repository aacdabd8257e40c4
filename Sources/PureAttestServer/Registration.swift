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

/// The proof that a registered key signed this server's challenge, once, and that its counter is advanced in the store.
public struct Authentication: Sendable {
    /// The key's record, with the advanced key.
    public let record: KeyRecord
    /// What the assertion says. Where the client chose the signed bytes (`SignedContent.clientData(_:challengeBy:)`), read the request
    /// from its `VerifiedAssertion.clientData`.
    public let assertion: VerifiedAssertion
    /// When it was verified.
    public let time: UnixTime
}

/// A session token and its end.
public struct IssuedSession: Hashable, Sendable {
    /// The token: ASCII, for a header `Authorization: Bearer …` (RFC 6750 §2.1).
    public let token: [UInt8]
    /// The token as text.
    public var text: String { String(decoding: token, as: UTF8.self) }
    /// The first second in which the token is refused.
    public let expiresAt: UnixTime
}
