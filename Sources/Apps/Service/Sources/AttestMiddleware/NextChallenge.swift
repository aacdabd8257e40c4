public import HTTPTypes
public import PureAttest
public import PureAttestServer
import PureBytes

extension HTTPField.Name {
    /// The header that contains a challenge.
    ///
    /// In a signed request, it contains the signed challenge, in Base64 or base64url. In a response, it contains the
    /// challenge for the key's next assertion, in Base64.
    public static let attestChallenge = Self("Attest-Challenge")!
}

extension RelyingParty {
    /// Returns a header with the challenge for a key's next assertion. It saves the device a request (like DPoP nonces,
    /// RFC 9449 §8.2).
    ///
    /// Call this function only if a registration, an authentication or a session has just proven the key. The function
    /// writes nothing, and no limit applies to it.
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
        // `issueChallenge` throws only if a key identifier has a length that the relying party's keys cannot have.
        guard let challenge = try? issueChallenge(purpose: .assertion, keyID: keyID, account: account, at: time) else {
            return [:]
        }
        return [.attestChallenge: base64EncodedString(challenge.value)]
    }
}
