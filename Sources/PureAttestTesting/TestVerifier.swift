public import PureAttest
import PureX509

extension AppAttestVerifier {
    /// Creates a verifier that trusts the devices of a test authority, and does **not** trust Apple.
    ///
    /// Only targets that link PureAttestTesting can call this function, so a production server cannot trust test
    /// devices. The other parameters have the same meaning as in
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

    /// Returns a copy of this verifier that trusts the devices of a test authority, and does **not** trust Apple.
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
