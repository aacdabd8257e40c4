import DebugSampling
import PureDER
import Testing

@testable import PureKeyAttestation
@testable import PureKeyAttestationTesting

/// A verification and its report must perform the same steps.
///
/// - The verdict's error is the error of the first failed step.
/// - If every step of a report passed, the verification succeeds.
struct OneListTests {
    private struct Comparison {
        private(set) var count = 0
        private(set) var refusals: Set<String> = []
        private var shown = 0

        mutating func compare(
            _ name: String, _ verifier: KeyAttestationVerifier, _ chain: [[UInt8]], challenge: [UInt8],
            at time: UnixTime, _ revocation: RevocationStatusList
        ) {
            count += 1
            let verdict = verifier.rejection(chain, challenge: challenge[...], at: time, revocation: revocation)
            if let verdict { refusals.insert("\(verdict)") }
            let report = verifier.explain(chain: chain, challenge: challenge, at: time, revocation: revocation)
            // The report omits steps that could not run. If it omits a step, a different step must have failed.
            let isComplete = report.results.map(\.step) == KeyAttestationReport.Step.allCases
            let agrees = report.error == verdict && (isComplete || verdict != nil)
            guard !agrees, shown < 5 else { return }
            shown += 1
            Issue.record("\(name): the report differs from \(verdict.map { "\($0)" } ?? "accepted"): \(report.results)")
        }
    }

    /// Returns the given policy, and policies that each reject the description for one reason.
    private static func policies(_ given: KeyAttestationPolicy) -> [KeyAttestationPolicy] {
        let lax = KeyAttestationPolicy(
            minimumSecurityLevel: .software, requiresLockedDevice: false, acceptsAnyBootState: true,
            acceptsImportedKeys: true, maximumPatchAge: nil)
        var provisioning = lax, system = lax, level = lax
        (provisioning.requiresRemoteProvisioning, provisioning.maximumCertificatesIssued) = (true, 1)
        (system.minimumOSVersion, system.minimumPatchLevel, system.maximumPatchAge) = (990_000, 209_901, 0)
        (level.minimumSecurityLevel, level.requiresLockedDevice) = (.strongBox, true)
        let all = KeyAttestationPolicy(
            minimumSecurityLevel: .strongBox, minimumOSVersion: 990_000, minimumPatchLevel: 209_901, maximumPatchAge: 0,
            requiresRemoteProvisioning: true, maximumCertificatesIssued: 1)
        return [given, lax, .standard, provisioning, system, level, all]
    }

    /// Returns lists of the right app and of rejected apps: each list of one app, the empty list, every ordered pair.
    private static func declarations(_ name: [UInt8], _ digests: [[UInt8]]) -> [[AndroidApp]] {
        let right = AndroidApp(packageNameUTF8: name, signingDigests: digests)
        let all = [
            right, AndroidApp(packageNameUTF8: name, signingDigests: [[UInt8](repeating: 1, count: 32)]),
            AndroidApp(packageNameUTF8: name, signingDigests: digests, minimumVersion: 1 << 40),
            AndroidApp(packageNameUTF8: Array("com.example.other".utf8), signingDigests: digests),
        ]
        var lists: [[AndroidApp]] = [[right], []]
        for first in all.indices {
            for second in all.indices where first != second { lists.append([all[first], all[second]]) }
        }
        return lists
    }

    /// Compares verdict and report: every list of apps in the right context, and the right app in every context.
    private static func compareAll(
        _ name: String, _ chain: [[UInt8]], challenge: [UInt8], at time: UnixTime, _ revocation: RevocationStatusList,
        policy: KeyAttestationPolicy, apps: [[AndroidApp]], roots: [ChainRoot], _ comparison: inout Comparison
    ) {
        var contexts: [(KeyAttestationVerifier, chain: [[UInt8]], challenge: [UInt8], time: UnixTime)] = []
        for apps in apps {
            contexts.append((KeyAttestationVerifier(apps: apps, policy: policy, roots: roots), chain, challenge, time))
        }
        for policy in policies(policy) {
            let verifier = KeyAttestationVerifier(apps: apps[0], policy: policy, roots: roots)
            let year: Int64 = 365 * 86_400
            for seconds in [0, -30 * year, 30 * year] {
                let time = UnixTime(secondsSince1970: time.secondsSince1970 + seconds)
                contexts.append((verifier, chain, challenge, time))
            }
            contexts += [(verifier, chain, [1], time), (verifier, chain, [], time)]
        }
        let verifier = KeyAttestationVerifier(apps: [], policy: policies(policy)[6], roots: roots)
        for chain in [chain.dropLast(2), chain + chain, chain.reversed()] as [[[UInt8]]] {
            contexts.append((verifier, chain, challenge, time))
        }
        #expect(contexts.count == 52)
        // In a debug build, the number of earlier comparisons selects the first context.
        for (verifier, chain, challenge, time) in debugSample(
            contexts, every: 5, from: comparison.count, of: "contexts of a chain")
        {
            comparison.compare(name, verifier, chain, challenge: challenge, at: time, revocation)
        }
    }

    /// Expects that each chain was verified in all 52 contexts, or in the 10 or 11 contexts that a debug build samples.
    private static func expectContexts(_ comparison: Comparison, chains: Int) {
        #expect((takesSamples ? chains * 10...chains * 11 : chains * 52...chains * 52) ~= comparison.count)
    }

    @Test func virtualDevices() throws {
        var comparison = Comparison()
        // In a debug build, half of the factory chains take a second each, so the faults are sampled.
        let corpus = AndroidCorpus(seed: 33)
        let faults = debugSample(AndroidFault.allCases, every: 80, from: 1, of: "faults of Android")
        let items = [corpus.acceptedCase((.remote, .trustedEnvironment, .p256))] + faults.map { corpus.faultyCase($0) }
        for item in items {
            let revocation = try? RevocationStatusList(json: item.revocationList)
            Self.compareAll(
                item.name, item.certificateChain, challenge: item.challenge, at: item.time,
                revocation ?? .notChecked, policy: item.policy,
                apps: Self.declarations(item.app.packageNameUTF8, item.app.signingDigests), roots: item.verifier.roots,
                &comparison)
        }
        Self.expectContexts(comparison, chains: items.count)
        print("virtual devices: \(comparison.count) verdicts agree, with \(comparison.refusals.count) different errors")
    }

    @Test func genuineChains() throws {
        var comparison = Comparison()
        let names = debugSample(GenuineChain.described, every: 6, of: "genuine chains")
        for name in names {
            let chain = try GenuineChain(name)
            let description = try chain.description()
            let id = try #require(description.softwareEnforced.attestationApplicationID)
            let package = try #require(id.packages.first)
            Self.compareAll(
                name, chain.certificates, challenge: [UInt8](description.attestationChallenge), at: try chain.time(),
                .notChecked,
                policy: KeyAttestationPolicy(
                    requiresLockedDevice: false, acceptsAnyBootState: true, maximumPatchAge: nil),
                apps: Self.declarations([UInt8](package.name), id.signatureDigests.map { [UInt8]($0) }),
                roots: GoogleRoots.hardware, &comparison)
        }
        Self.expectContexts(comparison, chains: names.count)
        print("genuine chains: \(comparison.count) verdicts agree, with \(comparison.refusals.count) different errors")
    }
}
