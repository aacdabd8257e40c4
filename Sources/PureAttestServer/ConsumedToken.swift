public import PureAttest

/// What is used once, and until when that has to be remembered: a challenge, a token that is used or ended, a key that was revoked
/// before the store had it.
///
/// They share one table of the store. Their identifiers differ in length, so that none is taken for another: a token's has 16 bytes,
/// a challenge's 17, a key's 32.
public struct Spending: Hashable, Sendable {
    /// Names what is spent.
    public let id: [UInt8]
    /// From then on, and not a second earlier, the store may forget it.
    public let until: UnixTime

    /// What a store is told to remember.
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
