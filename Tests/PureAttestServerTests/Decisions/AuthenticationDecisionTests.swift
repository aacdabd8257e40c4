import PureAttest
import PureKeyAttestation
import PureKeyAttestationTesting
import Testing

@testable import PureAttestServerCore

@Suite struct AuthenticationDecisionTests {
    private let user = AccountID("user")
    private let address = ClientAddress(bytes: [192, 0, 2, 1])
    private let client = Client()

    private static let opened = ["admit requestsPerClientAddress", "check failuresPerAccount"]
    private static let read = ["key", "check failuresPerAccount"]
    private static let verified = opened + read + ["about", "admit authenticationsPerKey", "recordUse"]
    private static let failed = opened + read + ["about", "admit failuresPerAccount"]

    private func authenticate(
        _ challenge: [UInt8], _ assertion: [UInt8], signed: SignedContent = .challenge, by rules: RelyingPartyRules,
        shell: inout HandShell
    ) -> Result<Authentication<VerifiedAssertion>, Refusal> {
        shell.run { () throws(Refusal) in
            try rules.authenticate(
                assertion: assertion, keyID: client.keyID, challenge: challenge, signed: signed, account: user,
                clientAddress: address, at: now
            ) { $0 }
        }
    }

    /// Signs a new challenge, and decides on the assertion with a store that contains `record`.
    private func authenticate(
        _ record: KeyRecord?, by rules: RelyingPartyRules, shell: inout HandShell
    ) throws -> Result<Authentication<VerifiedAssertion>, Refusal> {
        let challenge = try rules.challenge(.assertion, client.keyID, account: user)
        shell.record = record
        return authenticate(challenge, try client.assertion(challenge), by: rules, shell: &shell)
    }

    @Test func anAuthenticationWritesOnceAndLast() throws {
        let rules = makeRules()
        let record = try rules.record(of: client, account: user)
        var shell = HandShell()
        let authentication = try authenticate(record, by: rules, shell: &shell).get()
        #expect(shell.questions == Self.verified)
        let use = try #require(shell.recordedUses.first)
        #expect(use.current == record.key && use.next == authentication.record.key && use.time == now)
        #expect(authentication.record.lastUsedAt == now && authentication.record.key.counter == 1)
        #expect(shell.subjects.count == 1 && shell.subjects[0].keyID == client.keyID)
        #expect(shell.subjects[0].explanation?().failures == [])
    }

    /// The decision checks sizes first, then the challenge, and only then queries the store.
    @Test func theStoreIsAskedAboutOwnChallengesOnly() throws {
        let rules = makeRules { $0.maximumClientData = 10 }
        var shell = HandShell()
        let foreign = [UInt8](repeating: 0, count: try rules.challenge(.assertion, client.keyID).count)
        #expect(authenticate(foreign, [], by: rules, shell: &shell).refusal == .challengeNotIssued)
        #expect(shell.questions == ["admit requestsPerClientAddress"])
        shell = HandShell()
        let forRegistration = try rules.challenge(.attestation, client.keyID, account: user)
        #expect(authenticate(forRegistration, [], by: rules, shell: &shell).refusal == .challengeOfOtherPurpose)
        #expect(shell.questions == ["admit requestsPerClientAddress"])
        shell = HandShell()
        let tooLong = [UInt8](repeating: 0, count: InputLimits.assertion + 1)
        #expect(authenticate(foreign, tooLong, by: rules, shell: &shell).refusal == .malformedRequest)
        #expect(shell.questions.isEmpty)
        #expect(
            authenticate(foreign, [UInt8](tooLong.dropLast()), by: rules, shell: &shell).refusal
                == .challengeNotIssued)
        shell = HandShell()
        for (count, refusal) in [(10, Refusal.challengeNotIssued), (11, .malformedRequest)] {
            let outcome = shell.run { () throws(Refusal) in
                try rules.authenticate(
                    assertion: [], keyID: client.keyID, challenge: foreign,
                    signed: .clientData([UInt8](repeating: 0, count: count)) { _ in nil }, account: user,
                    clientAddress: nil, at: now
                ) { $0 }
            }
            #expect(outcome.refusal == refusal)
        }
        #expect(shell.questions.isEmpty)
    }

    /// An unknown key is rejected. Under the uniform policy, the rejection also counts as a failure.
    @Test(arguments: [AnswerPolicy.precise, .uniform])
    func anUnknownKey(_ policy: AnswerPolicy) throws {
        let rules = makeRules { $0.answerPolicy = policy }
        _ = try rules.record(of: client, account: user)
        let ofAndroid = try androidKey().record
        for record in [nil, ofAndroid] {
            var shell = HandShell()
            #expect(try authenticate(record, by: rules, shell: &shell).refusal == .unknownKey)
            let counted = policy == .uniform ? ["admit failuresPerAccount"] : []
            #expect(shell.questions == Self.opened + Self.read + counted)
            #expect(shell.subjects.isEmpty)
        }
    }

    @Test func everyRecordHasItsOutcome() throws {
        let rules = makeRules()
        let record = try rules.record(of: client, account: user)
        let other = AccountID("other")
        let records: [(KeyRecord, Refusal)] = [
            (record.with(account: other), .keyOfOtherAccount), (record.with(account: nil), .keyOfOtherAccount),
            (record.revoked(at: now), .revokedKey), (record.with(account: other).revoked(at: now), .revokedKey),
        ]
        for (record, refusal) in records {
            var shell = HandShell()
            #expect(try authenticate(record, by: rules, shell: &shell).refusal == refusal)
            #expect(shell.questions == Self.failed)
        }
        // A wrong signature is reported as such, so the answer does not reveal the state of the record.
        let challenge = try rules.challenge(.assertion, client.keyID, account: user)
        var shell = HandShell()
        shell.record = record.revoked(at: now)
        #expect(
            authenticate(challenge, try client.assertion([1]), by: rules, shell: &shell).refusal?.step
                == .verification)
        #expect(shell.questions == Self.failed)
    }

    /// If the caller names no account, the decision accepts any account in the record.
    @Test func aCallerWithoutAnAccount() throws {
        let rules = makeRules()
        let challenge = try rules.challenge(.assertion, client.keyID)
        var shell = HandShell()
        shell.record = try rules.record(of: client, account: user)
        let assertion = try client.assertion(challenge)
        let outcome = shell.run { () throws(Refusal) in
            try rules.authenticate(
                assertion: assertion, keyID: client.keyID, challenge: challenge, signed: .challenge, account: nil,
                clientAddress: nil, at: now
            ) { $0 }
        }
        #expect(outcome.value?.record.account == user)
        #expect(shell.questions == ["key", "about", "admit authenticationsPerKey", "recordUse"])
    }
    @Test func limitsEndTheDecision() throws {
        let rules = makeRules()
        let record = try rules.record(of: client, account: user)
        for place in Self.verified.indices where Self.verified[place].contains(" ") {
            var shell = HandShell()
            shell.wait = { _, number in number == place ? 7 : nil }
            #expect(try authenticate(record, by: rules, shell: &shell).refusal == .rateLimited(retryAfter: 7))
            #expect(shell.questions == Array(Self.verified[...place]))
            #expect(shell.recordedUses.isEmpty)
        }
    }

    /// If a different request was recorded first, the decision reads the key and verifies the signature again. The
    /// repetition consumes no further allowance.
    @Test func aChangedKeyIsReadAgain() throws {
        let rules = makeRules()
        let record = try rules.record(of: client, account: user)
        var shell = HandShell()
        shell.uses = [.keyChanged, .keyChanged, .recorded]
        #expect(try authenticate(record, by: rules, shell: &shell).value != nil)
        let again = Self.read + ["about", "recordUse"]
        #expect(shell.questions == Self.verified + again + again)

        shell = HandShell()
        shell.uses = [.keyChanged]
        #expect(try authenticate(record, by: rules, shell: &shell).refusal == .contended)
        #expect(RelyingPartyConfiguration().maximumAttempts == 64)
        #expect(shell.questions.filter { $0 == "key" }.count == RelyingPartyConfiguration().maximumAttempts)
        #expect(shell.questions.filter { $0 == "admit authenticationsPerKey" }.count == 1)
        #expect(shell.questions.last == "recordUse")
    }

    @Test func aConsumedChallengeIsRejected() throws {
        let rules = makeRules()
        let record = try rules.record(of: client, account: user)
        var shell = HandShell()
        shell.uses = [.alreadyConsumed]
        #expect(try authenticate(record, by: rules, shell: &shell).refusal == .challengeConsumed)
        #expect(shell.questions == Self.verified)
    }

    /// An assertion with a higher counter was recorded first. The store then reports whether it also consumed the
    /// challenge of the assertion with the lower counter.
    @Test func anOvertakenAssertion() throws {
        let rules = makeRules()
        let record = try rules.record(of: client, account: user)
        let challenge = try rules.challenge(.assertion, client.keyID, account: user)
        let early = try client.assertion(challenge)
        var shell = HandShell()
        let later = try authenticate(record, by: rules, shell: &shell).get().record
        let id = try #require(shell.consumedTokens.first?.id)
        for (consumed, expected) in [([], nil), ([id], .challengeConsumed)] as [(Set<[UInt8]>, Refusal?)] {
            shell = HandShell()
            (shell.record, shell.consumed) = (later, consumed)
            let refusal = authenticate(challenge, early, by: rules, shell: &shell).refusal
            #expect(refusal == expected ?? refusal && refusal?.isOvertaken == (expected == nil))
            #expect(shell.questions == Self.opened + Self.read + ["about", "isConsumed 17"])
        }
    }

    /// The assertion signs a different challenge than the request names, and may have been accepted with that
    /// challenge. So the decision does not ask the store about the request's challenge.
    @Test func anOvertakenAssertionOverAnotherChallenge() throws {
        let rules = makeRules()
        let record = try rules.record(of: client, account: user)
        let bytes = [0, 1, 2] as [UInt8]
        let assertion = try client.assertion(bytes)
        var shell = HandShell()
        let later = try authenticate(record, by: rules, shell: &shell).get().record
        let challenge = try rules.challenge(.assertion, client.keyID, account: user)
        shell = HandShell()
        shell.record = later
        let signed = SignedContent.clientData(bytes) { Array($0.dropFirst()) }
        let outcome = authenticate(challenge, assertion, signed: signed, by: rules, shell: &shell)
        #expect(outcome.refusal == .verification(.challengeMismatch))
        #expect(shell.questions == Self.failed)
    }

    // MARK: Android

    private func androidKey() throws -> (key: VirtualAndroidKey, record: KeyRecord) {
        let (rules, handle) = (makeRules(), [UInt8](repeating: 7, count: 32))
        let challenge = try rules.challenge(.attestation, handle, account: user)
        let key = AndroidClient().device.generateKey(attestationChallenge: challenge)
        var shell = HandShell()
        let registration = shell.run { () throws(Refusal) in
            try rules.register(
                keyAttestation: key.certificateChain, handle: handle, challenge: challenge, account: user,
                clientAddress: nil, at: now
            ) { $0 }
        }
        return (key, try registration.get().record)
    }

    /// Decisions on Android keys ask the same questions. Without a counter, the signature of a replay is valid, so the
    /// decision gives the allowance back.
    @Test func anAndroidKeyAsksTheSame() throws {
        let rules = makeRules()
        let (key, record) = try androidKey()
        let challenge = try rules.challenge(.assertion, record.key.keyID, account: user)
        let signature = key.sign(challenge)
        func authenticate(
            _ rules: RelyingPartyRules, _ shell: inout HandShell, with signature: [UInt8] = signature
        ) -> Refusal? {
            shell.run { () throws(Refusal) in
                try rules.authenticate(
                    signature: signature, keyID: record.key.keyID, challenge: challenge, signed: .challenge,
                    account: user, clientAddress: address, at: now
                ) { $0 }
            }.refusal
        }
        var shell = HandShell()
        shell.record = record
        #expect(authenticate(rules, &shell) == nil)
        #expect(shell.questions == Self.verified)
        #expect(shell.recordedUses.map(\.current) == [record.key] && shell.recordedUses.map(\.next) == [record.key])

        shell = HandShell()
        (shell.record, shell.uses) = (record, [.alreadyConsumed])
        #expect(authenticate(rules, &shell) == .challengeConsumed)
        #expect(shell.questions == Self.verified + ["giveBack authenticationsPerKey"])

        shell = HandShell()
        shell.record = try rules.record(of: client, account: user)
        #expect(authenticate(rules, &shell) == .unknownKey)
        #expect(shell.questions == Self.opened + Self.read)

        // A signature of the maximum length is verified. A longer signature is rejected without being parsed.
        for (count, questions) in [(512, Self.failed), (513, [])] {
            shell = HandShell()
            shell.record = record
            let refusal = authenticate(rules, &shell, with: [UInt8](repeating: 0, count: count))
            #expect(refusal?.step == (count == 512 ? .verification : .input))
            #expect(shell.questions == questions)
        }

        shell = HandShell()
        #expect(authenticate(makeRules(android: nil), &shell) == .androidNotAccepted)
        #expect(shell.questions.isEmpty)

        // The decision checks the record's environment itself, because an Android verifier has none.
        shell = HandShell()
        guard case .android(let attested, _) = record.key else { Issue.record(); return }
        shell.record = KeyRecord(
            key: .android(attested, .development), account: user, receipt: [], receiptDueAt: nil, registeredAt: now)
        #expect(authenticate(rules, &shell) == .keyOfOtherEnvironment(.development))
        #expect(shell.questions == Self.failed)
    }
}
