/// Verifies assertions of stored keys, and nothing else: the part of an ``AppAttestVerifier`` that needs no certificates.
///
/// A program that only meets assertions (an edge worker behind the server that registers keys, a small device) links
/// no reader of certificates, no P-384 and none of Apple's certificates when it uses this. Everyone else makes an
/// ``AppAttestVerifier``, whose assertions pass through here.
///
/// A value without hidden state, as that one.
public struct AssertionVerifier: Sendable {
    /// The accepted apps.
    public let apps: [AppID]
    /// The environment that keys must have been attested in.
    public let environment: Environment
    /// The launch information that is accepted.
    public let launchPolicy: LaunchPolicy
    /// The counter values that are accepted.
    public let counterPolicy: CounterPolicy

    /// A verifier of assertions.
    ///
    /// - Parameter apps: the accepted apps; without any, everything is refused.
    public init(
        apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy, counterPolicy: CounterPolicy = .strict
    ) {
        self.apps = apps
        self.environment = environment
        self.launchPolicy = launchPolicy
        self.counterPolicy = counterPolicy
    }
}
