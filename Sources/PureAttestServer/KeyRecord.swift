public import PureAttest

/// What a server keeps of a key.
public struct KeyRecord: Hashable, Sendable {
    /// The key with its app, environment and counter.
    public let key: AttestedKey
    /// Whose device made it; a key stays with its account.
    public let account: AccountID?
    /// The receipt as it came with the attestation. Nothing of it is proved.
    public let unverifiedReceipt: [UInt8]
    /// When it was registered.
    public let registeredAt: UnixTime
    /// When it was revoked. A revoked key stays in the store, so that it can't be registered again.
    public let revokedAt: UnixTime?

    /// A record as a store kept it. ``RelyingParty/register(attestation:keyID:challengeID:account:at:)`` makes new ones.
    public init(
        key: AttestedKey, account: AccountID?, unverifiedReceipt: [UInt8], registeredAt: UnixTime, revokedAt: UnixTime?
    ) {
        self.key = key
        self.account = account
        self.unverifiedReceipt = unverifiedReceipt
        self.registeredAt = registeredAt
        self.revokedAt = revokedAt
    }
}
