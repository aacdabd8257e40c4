public import PureAttest

/// A key as the server stores it, with its account and receipt.
public struct KeyRecord: Hashable, Sendable {
    /// The key. An App Attest key includes its app, environment and counter.
    public let key: RegisteredKey
    /// The account for which the key was registered. A key's account never changes.
    public let account: AccountID?
    /// The key's last receipt; empty for an Android key. The first receipt comes with the attestation, and
    /// ``RelyingPartyConfiguration/verifiesFirstReceipt`` decides whether it is verified. Every later receipt was
    /// verified before it was stored.
    public let receipt: [UInt8]
    /// When to ask Apple for the next receipt; `nil` if never.
    public let receiptDueAt: UnixTime?
    /// When the key was registered.
    public let registeredAt: UnixTime
    /// When the key's last signature was accepted.
    public let lastUsedAt: UnixTime?
    /// When the key was revoked. A revoked key stays in the store, so that it cannot be registered again.
    public let revokedAt: UnixTime?

    /// Restores a stored record. `RelyingParty.register(attestation:keyID:challenge:account:clientAddress:at:)` and
    /// `RelyingParty.register(keyAttestation:handle:challenge:account:clientAddress:at:)` create new records.
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
    /// Returns the record after a use at `time`, with `key` as the key's next state. An App Attest key's next state has
    /// the advanced counter; an Android key stays unchanged.
    public func used(at time: UnixTime, as key: RegisteredKey) -> KeyRecord {
        KeyRecord(
            key: key, account: account, receipt: receipt, receiptDueAt: receiptDueAt, registeredAt: registeredAt,
            lastUsedAt: time, revokedAt: revokedAt)
    }

    /// Returns the record with the key revoked at `time`.
    public func revoked(at time: UnixTime) -> KeyRecord {
        KeyRecord(
            key: key, account: account, receipt: receipt, receiptDueAt: receiptDueAt, registeredAt: registeredAt,
            lastUsedAt: lastUsedAt, revokedAt: time)
    }

    /// Returns the record with a new receipt, and with the time when the receipt is due.
    public func replacingReceipt(with receipt: [UInt8], dueAt: UnixTime?) -> KeyRecord {
        KeyRecord(
            key: key, account: account, receipt: receipt, receiptDueAt: dueAt, registeredAt: registeredAt,
            lastUsedAt: lastUsedAt, revokedAt: revokedAt)
    }
}
