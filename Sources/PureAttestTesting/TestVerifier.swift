public import PureAttest
import PureX509

extension AppAttestVerifier {
    /// A verifier that trusts a test authority's devices, and **not** Apple's: for tests of a server.
    ///
    /// It exists only where PureAttestTesting is imported, so no server that does not link this module can trust test devices.
    /// Everything else is as with
    /// ``/PureAttest/AppAttestVerifier/init(apps:environment:launchPolicy:systemPolicy:agePolicy:counterPolicy:clockSkew:)``.
    public static func trustingTestDevices(
        of authority: TestCertificateAuthority, apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy,
        systemPolicy: SystemPolicy = .any, agePolicy: AgePolicy = .unlimited, counterPolicy: CounterPolicy = .strict,
        clockSkew: UInt32 = 0
    ) -> AppAttestVerifier {
        AppAttestVerifier(
            apps: apps, environment: environment, launchPolicy: launchPolicy, systemPolicy: systemPolicy,
            agePolicy: agePolicy, counterPolicy: counterPolicy, clockSkew: clockSkew
        ).trustingTestDevices(of: authority)
    }

    /// The same verifier, which trusts a test authority's devices, and **not** Apple's.
    public func trustingTestDevices(of authority: TestCertificateAuthority) -> AppAttestVerifier {
        trusting(
            testAnchors: [trustAnchor(authority.attestationRoot)],
            testReceiptAnchors: [trustAnchor(authority.receiptRoot)])
    }
}

func trustAnchor(_ certificate: [UInt8]) -> TrustAnchor {
    do { return try TrustAnchor(Certificate(derEncoded: certificate)) } catch {
        preconditionFailure("a test authority's root is no root: \(error)")
    }
}
