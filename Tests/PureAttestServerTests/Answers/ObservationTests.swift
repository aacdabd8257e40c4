import PureAttest
import PureKeyAttestation
import PureAttestServer
import PureBytes
import Synchronization
import Testing

@testable import PureAttestServerCore

/// Tests which facts observers receive, and that they receive no secrets.
@Suite struct ObservationTests {
    private final class Recorder: RelyingPartyObserver {
        struct Entry: Sendable {
            let decision: RelyingPartyDecision
            var refusal: Refusal?
            var failed = false
        }

        private let state = Mutex<[Entry]>([])

        func accepted(_ decision: RelyingPartyDecision) { add(Entry(decision: decision)) }
        func refused(_ decision: RelyingPartyDecision, because refusal: Refusal) {
            add(Entry(decision: decision, refusal: refusal))
        }
        func storeFailed(_ decision: RelyingPartyDecision, with error: any Error) {
            add(Entry(decision: decision, failed: true))
        }

        private func add(_ entry: Entry) { state.withLock { $0.append(entry) } }

        func take() -> [Entry] {
            state.withLock { entries in
                defer { entries = [] }
                return entries
            }
        }
    }

    private struct Silent: RelyingPartyObserver {}

    private func party(
        _ recorder: any RelyingPartyObserver, store: InMemoryStore = InMemoryStore()
    ) -> TestParty {
        // Each reading of the clock is one second later than the previous one.
        let ticks = Mutex<Int64>(0)
        return RelyingParty(
            verifier: verifier(), store: store, sessionKeys: SessionKeys(current: sessionKey), observer: recorder,
            stopwatch: {
                .seconds(
                    ticks.withLock {
                        $0 += 1; return $0
                    })
            })
    }

    @Test func eachDecisionIsTold() async throws {
        let recorder = Recorder()
        let party = party(recorder)
        let client = Client()
        let account = AccountID("user")
        let registration = try await client.register(with: party, account: account)
        let authentication = try await client.authenticate(with: party, account: account, at: time(3))
        _ = try await party.verifySession(party.session(from: registration).token, at: now)
        _ = try await party.verifySession(party.session(from: authentication).text, at: time(3))
        let unattested = try party.unattestedSession(for: ClientAddress(bytes: [1]), at: now)
        _ = try party.verifyUnattestedSession(unattested.token, at: now)
        let entries = recorder.take()
        #expect(
            entries.map(\.decision.operation) == [
                .issueChallenge, .register, .issueChallenge, .authenticate, .verifySession, .verifySession,
                .unattestedSession, .verifyUnattestedSession,
            ])
        for entry in entries {
            #expect(entry.refusal == nil && !entry.failed && entry.decision.duration == .seconds(1))
        }
        for entry in entries.prefix(6) {
            #expect(entry.decision.keyID == client.keyID && entry.decision.account == account)
        }
        #expect(entries[3].decision.time == time(3) && entries[6].decision.keyID == nil)
    }

    @Test func anExhaustedBudgetIsReported() async throws {
        let recorder = Recorder()
        let party = party(recorder)
        let client = Client()
        let token = party.session(from: try await client.register(with: party)).token
        let session = try await party.verifySession(token, at: now)
        _ = recorder.take()
        let refused = await rejection { _ = try await party.spendBudget(1, by: session, at: time(2)) }
        let entry = try #require(recorder.take().first)
        #expect(entry.decision.operation == .spendBudget && entry.decision.keyID == client.keyID)
        #expect(entry.refusal == refused && refused?.step == .limits && entry.decision.time == time(2))
    }

    @Test func rejectionsComeWithTheirReasonAndReport() async throws {
        let recorder = Recorder()
        let party = party(recorder)
        let client = Client()
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: client.keyID, at: now)
        let attestation = try client.attestation(Array("something else".utf8))
        _ = recorder.take()
        let refused = await client.refusal(ofAttestation: attestation, challenge.value, by: party)
        #expect(refused == .verification(.nonceMismatch))
        let entry = try #require(recorder.take().first)
        #expect(entry.refusal == refused && entry.refusal?.step == .verification)
        // An observer can create the report after the request has ended.
        let report = try #require(entry.decision.report())
        #expect(report.subject == .attestation && report.failures.map(\.error) == [.nonceMismatch])
        #expect("\(report)".contains("chain to the test authority's App Attest root"))

        let other = Client(makeDevice(seed: 8))
        try await other.register(with: party)
        let next = try party.issueChallenge(purpose: .assertion, keyID: other.keyID, at: now)
        _ = recorder.take()
        _ = await other.refusal(of: try other.assertion(Array("something else".utf8)), next.value, by: party)
        let failed = try #require(recorder.take().first)
        #expect(failed.refusal == .verification(.invalidSignature))
        #expect(failed.decision.report()?.failures.first?.error == .invalidSignature)
        // The failed attempt does not consume the challenge, so the right device can still use it.
        _ = try await party.authenticate(
            assertion: other.assertion(next.value), keyID: other.keyID, challenge: next.value, at: now)
        #expect(recorder.take().first?.decision.report()?.failures == [])
    }

    /// A malformed key identifier is not reported.
    @Test func thereIsNoReportWithoutAnObject() async throws {
        let recorder = Recorder()
        let party = party(recorder)
        let client = Client()
        _ = await rejection { _ = try party.issueChallenge(purpose: .assertion, keyID: [1], at: now) }
        _ = await client.refusal(of: [], [UInt8](repeating: 0, count: ChallengeFormat.byteCount), by: party)
        _ = await rejection { _ = try await client.register(with: party, at: time(-1)) }
        _ = await rejection { _ = try await party.verifySession("…", at: now) }
        let entries = recorder.take()
        #expect(entries.map(\.refusal?.step) == [.input, .challenge, nil, nil, .session])
        for index in [0, 1, 2, 4] { #expect(entries[index].decision.report() == nil) }
        #expect(entries[0].decision.keyID == nil && entries[4].decision.keyID == nil)
    }

    @Test func storesThatFailAreTold() async throws {
        let recorder = Recorder()
        let party = RelyingParty(
            verifier: verifier(), store: BrokenStore(.throwsAlways), sessionKeys: SessionKeys(current: sessionKey),
            observer: recorder)
        let client = Client()
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        await #expect(throws: AttestServerError<BrokenStore.Failure>.self) {
            try await party.authenticate(assertion: [], keyID: client.keyID, challenge: challenge.value, at: now)
        }
        #expect(recorder.take().map(\.failed) == [false, true])
    }

    @Test func nothingSecretIsTold() async throws {
        let recorder = Recorder()
        let party = party(recorder)
        let client = Client()
        let account = AccountID("somebody@example.com")
        try await client.register(with: party, account: account)
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, account: account, at: now)
        let assertion = try client.assertion(challenge.value)
        for _ in 0..<2 {
            _ = await client.refusal(of: assertion, challenge.value, by: party, account: account)
        }
        for entry in recorder.take() {
            let text = "\(entry.decision) \(entry.refusal.map { "\($0)" } ?? "")"
            #expect(text.utf8.count < 300 && !text.contains("somebody"))
            let report = entry.decision.report().map { "\($0)" } ?? ""
            for secret in [challenge.value, Array(challenge.value[12..<28]), client.keyID, assertion] {
                let hex = hexEncodedString(secret)
                #expect(!text.contains(hex) && !report.contains(hex))
                #expect(!text.contains("\(secret)") && !report.contains("\(secret)"))
            }
        }
    }

    @Test func anObserverMayHearNothing() async throws {
        let party = party(Silent())
        try await Client().register(with: party)
        #expect(await rejection { _ = try await party.verifySession([], at: now) } == .invalidToken)
    }
}

@Suite struct RefusalDescriptionTests {
    private static let refusals: [Refusal] = [
        .malformedRequest, .rateLimited(retryAfter: .max), .enrolmentDeferred(retryAfter: 7),
        .enrolmentDeferred(retryAfter: nil), .challengeNotIssued, .challengeConsumed, .challengeExpired,
        .challengeOfOtherPurpose, .challengeOfOtherKey, .challengeOfOtherAccount, .unknownKey, .revokedKey,
        .keyOfOtherAccount, .verification(.nonceMismatch), .contended, .invalidToken, .expiredToken,
        .tokenOfOtherEnvironment(.development), .tokenOfOtherAudience, .deniedToken, .tokenConsumed,
        .keyAttestation(.deviceUnlocked), .keyOfOtherEnvironment(.development), .androidNotAccepted,
        .revocationListMissing,
    ]

    @Test func eachIsASentence() {
        let texts = Self.refusals.map(\.description)
        #expect(Set(texts).count == texts.count)
        for text in texts {
            #expect(text.contains(" ") && !text.contains("(") && text.utf8.count < 200, "\(text)")
        }
        #expect("\(Refusal.verification(.counterReplayed(3)))" == "step 5: the counter value 3 was used before")
        #expect(Set(Self.refusals.map(\.step)) == Set(Refusal.Step.allCases))
    }

    @Test func storeDescriptionsAreBounded() {
        struct Talkative: Error, CustomStringConvertible {
            let description = String(repeating: "é", count: 100_000)
        }
        let text = AttestServerError<Talkative>.store(Talkative()).description
        #expect(text.utf8.count < 600 && text.hasPrefix("the store failed: é"))
        #expect(AttestServerError<Talkative>.refused(.unknownKey).description == Refusal.unknownKey.description)
    }
}
