public import HTTPTypes
public import PureAttest
public import PureAttestServer
import PureBytes

extension HTTPField.Name {
    /// In a request that is signed itself, what it answers; in a response, the challenge for the key's next assertion, in standard Base64.
    public static let attestChallenge = Self("Attest-Challenge")!
}

extension RelyingParty {
    /// The header that hands a device the challenge for its next assertion, so that this needs no request before it; as DPoP does with
    /// nonces (RFC 9449 §8.2).
    ///
    /// For a key that has just shown itself: by a registration, an authentication or a session. Nothing is written, and no limit counts it.
    ///
    /// - Parameters:
    ///   - keyID: the key.
    ///   - account: what the next ``PureAttestServer/RelyingParty/authenticate(assertion:keyID:challenge:signed:account:clientAddress:at:)`` is
    ///     given. The middleware here gives none.
    ///   - time: now.
    public func nextChallenge(
        for keyID: [UInt8], account: AccountID? = nil, at time: UnixTime
    ) -> HTTPFields {
        // Refused are only lengths that no key of the relying party has.
        guard let challenge = try? issueChallenge(purpose: .assertion, keyID: keyID, account: account, at: time) else {
            return [:]
        }
        return [.attestChallenge: base64EncodedString(challenge.value)]
    }
}
