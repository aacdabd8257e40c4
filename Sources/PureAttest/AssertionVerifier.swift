/// Verifies assertions of stored keys, and nothing else: the part of an ``AppAttestVerifier`` that needs no certificates.
///
/// A program that only meets assertions (an edge worker behind the server that registers keys, a small device) links
/// no reader of certificates, no P-384 and none of Apple's certificates when it uses this. Everyone else makes an
/// ``AppAttestVerifier``, whose assertions pass through here.
///
/// A value without hidden state, as that one.
public struct AssertionVerifier: Sendable {
    /// The accepted apps with the policies for each.
    public let acceptedApps: [AcceptedApp]
    /// The environment that keys must have been attested in.
    public let environment: Environment
    /// The counter values that are accepted.
    public let counterPolicy: CounterPolicy

    /// A verifier of assertions, with one policy for all apps.
    ///
    /// - Parameters:
    ///   - apps: the accepted apps; without any, everything is refused.
    ///   - environment: the only one whose keys are accepted.
    ///   - launchPolicy: where the app may come from, and which builds.
    ///   - systemPolicy: on which systems.
    ///   - agePolicy: how old the key may be.
    ///   - counterPolicy: which counter values.
    public init(
        apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy, systemPolicy: SystemPolicy = .any,
        agePolicy: AgePolicy = .unlimited, counterPolicy: CounterPolicy = .strict
    ) {
        self.init(
            acceptedApps: apps.map {
                AcceptedApp($0, launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: agePolicy)
            }, environment: environment, counterPolicy: counterPolicy)
    }

    /// A verifier of assertions, with policies for each app.
    public init(acceptedApps: [AcceptedApp], environment: Environment, counterPolicy: CounterPolicy = .strict) {
        self.acceptedApps = acceptedApps
        self.environment = environment
        self.counterPolicy = counterPolicy
    }

    /// The accepted apps.
    public var apps: [AppID] { acceptedApps.map { $0.id } }
}
