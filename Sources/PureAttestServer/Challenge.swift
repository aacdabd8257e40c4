public import PureAttest

/// A random value that a device signs once: what makes an attestation or an assertion an answer to this server, now.
public struct Challenge: Hashable, Sendable {
    /// What a challenge may be used for. One that was issued for assertions can't attest a key.
    public enum Purpose: UInt8, Hashable, Sendable, CaseIterable {
        /// To attest a new key.
        case attestation = 1
        /// To sign with an attested one.
        case assertion = 2
    }

    /// The length of ``id`` in bytes.
    public static let idByteCount = 16
    /// The length of ``value`` in bytes: Apple asks for at least 16.
    public static let valueByteCount = 32

    /// Names the challenge in the client's answer; 16 random bytes.
    public let id: [UInt8]
    /// What the client hashes: 32 random bytes, as they are and not as text.
    public let value: [UInt8]
    /// The only use.
    public let purpose: Purpose
    /// The only key, by its identifier of 32 bytes.
    public let keyID: [UInt8]
    /// The only account, or none where devices use the app without one.
    public let account: AccountID?
    /// When it was made.
    public let issuedAt: UnixTime
    /// The first second in which it is refused.
    public let expiresAt: UnixTime

    /// A challenge as a store kept it. ``RelyingParty/issueChallenge(purpose:keyID:account:at:)`` makes new ones.
    public init(
        id: [UInt8], value: [UInt8], purpose: Purpose, keyID: [UInt8], account: AccountID?, issuedAt: UnixTime,
        expiresAt: UnixTime
    ) {
        self.id = id
        self.value = value
        self.purpose = purpose
        self.keyID = keyID
        self.account = account
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
