public import PureKeyAttestation

/// The rules for the Android keys that a `RelyingParty` accepts in addition to App Attest keys.
public struct AndroidVerification: Sendable {
    /// Verifies chains and signatures.
    public let verifier: KeyAttestationVerifier
    /// Returns Google's list at a time; `nil` if the server has no fresh list.
    let revocationList: @Sendable (UnixTime) -> RevocationStatusList?

    /// Accepts the keys that `verifier` accepts and Google's list does not name.
    ///
    /// - Parameters:
    ///   - verifier: verifies for the accepted apps and the policy.
    ///   - revocationList: returns the list at a time, like `CurrentRevocationList.list(at:)`. While it returns `nil`
    ///     no key can be registered (``Refusal/revocationListMissing``); registered keys can still sign.
    public init(
        verifier: KeyAttestationVerifier, revocationList: @escaping @Sendable (UnixTime) -> RevocationStatusList?
    ) {
        self.verifier = verifier
        self.revocationList = revocationList
    }
}
