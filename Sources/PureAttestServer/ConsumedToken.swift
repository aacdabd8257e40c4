public import PureAttest

/// The identifier of a single-use value that the store remembers as consumed, and until when: a challenge, a session token that was used
/// once or ended, or a key that was revoked while the store had no record of it.
///
/// They share one table. Their identifiers differ in length, so that none is taken for another: a session token's has 16 bytes,
/// a challenge's 17, a key's 32.
public struct ConsumedToken: Hashable, Sendable {
    /// The identifier.
    public let id: [UInt8]
    /// From then on, and not a second earlier, the store may forget it.
    public let until: UnixTime

    /// A token that a store remembers as consumed.
    public init(id: [UInt8], until: UnixTime) {
        self.id = id
        self.until = until
    }

    /// A challenge, by its random bytes, for as long as any process may take it for unexpired.
    init(challenge random: ArraySlice<UInt8>, expiresAt: UnixTime) {
        self.init(
            id: [UInt8(ascii: "C")] + random, until: expiresAt.advanced(by: RelyingPartyConfiguration.clockMargin))
    }
}
