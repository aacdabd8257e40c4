@_exported public import struct PureDER.UnixTime
package import PureX509

/// Verifies what devices send: attestations of new keys, and assertions that those keys sign.
///
/// A value without hidden state: share it between tasks, make as many as there are policies. It trusts Apple's App
/// Attestation root, which is part of this library, and nothing else. It keeps no challenges and no keys; the server does.
public struct AppAttestVerifier: Sendable {
    @usableFromInline
    package let assertionVerifier: AssertionVerifier
    /// How wrong the given time may be, in seconds, when certificate dates are checked.
    public let clockSkew: UInt32
    let chainVerifier: AppAttestChainVerifier
    let receiptChainVerifier: AppAttestChainVerifier
    /// Whose roots these two trust.
    let authority: VerificationReport.Authority

    /// The accepted apps.
    public var apps: [AppID] { assertionVerifier.apps }
    /// The accepted apps with the policies for each.
    public var acceptedApps: [AcceptedApp] { assertionVerifier.acceptedApps }
    /// The accepted environment. A production server must not accept keys of development builds.
    public var environment: Environment { assertionVerifier.environment }
    /// The counter values that are accepted in assertions.
    public var counterPolicy: CounterPolicy { assertionVerifier.counterPolicy }

    /// A verifier that trusts Apple, with one policy for all apps.
    ///
    /// - Parameters:
    ///   - apps: the accepted apps; without any, everything is refused.
    ///   - environment: the only one whose keys are accepted.
    ///   - launchPolicy: where the app may come from, and which builds.
    ///   - systemPolicy: on which systems.
    ///   - agePolicy: how old an attestation, or the key of an assertion, may be.
    ///   - counterPolicy: which counter values of assertions.
    ///   - clockSkew: how many seconds the server's clock may be off. A chain is valid if there is a moment within as many
    ///     seconds before or after the given time at which all of it is. Apple dates leaf certificates back by a day, so
    ///     0 is right for a clock that is roughly right.
    public init(
        apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy, systemPolicy: SystemPolicy = .any,
        agePolicy: AgePolicy = .unlimited, counterPolicy: CounterPolicy = .strict, clockSkew: UInt32 = 0
    ) {
        self.init(
            acceptedApps: apps.map {
                AcceptedApp($0, launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: agePolicy)
            }, environment: environment, counterPolicy: counterPolicy, clockSkew: clockSkew)
    }

    /// A verifier that trusts Apple, with policies for each app. Otherwise as
    /// ``init(apps:environment:launchPolicy:systemPolicy:agePolicy:counterPolicy:clockSkew:)``.
    public init(
        acceptedApps: [AcceptedApp], environment: Environment, counterPolicy: CounterPolicy = .strict,
        clockSkew: UInt32 = 0
    ) {
        self.init(
            assertionVerifier: AssertionVerifier(
                acceptedApps: acceptedApps, environment: environment, counterPolicy: counterPolicy),
            clockSkew: clockSkew, chainVerifier: AppleRoots.attestationVerifier,
            receiptChainVerifier: AppAttestChainVerifier(trustAnchors: [AppleRoots.receipts]), authority: .apple)
    }

    /// A verifier that trusts these anchors in place of Apple.
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

    /// The same verifier, which trusts these anchors in place of Apple. Not public: outside the package only the testing module
    /// reaches it, so that no server does by mistake.
    package func trusting(
        testAnchors: [TrustAnchor], testReceiptAnchors: [TrustAnchor] = []
    ) -> AppAttestVerifier {
        AppAttestVerifier(
            assertionVerifier: assertionVerifier, clockSkew: clockSkew,
            chainVerifier: AppAttestChainVerifier(trustAnchors: testAnchors),
            receiptChainVerifier: AppAttestChainVerifier(trustAnchors: testReceiptAnchors), authority: .test)
    }

    private init(
        assertionVerifier: AssertionVerifier, clockSkew: UInt32, chainVerifier: AppAttestChainVerifier,
        receiptChainVerifier: AppAttestChainVerifier, authority: VerificationReport.Authority
    ) {
        self.assertionVerifier = assertionVerifier
        self.clockSkew = clockSkew
        self.chainVerifier = chainVerifier
        self.receiptChainVerifier = receiptChainVerifier
        self.authority = authority
    }

    /// A verifier that does its work for these intermediate certificates beforehand: it checks that a trusted root issued
    /// them and computes a table of each key, so that an attestation with exactly such an intermediate takes one signature
    /// verification, and a fast one. Apple App Attestation CA 1, which issued every attestation seen so far, is prepared in
    /// every verifier; this is for its successor. Their dates are still checked with each attestation.
    ///
    /// - Parameter intermediates: encoded certificates (DER).
    /// - Throws: what is wrong with the first that is not an intermediate certificate of a trusted root.
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
