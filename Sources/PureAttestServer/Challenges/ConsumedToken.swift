public import PureAttest

/// The identifier of a single-use value that the store remembers as consumed, with its expiry.
///
/// It names a challenge, a session token that was used once or ended, or a revoked key. All share one table.
/// Identifiers differ in length, so they never collide: a session token's has 16 bytes, a challenge's 17, a key's 32.
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

    /// Creates an entry for a challenge, by its random bytes, for as long as any process may consider it unexpired.
    init(challenge random: ArraySlice<UInt8>, expiresAt: UnixTime) {
        self.init(
            id: [UInt8(ascii: "C")] + random, until: expiresAt.adding(RelyingPartyConfiguration.clockMargin))
    }
}
