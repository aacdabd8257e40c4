public import PureAttest
import PureKeyAttestation

/// The proof that a registered key signed this server's challenge. The challenge is consumed.
///
/// App Attest gives an `Authentication<VerifiedAssertion>`, Android an `Authentication<VerifiedKeySignature>`.
///
/// An Android key has no counter, so only the consumed challenge prevents a replay. If the hardware leaked a copy of
/// the key, the server would not detect the copy's use.
public struct Authentication<Signature: Sendable>: Sendable {
    /// The key's record, with the time of this use. An App Attest key has the advanced counter.
    public let record: KeyRecord
    /// The verified signature. If the client chose the signed bytes (`SignedContent.clientData(_:challengeBy:)`), read
    /// the request from its `clientData`.
    public let signature: Signature
    /// When the signature was verified.
    public let time: UnixTime
    /// The app that ran, if the signature reports it.
    let launch: LaunchInformation?
}

extension Authentication where Signature == VerifiedAssertion {
    /// The verified assertion: ``signature`` by App Attest's name.
    public var assertion: VerifiedAssertion { signature }
}
