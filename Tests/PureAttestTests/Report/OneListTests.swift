import DebugSampling
import Foundation
import PureAttestTesting
@_spi(CheckedByCaller) import PureSignedContent
import PureX509
import Testing

@testable import PureAttest
@testable import VectorSupport

/// A verdict and its report must perform the same steps:
///
/// - The verdict's error is the error of the first failed step.
/// - If every step of a report passed, the verification succeeds.
///
/// Tries every available object with every list of declarations and in every context.
@Suite struct OneListTests {
    private struct Comparison {
        private(set) var count = 0
        private(set) var refusals: Set<String> = []
        private var shown = 0

        mutating func expect<Verified>(
            _ name: @autoclosure () -> String, _ report: VerificationReport,
            _ verify: () throws(PureAttestError) -> Verified
        ) {
            count += 1
            var verdict: PureAttestError?
            do throws(PureAttestError) { _ = try verify() } catch { verdict = error }
            if let verdict { refusals.insert("\(verdict)") }
            // The first step that did not pass must have the status failed, and must not have lacked input.
            let first = report.steps.first { $0.status != .passed }
            let agrees = first?.error == verdict && first.map { $0.status == .failed } ?? true
            guard !agrees, shown < 5 else { return }
            shown += 1
            Issue.record("\(name()): the report differs from \(verdict.map { "\($0)" } ?? "accepted")\n\(report)")
        }

        func printCounts(_ objects: String) {
            print("\(objects): \(count) verdicts agree with their reports, with \(refusals.count) different errors")
        }
    }

    // MARK: Attestations

    /// Returns the empty list, single declarations, all ordered pairs, and all orders of three declarations. Each of
    /// these three rejects for a different reason.
    private static func declarations(of app: AppID) -> [[AcceptedApp]] {
        let build = CodeDirectoryHash([UInt8](repeating: 9, count: 32))
        let lax = AcceptedApp(app, launchPolicy: .reportOnly)
        let system = AcceptedApp(
            app, launchPolicy: .reportOnly,
            systemPolicy: SystemPolicy(minimumVersion: SystemVersion(99), minimumMacOSVersion: SystemVersion(98)))
        let release = AcceptedApp(
            app, launchPolicy: .onlyOrMissing([.appStore]),
            systemPolicy: SystemPolicy(
                minimumVersion: SystemVersion(18), builds: .matching { $0.ascii.count > 4 }, acceptsPrereleases: false,
                acceptsUnknown: true))
        let age = AcceptedApp(
            app, launchPolicy: .reportOnly,
            agePolicy: AgePolicy(maximumAttestationAge: 0, maximumKeyAge: 0, maximumCounterStep: 1))
        let launch = AcceptedApp(
            app, launchPolicy: .only([.testFlight], versions: .atLeast("99"), builds: .oneOf([build].compactMap { $0 }))
        )
        let version = AcceptedApp(
            app, launchPolicy: .onlyOrMissing(nil, versions: .oneOf(["7"])).believingForgeableInformation())
        let platform = AcceptedApp(
            AppID(bytes: app.bytes, platform: app.platform == .macOS ? .device : .macOS), launchPolicy: .reportOnly)
        let other = AcceptedApp(AppID(bytes: "TEST123456.other".utf8), launchPolicy: .only([]))
        let all = [lax, system, release, age, launch, version, platform, other]
        var lists: [[AcceptedApp]] = [[]] + all.map { [$0] }
        for first in all.indices {
            for second in all.indices where first != second { lists.append([all[first], all[second]]) }
        }
        for (a, b, c) in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)] {
            let three = [system, age, launch]
            lists.append([three[a], three[b], three[c]])
        }
        return lists
    }

    /// A debug build is slow, so it uses every `stride`-th list, and always a pair whose second declaration rejects.
    private static func sample(_ lists: [[AcceptedApp]], _ seed: Int, every stride: Int = 8) -> [[AcceptedApp]] {
        #if DEBUG && !ALL_CASES
            lists.indices.filter { ($0 + seed) % stride == 0 || $0 == 9 }.map { lists[$0] }
        #else
            lists
        #endif
    }

    /// The minimum number of lists for each attestation, and of times for each receipt.
    #if DEBUG && !ALL_CASES
        private static let (leastLists, leastTimes) = (3, 3)
    #else
        private static let (leastLists, leastTimes) = (71, 18)
    #endif

    private struct Attestation {
        let name: String
        let object: [UInt8]
        let keyID: [UInt8]
        let clientData: AttestedClientData
        let app: AppID
        let environment: PureAttest.Environment
        let time: UnixTime
        let clockSkew: UInt32
        let trusting: (AppAttestVerifier) -> AppAttestVerifier

        func verifier(
            _ declarations: [AcceptedApp], _ environment: PureAttest.Environment? = nil,
            counterPolicy: CounterPolicy = .strict
        ) -> AppAttestVerifier {
            trusting(
                AppAttestVerifier(
                    acceptedApps: declarations, environment: environment ?? self.environment,
                    counterPolicy: counterPolicy, clockSkew: clockSkew))
        }

        func compare(
            _ verifier: AppAttestVerifier, keyID: [UInt8]? = nil, clientData: AttestedClientData? = nil,
            at time: UnixTime? = nil, _ comparison: inout Comparison
        ) {
            let (keyID, time) = (keyID ?? self.keyID, time ?? self.time)
            switch clientData ?? self.clientData {
            case .challenge(let challenge):
                comparison.expect(
                    name, verifier.explainAttestation(object, keyID: keyID, challenge: challenge, at: time)
                ) { () throws(PureAttestError) in
                    try verifier.verifyAttestation(object, keyID: keyID, challenge: challenge, at: time)
                }
            case .hash(let hash):
                comparison.expect(
                    name, verifier.explainAttestation(object, keyID: keyID, clientDataHash: hash, at: time)
                ) { () throws(PureAttestError) in
                    try verifier.verifyAttestation(object, keyID: keyID, clientDataHash: hash, at: time)
                }
            }
        }

        /// Compares verdict and report under all declarations. Then adds one fault, and compares under two lists.
        func compareAll(_ comparison: inout Comparison) {
            let lists = OneListTests.declarations(of: app)
            for list in OneListTests.sample(lists, comparison.count, every: 24) {
                compare(verifier(list), &comparison)
            }
            let otherEnvironment: PureAttest.Environment = environment == .production ? .development : .production
            for list in OneListTests.sample([lists[1], lists[lists.count - 1]], comparison.count) {
                let verifier = verifier(list)
                compare(verifier, clientData: .challenge([1]), &comparison)
                compare(verifier, clientData: .challenge([]), &comparison)
                compare(verifier, clientData: .hash([]), &comparison)
                compare(verifier, keyID: [UInt8](repeating: 1, count: 32), &comparison)
                compare(verifier, at: time.adding(500 * 86_400), &comparison)
                compare(verifier, at: time.adding(-500 * 86_400), &comparison)
                compare(self.verifier(list, otherEnvironment), &comparison)
            }
        }
    }

    private static let corpus = Corpus(seed: 33)
    /// Samples the faults instead of `corpus.cases`, so that a debug build generates only the cases that it uses.
    private static let corpusCases =
        debugSample(corpus.acceptedCases, every: 30, of: "accepted cases of the corpus")
        + debugSample(Fault.allCases, every: 30, from: 10, of: "faults of the corpus").map(corpus.faultyCase)

    private static func attestation(of item: CorpusCase) -> Attestation {
        let authority = TestCertificateAuthority(seed: item.seed)
        return Attestation(
            name: item.name, object: item.attestation, keyID: item.keyID, clientData: .challenge(item.challenge[...]),
            app: item.app, environment: item.environment, time: item.time, clockSkew: 0,
            trusting: { $0.trustingTestDevices(of: authority) })
    }

    private static func attestation(of object: ObjectFile) -> Attestation {
        Attestation(
            name: object.name, object: [UInt8](object.attestation), keyID: [UInt8](object.keyID),
            clientData: .hash(ArraySlice(object.clientDataHash)), app: object.app,
            environment: object.environmentValue, time: object.time, clockSkew: 0, trusting: { $0 })
    }

    private static func adversarial(_ name: String) throws -> AdversarialFile.Contents {
        try JSONDecoder().decode(
            AdversarialFile.Contents.self, from: VectorDirectory.committedFile("adversarial/\(name).json"))
    }

    private static func anchors(_ certificates: [AdversarialFile.Bytes]) throws -> [TrustAnchor] {
        try certificates.map { try TrustAnchor(Certificate(derEncoded: $0.expanded()[...])) }
    }

    @Test func attestations() throws {
        var comparison = Comparison()
        for item in Self.corpusCases { Self.attestation(of: item).compareAll(&comparison) }
        let genuine = debugSample(objects, every: 6, of: "genuine attestations")
        for object in genuine { Self.attestation(of: object).compareAll(&comparison) }
        let file = try Self.adversarial("objects")
        let cases = file.adversarialCases.filter { $0.attestation != nil }
        for item in debugSample(cases, every: 36, of: "adversarial attestations") {
            let anchors = try Self.anchors(item.anchors ?? file.anchors)
            Attestation(
                name: item.id, object: try #require(item.attestation).expanded(),
                keyID: try #require(item.keyID).expanded(),
                clientData: .challenge(try #require(item.challenge).expanded()[...]),
                app: AppID(bytes: try #require(item.appID).utf8), environment: .production,
                time: UnixTime(secondsSince1970: file.time), clockSkew: item.clockSkew ?? 0,
                trusting: { $0.trusting(testAnchors: anchors) }
            ).compareAll(&comparison)
        }
        let objectCount = Self.corpusCases.count + genuine.count
        #expect(Fault.allCases.count == 258 && cases.count == 37 && comparison.count > Self.leastLists * objectCount)
        comparison.printCounts("attestations")
    }

    // MARK: Assertions

    /// Compares verdict and report under all declarations, then with one fault and several states of the stored key.
    private static func compare(
        _ name: String, _ assertion: [UInt8], clientData: [UInt8], keys: [AttestedKey], of attestation: Attestation,
        at time: UnixTime, _ comparison: inout Comparison
    ) {
        func compare(
            _ verifier: AppAttestVerifier, _ challenge: [UInt8]? = nil, _ signed: SignedContent? = nil,
            assertion: [UInt8] = assertion, key: AttestedKey, at time: UnixTime? = time
        ) {
            let challenge = challenge ?? clientData, signed = signed ?? .clientData(clientData)
            comparison.expect(
                name,
                verifier.explainAssertion(assertion, challenge: challenge, signed: signed, key: key, at: time)
            ) { () throws(PureAttestError) in
                try verifier.verifyAssertion(assertion, challenge: challenge, signed: signed, key: key, at: time)
            }
        }
        let lists = declarations(of: attestation.app)
        for list in sample(lists, comparison.count) {
            compare(attestation.verifier(list), key: keys[0])
        }
        let tooLarge = [UInt8](repeating: 0, count: InputLimits.assertion + 1)
        for list in sample([lists[1], lists[4], lists[lists.count - 1]] + lists.suffix(5), comparison.count) {
            for key in keys {
                let verifier = attestation.verifier(list)
                compare(verifier, key: key)
                compare(verifier, [], key: key)
                compare(verifier, [1], key: key)
                compare(verifier, [1], .clientData(clientData) { _ in nil }, key: key)
                compare(verifier, [], .clientData(clientData) { _ in [] }, key: key)
                compare(verifier, [], .clientDataCheckedByCaller([2]), key: key)
                compare(verifier, [], .clientDataCheckedByCaller(clientData), key: key, at: nil)
                compare(verifier, [], assertion: tooLarge, key: key)
                compare(verifier, key: key, at: time.adding(1))
                compare(attestation.verifier(list, counterPolicy: .slidingWindow), key: key.resumed(at: 7))
                compare(attestation.verifier(list, .development), assertion: tooLarge, key: key)
                compare(attestation.verifier(list, .development), key: key)
            }
        }
    }

    /// Returns five stored keys:
    ///
    /// - The attested key, if there is one.
    /// - The key as a different library stores it.
    /// - The key with a used counter.
    /// - The key for a different app.
    /// - An unrelated key.
    private static func keys(
        _ publicKey: [UInt8], _ attestation: Attestation, attested: AttestedKey?, counter: UInt32
    ) throws -> [AttestedKey] {
        func stored(_ publicKey: [UInt8], _ app: AppID, _ environment: PureAttest.Environment) throws -> AttestedKey {
            try AttestedKey(trustingStoredKey: publicKey, appID: app, environment: environment, counter: counter)
        }
        let known = try stored(publicKey, attestation.app, attestation.environment)
        let first = attested?.resumed(at: counter) ?? known
        return [
            first, known, first.resumed(at: counter + 100),
            try stored(publicKey, AppID(bytes: "TEST123456.other".utf8), attestation.environment),
            try stored(TestDevice.key.x963, attestation.app, attestation.environment),
        ]
    }

    @Test func assertions() throws {
        var comparison = Comparison()
        for item in Self.corpusCases {
            guard let assertion = item.assertions.last else { continue }
            let attestation = Self.attestation(of: item)
            let attested = try attestation.verifier([AcceptedApp(item.app, launchPolicy: .reportOnly)])
                .verifyAttestation(item.attestation, keyID: item.keyID, challenge: item.challenge, at: item.time).key
            let keys = try Self.keys(
                item.publicKeyX963, attestation, attested: attested, counter: assertion.previousCounter)
            Self.compare(
                item.name, assertion.assertion, clientData: assertion.clientData, keys: keys, of: attestation,
                at: assertion.time, &comparison)
        }
        for object in objects {
            for assertion in object.assertions {
                let attestation = Self.attestation(of: object)
                let keys = try Self.keys(
                    [UInt8](object.expect.publicKeyX963), attestation, attested: try? object.verify().key,
                    counter: assertion.previousCounter)
                Self.compare(
                    object.name, [UInt8](assertion.assertion), clientData: [UInt8](assertion.clientData), keys: keys,
                    of: attestation, at: object.time, &comparison)
            }
        }
        #expect(comparison.count > 200)
        comparison.printCounts("assertions")
    }

    // MARK: Receipts

    private static func compare(
        _ name: String, _ receipt: UnverifiedReceipt, at time: UnixTime, _ comparison: inout Comparison
    ) {
        let delays: [Int64] = [0, -86_400, 301, 86_400, 400 * 86_400, 20_000 * 86_400]
        let pairs = delays.flatMap { delay in [300, 0, nil].map { (delay, $0 as UInt32?) } }
        // A debug build compares every fifth pair. The number of earlier comparisons selects the first pair.
        for (delay, maximumAge) in debugSample(pairs, every: 5, from: comparison.count, of: "times of a receipt") {
            let time = time.adding(delay)
            comparison.expect(name, receipt.explain(at: time, maximumAge: maximumAge)) {
                () throws(PureAttestError) in try receipt.verify(at: time, maximumAge: maximumAge)
            }
        }
    }

    @Test func receipts() throws {
        var comparison = Comparison()
        for item in Self.corpusCases where item.verdict.error == nil {
            let attestation = Self.attestation(of: item)
            let verified = try attestation.verifier([AcceptedApp(item.app, launchPolicy: .reportOnly)])
                .verifyAttestation(item.attestation, keyID: item.keyID, challenge: item.challenge, at: item.time)
            Self.compare(item.name, verified.unverifiedReceipt, at: item.time, &comparison)
        }
        let genuine = debugSample(ReceiptTests.cases, every: 10, of: "genuine receipts")
        for test in genuine {
            Self.compare(test.description, try test.unverified(), at: test.time, &comparison)
            for app in [test.object.app, AppID(bytes: "TEST123456.other".utf8)] {
                let key = try AttestedKey(
                    trustingStoredKey: TestDevice.key.x963, appID: app, environment: .development, counter: 0)
                let receipt = try test.object.verifier(apps: [app], environment: .development)
                    .receipt(test.unverified().unverifiedBytes, of: key)
                Self.compare(test.description, receipt, at: test.time, &comparison)
            }
        }
        let file = try Self.adversarial("receipts")
        for item in debugSample(file.adversarialCases, every: 12, of: "adversarial receipts") {
            let app = AppID(bytes: try #require(item.appID).utf8)
            let verifier = AppAttestVerifier(
                apps: [app], environment: .production, launchPolicy: .reportOnly
            ).trusting(testAnchors: [], testReceiptAnchors: try Self.anchors(item.anchors ?? file.anchors))
            let key = try AttestedKey(
                trustingStoredKey: #require(item.publicKey).expanded(), appID: app, environment: .production,
                counter: 0)
            guard let receipt = try? verifier.receipt(#require(item.receipt).expanded(), of: key) else { continue }
            Self.compare(item.id, receipt, at: UnixTime(secondsSince1970: file.time), &comparison)
        }
        #expect(file.adversarialCases.count == 24 && comparison.count > Self.leastTimes * (3 * genuine.count + 6))
        comparison.printCounts("receipts")
    }
}
