public import HTTPTypes
public import PureAttest
public import PureAttestServer
import PureBytes

extension HTTPField.Name {
    /// The header that contains a challenge in standard Base64. A signed request sends its own challenge. A response
    /// carries the challenge for the key's next assertion.
    public static let attestChallenge = Self("Attest-Challenge")!
}

extension RelyingParty {
    /// Returns the header with the challenge for a key's next assertion, which saves the device a request (like DPoP
    /// nonces, RFC 9449 §8.2).
    ///
    /// Call this function only for a key that a registration, an authentication or a session has just proven. The call
    /// writes nothing and counts against no limit.
    ///
    /// - Parameters:
    ///   - keyID: the key.
    ///   - account: the account that the client will pass to the next
    ///     ``PureAttestServer/RelyingParty/authenticate(assertion:keyID:challenge:signed:account:clientAddress:at:)``.
    ///     This module's middleware passes no account.
    ///   - time: now.
    public func nextChallenge(
        for keyID: [UInt8], account: AccountID? = nil, at time: UnixTime
    ) -> HTTPFields {
        // `issueChallenge` throws only for key identifiers of a length that the relying party's keys cannot have.
        guard let challenge = try? issueChallenge(purpose: .assertion, keyID: keyID, account: account, at: time) else {
            return [:]
        }
        return [.attestChallenge: base64EncodedString(challenge.value)]
    }
}
