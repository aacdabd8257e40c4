public import PureKeyAttestation

/// The rules for the Android keys that a `RelyingParty` accepts in addition to App Attest keys.
public struct AndroidVerification: Sendable {
    /// Verifies chains and signatures.
    let verifier: KeyAttestationVerifier
    /// Returns Google's revocation list for the given time; `nil` if the server has no fresh list.
    let revocationList: @Sendable (UnixTime) -> RevocationStatusList?

    /// Creates rules that accept a key if `verifier` accepts the key's chain and Google's list revokes no certificate
    /// of the chain.
    ///
    /// `revocationList` returns the list for the given time, like `CurrentRevocationList.list(at:)`. While this closure
    /// returns `nil`, Android devices cannot register keys (``Refusal/revocationListMissing``), but registered keys can
    /// sign.
    public init(
        verifier: KeyAttestationVerifier, revocationList: @escaping @Sendable (UnixTime) -> RevocationStatusList?
    ) {
        self.verifier = verifier
        self.revocationList = revocationList
    }
}
