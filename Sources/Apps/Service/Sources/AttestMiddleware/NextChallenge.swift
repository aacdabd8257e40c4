public import HTTPTypes
public import PureAttest
public import PureAttestServer
import PureBytes

extension HTTPField.Name {
    /// In a signed request, its challenge; in a response, the challenge for the key's next assertion, in standard
    /// Base64.
    public static let attestChallenge = Self("Attest-Challenge")!
}

extension RelyingParty {
    /// Returns the header with the challenge for a key's next assertion, which saves the device a request (like DPoP
    /// nonces, RFC 9449 §8.2).
    ///
    /// Call it only for a key just proven by a registration, an authentication or a session. It writes nothing and
    /// counts against no limit.
    ///
    /// - Parameters:
    ///   - keyID: the key.
    ///   - account: the account of the next
    ///     ``PureAttestServer/RelyingParty/authenticate(assertion:keyID:challenge:signed:account:clientAddress:at:)``.
    ///     This module's middleware passes none.
    ///   - time: now.
    public func nextChallenge(
        for keyID: [UInt8], account: AccountID? = nil, at time: UnixTime
    ) -> HTTPFields {
        // Throws only for lengths that the relying party's keys cannot have.
        guard let challenge = try? issueChallenge(purpose: .assertion, keyID: keyID, account: account, at: time) else {
            return [:]
        }
        return [.attestChallenge: base64EncodedString(challenge.value)]
    }
}
