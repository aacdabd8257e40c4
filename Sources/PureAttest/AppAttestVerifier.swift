@_exported public import struct PureDER.UnixTime
package import PureX509

/// A verifier for attestations of new keys and assertions signed by those keys.
///
/// A verifier has no mutable state, so tasks can share it. Create one verifier per policy. It trusts only Apple's
/// roots, which are embedded: App Attestation Root CA for attestations and Apple Root CA - G3 for receipts. The server
/// stores challenges and keys; a verifier stores nothing.
public struct AppAttestVerifier: Sendable {
    @usableFromInline
    package let assertionVerifier: AssertionVerifier
    /// How many seconds the server's clock may be off: for dates of attestation chains, attestation ages and receipt
    /// ages.
    public let clockSkew: UInt32
    let chainVerifier: FixedChainVerifier
    let receiptChainVerifier: FixedChainVerifier
    let authority: VerificationReport.Authority

    /// The accepted apps.
    public var apps: [AppID] { assertionVerifier.apps }
    /// The accepted apps, each with its policies.
    public var acceptedApps: [AcceptedApp] { assertionVerifier.acceptedApps }
    /// The accepted environment. A production server must not accept keys of development builds.
    public var environment: Environment { assertionVerifier.environment }
    /// The policy for the counter values of assertions.
    public var counterPolicy: CounterPolicy { assertionVerifier.counterPolicy }

    /// Creates a verifier that trusts Apple, with one policy for all apps.
    ///
    /// - Parameters:
    ///   - apps: the accepted apps. An empty list rejects everything.
    ///   - environment: the only environment whose keys are accepted.
    ///   - launchPolicy: which distribution channels and builds of the app are accepted.
    ///   - systemPolicy: which operating systems are accepted.
    ///   - agePolicy: how old an attestation, or the key of an assertion, may be.
    ///   - counterPolicy: which counter values are accepted in assertions.
    ///   - clockSkew: how many seconds the server's clock may be off. An attestation's chain is valid if all its
    ///     certificates are valid at one moment within that many seconds of the given time. Apple backdates leaf
    ///     certificates by a day, so 0 suits a roughly correct clock.
    public init(
        apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy, systemPolicy: SystemPolicy = .any,
        agePolicy: AgePolicy = .unlimited, counterPolicy: CounterPolicy = .strict, clockSkew: UInt32 = 0
    ) {
        self.init(
            acceptedApps: apps.map {
                AcceptedApp($0, launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: agePolicy)
            }, environment: environment, counterPolicy: counterPolicy, clockSkew: clockSkew)
    }

    /// Creates a verifier that trusts Apple, with policies per app.
    ///
    /// Otherwise like ``init(apps:environment:launchPolicy:systemPolicy:agePolicy:counterPolicy:clockSkew:)``.
    public init(
        acceptedApps: [AcceptedApp], environment: Environment, counterPolicy: CounterPolicy = .strict,
        clockSkew: UInt32 = 0
    ) {
        self.init(
            assertionVerifier: AssertionVerifier(
                acceptedApps: acceptedApps, environment: environment, counterPolicy: counterPolicy),
            clockSkew: clockSkew, chainVerifier: AppleRoots.attestationVerifier,
            receiptChainVerifier: FixedChainVerifier(trustAnchors: [AppleRoots.receipts]), authority: .apple)
    }

    /// Creates a verifier that trusts these anchors instead of Apple's.
    package init(
        apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy,
        counterPolicy: CounterPolicy = .strict, clockSkew: UInt32 = 0, testAnchors: [TrustAnchor],
        testReceiptAnchors: [TrustAnchor] = []
    ) {
        self = AppAttestVerifier(
            apps: apps, environment: environment, launchPolicy: launchPolicy, counterPolicy: counterPolicy,
            clockSkew: clockSkew
        ).trusting(testAnchors: testAnchors, testReceiptAnchors: testReceiptAnchors)
    }

    /// Returns the same verifier with these anchors instead of Apple's. Outside the package, only the testing module
    /// offers this method, so that no server uses it by mistake.
    package func trusting(
        testAnchors: [TrustAnchor], testReceiptAnchors: [TrustAnchor] = []
    ) -> AppAttestVerifier {
        AppAttestVerifier(
            assertionVerifier: assertionVerifier, clockSkew: clockSkew,
            chainVerifier: FixedChainVerifier(trustAnchors: testAnchors),
            receiptChainVerifier: FixedChainVerifier(trustAnchors: testReceiptAnchors), authority: .test)
    }

    private init(
        assertionVerifier: AssertionVerifier, clockSkew: UInt32, chainVerifier: FixedChainVerifier,
        receiptChainVerifier: FixedChainVerifier, authority: VerificationReport.Authority
    ) {
        self.assertionVerifier = assertionVerifier
        self.clockSkew = clockSkew
        self.chainVerifier = chainVerifier
        self.receiptChainVerifier = receiptChainVerifier
        self.authority = authority
    }

    /// Returns a verifier with these intermediate certificates prepared, so that chains under them are verified faster.
    ///
    /// A chain under a prepared intermediate needs only one signature verification, with a precomputed table. This
    /// method verifies that a trusted root issued each certificate. Later verifications still check the dates.
    ///
    /// Apple App Attestation CA 1 issued all leaves so far and is always prepared. Call this method for its successor.
    ///
    /// - Parameter intermediates: encoded certificates (DER).
    /// - Throws: the error of the first certificate that is not an intermediate certificate of a trusted root.
    public func preparing(_ intermediates: [some Collection<UInt8>]) throws(PureAttestError) -> AppAttestVerifier {
        var chainVerifier = chainVerifier
        for intermediate in intermediates {
            do {
                chainVerifier = try chainVerifier.preparing(Certificate(derEncoded: ArraySlice(intermediate)))
            } catch { throw .certificate(error) }
        }
        return AppAttestVerifier(
            assertionVerifier: assertionVerifier, clockSkew: clockSkew, chainVerifier: chainVerifier,
            receiptChainVerifier: receiptChainVerifier, authority: authority)
    }
}
