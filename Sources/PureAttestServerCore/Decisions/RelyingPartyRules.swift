public import PureAttest
import PureKeyAttestation

/// Decides on a relying party's requests, without I/O, clock, locks, tasks or randomness of its own.
///
/// Each method decides on one kind of request, and ``Decision`` describes how a shell runs the decision. The shells are
/// `RelyingParty` of PureAttestServer, and `RelyingParty` in JavaScript, which uses the WebAssembly module. The shell
/// passes the current time and fresh random bytes.
public final class RelyingPartyRules: Sendable {
    /// Verifies attestations, assertions and receipts.
    package let verifier: AppAttestVerifier
    /// The rules for Android keys; `nil` if the relying party accepts no Android keys.
    package let android: AndroidVerification?
    /// The server's settings.
    package let configuration: RelyingPartyConfiguration
    package let sessionKeys: SessionKeys
    package let audience: SessionAudience
    package let challenges: ChallengeFormat
    let decoys: DecoyKeys

    /// Creates the rules of a relying party from the arguments of `RelyingParty.init`.
    public init(
        verifier: AppAttestVerifier, sessionKeys: SessionKeys, configuration: RelyingPartyConfiguration,
        android: AndroidVerification?
    ) {
        self.verifier = verifier
        self.sessionKeys = sessionKeys
        self.configuration = configuration
        self.android = android
        decoys =
            configuration.answerPolicy == .uniform
            ? DecoyKeys(verifier: verifier, android: android?.verifier, multiples: configuration.publicKeyMultiples)
            : DecoyKeys()
        audience = SessionAudience(
            apps: verifier.apps, environment: verifier.environment, android: android?.verifier.apps)
        challenges = ChallengeFormat(keys: sessionKeys, audience: audience)
    }

    /// The number of random bytes to pass for a challenge or a session: 16.
    public static var randomByteCount: Int { ChallengeFormat.randomByteCount }
}
