/// A verifier for assertions that stored keys signed. It is the part of an ``AppAttestVerifier`` that needs no
/// certificates.
///
/// Use this type in a program that only verifies assertions, for example on an edge worker or a small device. Such a
/// program does not link the certificate parser, P-384 or Apple's certificates. ``AppAttestVerifier`` uses this type.
public struct AssertionVerifier: Sendable {
    /// The accepted apps, each with its policies.
    public let acceptedApps: [AcceptedApp]
    /// The environment in which keys must have been attested.
    public let environment: Environment
    /// The policy for counter values.
    public let counterPolicy: CounterPolicy

    /// Creates a verifier for assertions, with one policy for all apps.
    ///
    /// - Parameters:
    ///   - apps: the accepted apps. An empty list rejects everything.
    ///   - environment: the only environment whose keys are accepted.
    ///   - launchPolicy: the accepted distribution channels and builds of the app.
    ///   - systemPolicy: the accepted operating systems.
    ///   - agePolicy: the maximum age of the key, and the limit on counter increases.
    ///   - counterPolicy: the accepted counter values.
    public init(
        apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy, systemPolicy: SystemPolicy = .any,
        agePolicy: AgePolicy = .unlimited, counterPolicy: CounterPolicy = .strict
    ) {
        self.init(
            acceptedApps: apps.map {
                AcceptedApp($0, launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: agePolicy)
            }, environment: environment, counterPolicy: counterPolicy)
    }

    /// Creates a verifier for assertions, with policies per app.
    public init(acceptedApps: [AcceptedApp], environment: Environment, counterPolicy: CounterPolicy = .strict) {
        self.acceptedApps = acceptedApps
        self.environment = environment
        self.counterPolicy = counterPolicy
    }

    /// The accepted apps.
    public var apps: [AppID] { acceptedApps.map { $0.id } }
}
