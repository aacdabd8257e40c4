public import PureAttest

/// A fresh value that a device signs once. The challenge in the signed bytes proves that the signature is recent and
/// for this server. The server stores nothing until the answer arrives. A message authentication code (MAC) binds the
/// value to the purpose, the recipient and the expiry. The client holds the only copy and sends it back with its
/// answer.
public struct Challenge: Hashable, Sendable {
    /// The permitted use of a challenge, on either platform. A challenge for assertions cannot attest a key.
    public enum Purpose: UInt8, Hashable, Sendable, CaseIterable {
        /// To attest a new key.
        case attestation = 1
        /// To sign with an attested key.
        case assertion = 2
    }

    /// The bytes that the client sends back and hashes. The client must hash these bytes directly, not a text form such
    /// as Base64. 16 of the bytes are random (Apple asks for at least 16). The other bytes encode the challenge's
    /// properties and a MAC.
    public let value: [UInt8]
    /// The identifier of the only permitted key, 32 bytes. An Android key does not exist yet when its attestation
    /// challenge is issued, so the challenge contains a handle instead.
    let keyID: [UInt8]
    /// The only permitted account; `nil` if the device uses the app without an account.
    let account: AccountID?
    /// The first second in which the challenge is rejected.
    public let expiresAt: UnixTime
}
