public import PureAttest

/// The identifier and the expiry of a single-use value that the store lists as consumed.
///
/// The value is a challenge, a used single-use session token, an ended session token, or a revoked key. Challenges,
/// session tokens and keys share one table. Identifiers of different kinds differ in length, so they never collide: 16
/// bytes for a session token, 17 for a challenge, 32 for a key.
public struct ConsumedToken: Hashable, Sendable {
    /// The identifier.
    public let id: [UInt8]
    /// The first second in which the store may delete the entry.
    public let until: UnixTime

    /// Creates an entry for the store.
    public init(id: [UInt8], until: UnixTime) {
        self.id = id
        self.until = until
    }

    /// The entry lasts as long as any process may accept the challenge.
    init(challenge random: ArraySlice<UInt8>, expiresAt: UnixTime) {
        self.init(
            id: [UInt8(ascii: "C")] + random, until: expiresAt.adding(RelyingPartyConfiguration.clockMargin))
    }

    init(session id: [UInt8], expiresAt: UnixTime) {
        self.init(id: id, until: expiresAt.adding(RelyingPartyConfiguration.clockMargin))
    }
}
