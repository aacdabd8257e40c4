public import PureAttest

/// A value that a device signs once: what makes an attestation or an assertion an answer to this server, now.
///
/// The server keeps nothing of it until it is answered: the value says itself, under a message authentication code, that it was
/// issued here, for what, for whom and until when. The client sends it back beside its answer, and that is the only copy.
public struct Challenge: Hashable, Sendable {
    /// What a challenge may be used for, on either platform. One that was issued for assertions can't attest a key.
    public enum Purpose: UInt8, Hashable, Sendable, CaseIterable {
        /// To attest a new key.
        case attestation = 1
        /// To sign with an attested one.
        case assertion = 2
    }

    /// The length of ``value`` in bytes; of the 128 that Android takes.
    public static var valueByteCount: Int { ChallengeFormat.byteCount }

    /// What the client hashes, as it is and not as text, and sends back: 16 bytes of it are random (Apple asks for at least 16),
    /// the others say what it is for.
    public let value: [UInt8]
    /// The only use.
    public let purpose: Purpose
    /// The only key, by its identifier of 32 bytes; to attest an Android key, which does not exist yet, the only handle.
    public let keyID: [UInt8]
    /// The only account, or none where devices use the app without one.
    public let account: AccountID?
    /// When it was made.
    public let issuedAt: UnixTime
    /// The first second in which it is refused.
    public let expiresAt: UnixTime
}
