public import PureAttest
import PureKeyAttestation

/// The proof that a registered key signed this server's challenge, which is consumed: of App Attest an
/// `Authentication<VerifiedAssertion>`, of an Android device an `Authentication<VerifiedKeySignature>`.
///
/// An Android key has no counter, so that only the consumed challenge prevents a replay: a second holder of the key, if the hardware let
/// one exist, would not be seen.
public struct Authentication<Signature: Sendable>: Sendable {
    /// The key's record, with the time of this use and, of App Attest, the advanced counter.
    public let record: KeyRecord
    /// What was signed. If the client chose the signed bytes (`SignedContent.clientData(_:challengeBy:)`), read the request from its
    /// `clientData`.
    public let signature: Signature
    /// When it was verified.
    public let time: UnixTime
    /// Which app ran, if the signature says it.
    let launch: LaunchInformation?
}

extension Authentication where Signature == VerifiedAssertion {
    /// What the assertion says: ``signature`` by App Attest's name.
    public var assertion: VerifiedAssertion { signature }
}
