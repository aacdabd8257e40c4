/// A verifier that checks assertions against stored keys. Each ``AppAttestVerifier`` contains an `AssertionVerifier`
/// for the checks that need no certificates.
///
/// Use this type in a program that only verifies assertions, for example on an edge worker or a small device. Such a
/// program does not link the certificate parser, P-384 or Apple's certificates.
public struct AssertionVerifier: Sendable {
    /// The accepted apps, each with its policies.
    let acceptedApps: [AcceptedApp]
    /// The environment in which keys must have been attested.
    public let environment: Environment
    /// The policy for counter values.
    package let counterPolicy: CounterPolicy

    /// Creates a verifier for assertions that applies the same policies to all apps. The parameters have the same
    /// meaning as in
    /// ``AppAttestVerifier/init(apps:environment:launchPolicy:systemPolicy:agePolicy:counterPolicy:clockSkew:)``.
    /// ``AgePolicy/maximumAttestationAge`` does not apply to assertions.
    public init(
        apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy, systemPolicy: SystemPolicy = .any,
        agePolicy: AgePolicy = .unlimited, counterPolicy: CounterPolicy = .strict
    ) {
        self.init(
            acceptedApps: apps.map {
                AcceptedApp($0, launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: agePolicy)
            }, environment: environment, counterPolicy: counterPolicy)
    }

    /// Creates a verifier for assertions that applies each app's own policies.
    public init(acceptedApps: [AcceptedApp], environment: Environment, counterPolicy: CounterPolicy = .strict) {
        self.acceptedApps = acceptedApps
        self.environment = environment
        self.counterPolicy = counterPolicy
    }

    /// The accepted apps.
    public var apps: [AppID] { acceptedApps.map { $0.id } }
}
