public import PureAttest

/// What a server keeps of a key.
public struct KeyRecord: Hashable, Sendable {
    /// The key: with its app, environment and counter, if it is of App Attest.
    public let key: RegisteredKey
    /// Whose device made it; a key stays with its account.
    public let account: AccountID?
    /// The key's last receipt: as it came with the attestation, where nothing of it is proved, or a later one, which was verified
    /// before it was stored. An Android key has none: no bytes.
    public let receipt: [UInt8]
    /// When to ask Apple for the next receipt; `nil`: not any more.
    public let receiptDueAt: UnixTime?
    /// When it was registered.
    public let registeredAt: UnixTime
    /// When its last signature was accepted.
    public let lastUsedAt: UnixTime?
    /// When it was revoked. A revoked key stays in the store, so that it can't be registered again.
    public let revokedAt: UnixTime?

    /// A record as a store kept it. ``RelyingParty/register(attestation:keyID:challenge:account:clientAddress:at:)`` and
    /// ``RelyingParty/register(keyAttestation:handle:challenge:account:clientAddress:at:)`` make new ones.
    public init(
        key: RegisteredKey, account: AccountID?, receipt: [UInt8], receiptDueAt: UnixTime? = nil,
        registeredAt: UnixTime,
        lastUsedAt: UnixTime? = nil, revokedAt: UnixTime? = nil
    ) {
        self.key = key
        self.account = account
        self.receipt = receipt
        self.receiptDueAt = receiptDueAt
        self.registeredAt = registeredAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
    }
}

extension KeyRecord {
    /// The record after a use at `time`, with the key as it is then: of App Attest with the advanced counter, of Android the same.
    public func used(at time: UnixTime, as key: RegisteredKey) -> KeyRecord {
        KeyRecord(
            key: key, account: account, receipt: receipt, receiptDueAt: receiptDueAt, registeredAt: registeredAt,
            lastUsedAt: time, revokedAt: revokedAt)
    }

    /// The record of a key that is revoked from `time` on.
    public func revoked(at time: UnixTime) -> KeyRecord {
        KeyRecord(
            key: key, account: account, receipt: receipt, receiptDueAt: receiptDueAt, registeredAt: registeredAt,
            lastUsedAt: lastUsedAt, revokedAt: time)
    }

    /// The record with another receipt, and when to ask for the next.
    public func replacingReceipt(with receipt: [UInt8], dueAt: UnixTime?) -> KeyRecord {
        KeyRecord(
            key: key, account: account, receipt: receipt, receiptDueAt: dueAt, registeredAt: registeredAt,
            lastUsedAt: lastUsedAt, revokedAt: revokedAt)
    }
}
