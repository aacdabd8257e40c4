public import PureAttest

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
