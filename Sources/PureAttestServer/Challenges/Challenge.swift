public import PureAttest

/// A value that a device signs once, so that its attestation or assertion answers this server, now.
///
/// The server stores nothing before the answer. The value contains its purpose, recipient and expiry under a message
/// authentication code. The client sends it back beside its answer, and that is the only copy.
public struct Challenge: Hashable, Sendable {
    /// The permitted use of a challenge, on either platform. A challenge for assertions cannot attest a key.
    public enum Purpose: UInt8, Hashable, Sendable, CaseIterable {
        /// To attest a new key.
        case attestation = 1
        /// To sign with an attested key.
        case assertion = 2
    }

    /// The length of ``value`` in bytes. Android accepts at most 128.
    public static var valueByteCount: Int { ChallengeFormat.byteCount }

    /// The bytes that the client hashes, as they are and not as text, and sends back. 16 of them are random (Apple asks
    /// for at least 16); the others encode the purpose.
    public let value: [UInt8]
    /// The only permitted use.
    public let purpose: Purpose
    /// The only permitted key, by its identifier, 32 bytes. For an Android key to be attested, which does not exist
    /// yet, the handle.
    public let keyID: [UInt8]
    /// The only permitted account; `nil` if the device uses the app without one.
    public let account: AccountID?
    /// When the challenge was issued.
    public let issuedAt: UnixTime
    /// The first second in which the challenge is rejected.
    public let expiresAt: UnixTime
}
