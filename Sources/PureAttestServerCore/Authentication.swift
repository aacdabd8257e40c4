import PureAttest

/// Proof that a registered key signed this server's challenge. The challenge is consumed.
///
/// For App Attest the type is `Authentication<VerifiedAssertion>`; for Android it is
/// `Authentication<VerifiedKeySignature>`. An Android key has no counter, so only the consumed challenge prevents a
/// replay. If the hardware leaked the key, the server would not detect the use of a copy.
public struct Authentication<Signature: Sendable>: Sendable {
    /// The key's record, with the time of this use and, for an App Attest key, the advanced counter.
    public let record: KeyRecord
    /// The verified signature. If the client chose the signed bytes (`SignedContent.clientData(_:challengeBy:)`), read
    /// the request from the signature's `clientData`.
    public let signature: Signature
    /// When the signature was verified.
    let time: UnixTime
    let launch: LaunchInformation?
}
