@_exported public import struct PureDER.UnixTime
package import PureX509

/// A verifier for the attestations of new keys and for the assertions that attested keys sign.
///
/// A verifier has no mutable state, so tasks can share it. Create one verifier for each set of policies. A verifier
/// trusts only Apple's embedded roots: App Attestation Root CA for attestations, and Apple Root CA - G3 for receipts. A
/// verifier stores nothing, so the server must store challenges and keys.
public struct AppAttestVerifier: Sendable {
    @usableFromInline
    package let assertionVerifier: AssertionVerifier
    /// The maximum error of the server's clock, in seconds. It applies to the validity of attestation chains, to the
    /// age limits of attestations and receipts, and to the expiration of receipts.
    let clockSkew: UInt32
    private(set) var chainVerifier = AppleRoots.attestationVerifier
    private(set) var receiptChainVerifier = FixedChainVerifier(trustAnchors: [AppleRootCAG3.trustAnchor])
    private(set) var authority = VerificationReport.Authority.apple

    /// The accepted apps.
    public var apps: [AppID] { assertionVerifier.apps }
    /// The accepted apps, each with its policies.
    var acceptedApps: [AcceptedApp] { assertionVerifier.acceptedApps }
    /// The accepted environment. A production server must not accept keys of development builds.
    public var environment: Environment { assertionVerifier.environment }

    /// Creates a verifier that trusts Apple and applies the same policies to all apps.
    ///
    /// - Parameters:
    ///   - apps: the accepted apps. If the list is empty, the verifier rejects every object.
    ///   - environment: the only environment whose keys are accepted.
    ///   - launchPolicy: the accepted distribution channels and builds of the app.
    ///   - systemPolicy: the accepted operating systems.
    ///   - agePolicy: the limits on the ages of attestations and keys, and on increases of the counter.
    ///   - counterPolicy: the accepted counter values of assertions.
    ///   - clockSkew: the maximum error of the server's clock, in seconds. An attestation's chain is valid if its
    ///     certificates are all valid at one moment that is at most `clockSkew` away from the given time. Apple
    ///     backdates leaf certificates by a day, so 0 suffices for a roughly correct clock.
    public init(
        apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy, systemPolicy: SystemPolicy = .any,
        agePolicy: AgePolicy = .unlimited, counterPolicy: CounterPolicy = .strict, clockSkew: UInt32 = 0
    ) {
        assertionVerifier = AssertionVerifier(
            apps: apps, environment: environment, launchPolicy: launchPolicy, systemPolicy: systemPolicy,
            agePolicy: agePolicy, counterPolicy: counterPolicy)
        self.clockSkew = clockSkew
    }

    /// Creates a verifier that trusts Apple and applies each app's own policies.
    ///
    /// The other parameters have the same meaning as in
    /// ``init(apps:environment:launchPolicy:systemPolicy:agePolicy:counterPolicy:clockSkew:)``.
    public init(
        acceptedApps: [AcceptedApp], environment: Environment, counterPolicy: CounterPolicy = .strict,
        clockSkew: UInt32 = 0
    ) {
        assertionVerifier = AssertionVerifier(
            acceptedApps: acceptedApps, environment: environment, counterPolicy: counterPolicy)
        self.clockSkew = clockSkew
    }

    /// Returns a copy of the verifier that trusts these trust anchors instead of Apple's roots. Outside the package,
    /// only the testing module offers this method, so a server cannot call it by mistake.
    package func trusting(
        testAnchors: [TrustAnchor], testReceiptAnchors: [TrustAnchor] = []
    ) -> AppAttestVerifier {
        var verifier = self
        verifier.chainVerifier = FixedChainVerifier(trustAnchors: testAnchors)
        verifier.receiptChainVerifier = FixedChainVerifier(trustAnchors: testReceiptAnchors)
        verifier.authority = .test
        return verifier
    }

    /// Returns a copy of this verifier that verifies chains under these intermediate certificates faster.
    ///
    /// For a chain under a prepared intermediate, the verifier checks only the leaf's signature, and uses a precomputed
    /// table of the intermediate's key. This method checks once that a trusted root issued each intermediate. Later
    /// verifications of chains still check the intermediate's validity period.
    ///
    /// Apple App Attestation CA 1, which issued all leaves so far, is always prepared. Call this method for new
    /// intermediates.
    ///
    /// - Parameter intermediates: the certificates, encoded in DER.
    /// - Throws: the error for the first certificate that is not an intermediate certificate of a trusted root.
    public func preparing(_ intermediates: [some Collection<UInt8>]) throws(PureAttestError) -> AppAttestVerifier {
        var verifier = self
        for intermediate in intermediates {
            do {
                let certificate = try Certificate(derEncoded: ArraySlice(intermediate))
                verifier.chainVerifier = try verifier.chainVerifier.preparing(certificate)
            } catch { throw .certificate(error) }
        }
        return verifier
    }
}
