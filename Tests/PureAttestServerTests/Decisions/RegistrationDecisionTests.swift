import PureAttest
import PureAttestTesting
import PureKeyAttestation
import PureKeyAttestationTesting
import PureX509
import Testing

@testable import PureAttestServerCore

@Suite struct RegistrationDecisionTests {
    private let user = AccountID("user")
    private let address = ClientAddress(bytes: [192, 0, 2, 1])
    private let rules = makeRules()
    private let client = Client()

    private func register(
        _ challenge: [UInt8], _ attestation: [UInt8], with rules: RelyingPartyRules? = nil, account: AccountID? = nil,
        from address: ClientAddress? = nil, shell: inout HandShell
    ) -> Result<Registration<VerifiedAttestation>, Refusal> {
        shell.run { () throws(Refusal) in
            try (rules ?? self.rules).register(
                attestation: attestation, keyID: client.keyID, challenge: challenge, account: account,
                clientAddress: address, at: now
            ) { $0 }
        }
    }

    @Test func aRegistrationWritesOnceAndLast() throws {
        let challenge = try rules.challenge(.attestation, client.keyID, account: user)
        var shell = HandShell()
        let registration = try register(
            challenge, client.attestation(challenge), account: user, from: address, shell: &shell
        ).get()
        #expect(
            shell.questions == [
                "admit requestsPerClientAddress", "check failuresPerAccount", "about", "about", "insertKey",
            ])
        #expect(registration.isNew && shell.insertedKeys == [registration.record])
        #expect(registration.record.account == user && registration.record.receiptDueAt == now)
        #expect(shell.consumedTokens.map(\.id) == [[UInt8(ascii: "C")] + [UInt8](repeating: 3, count: 16)])
        #expect(shell.subjects.map(\.keyID) == [client.keyID, client.keyID])
        #expect(shell.subjects.allSatisfy { $0.account == user && $0.explanation?().failures.isEmpty == true })
    }

    @Test func anAnonymousRegistrationAsksNoLimit() throws {
        let challenge = try rules.challenge(.attestation, client.keyID)
        var shell = HandShell()
        _ = try register(challenge, client.attestation(challenge), shell: &shell).get()
        #expect(shell.questions == ["about", "about", "insertKey"])
    }

    @Test func anAndroidRegistrationAsksTheSame() throws {
        let handle = [UInt8](repeating: 7, count: 32)
        let challenge = try rules.challenge(.attestation, handle, account: user)
        let chain = AndroidClient().device.generateKey(attestationChallenge: challenge).certificateChain
        var shell = HandShell()
        func register(_ rules: RelyingPartyRules) -> Result<Registration<VerifiedKeyAttestation>, Refusal> {
            shell = HandShell()
            return shell.run { () throws(Refusal) in
                try rules.register(
                    keyAttestation: chain, handle: handle, challenge: challenge, account: user,
                    clientAddress: address, at: now
                ) { $0 }
            }
        }
        let registration = try register(rules).get()
        let opened = ["admit requestsPerClientAddress", "check failuresPerAccount", "about"]
        #expect(shell.questions == opened + ["about", "insertKey"])
        #expect(shell.subjects.map(\.keyID) == [nil, registration.record.key.keyID])
        #expect(registration.record.receipt.isEmpty && registration.record.receiptDueAt == nil)
        // A missing revocation list does not count as a failure of the account.
        #expect(register(makeRules(android: androidKeys(list: nil))).refusal == .revocationListMissing)
        #expect(shell.questions == opened)
        // A service that does not accept Android rejects the request before it checks any limit.
        #expect(register(makeRules(android: nil)).refusal == .androidNotAccepted)
        #expect(shell.questions.isEmpty)
    }

    @Test func nothingIsAskedAboutMalformedRequests() throws {
        let challenge = try rules.challenge(.attestation, client.keyID)
        var shell = HandShell()
        let tooLong = [UInt8](repeating: 0, count: InputLimits.attestation + 1)
        #expect(register(challenge, tooLong, from: address, shell: &shell).refusal == .malformedRequest)
        let longest = [UInt8](tooLong.dropLast())
        #expect(register(challenge, longest, shell: &shell).refusal?.step == .verification)
        shell = HandShell()
        let account = AccountID(bytes: [UInt8](repeating: 0, count: AccountID.maximumByteCount + 1))
        #expect(
            register(challenge, [], account: account, from: address, shell: &shell).refusal == .malformedRequest)
        #expect(shell.questions.isEmpty)
    }

    /// Limits are checked before the challenge, and the challenge before the store is queried.
    @Test func theChallengeComesBeforeTheStore() throws {
        let challenge = try rules.challenge(.attestation, client.keyID)
        let attestation = try client.attestation(challenge)
        let foreign = [UInt8](repeating: 0, count: challenge.count)
        var shell = HandShell()
        shell.wait = { _, _ in 5 }
        #expect(
            register(foreign, attestation, from: address, shell: &shell).refusal == .rateLimited(retryAfter: 5))
        #expect(shell.questions == ["admit requestsPerClientAddress"])
        shell = HandShell()
        #expect(
            register(foreign, attestation, account: user, from: address, shell: &shell).refusal
                == .challengeNotIssued)
        #expect(
            register(challenge, attestation, account: user, from: address, shell: &shell).refusal
                == .challengeOfOtherAccount)
        #expect(shell.questions == ["admit requestsPerClientAddress", "admit requestsPerClientAddress"])
        // After too many failed verifications, the account must wait before the next verification.
        let ofUser = try rules.challenge(.attestation, client.keyID, account: user)
        shell = HandShell()
        shell.wait = { question, _ in question.limit == .failuresPerAccount ? 9 : nil }
        #expect(
            register(ofUser, attestation, account: user, shell: &shell).refusal
                == .rateLimited(retryAfter: 9))
        #expect(shell.questions == ["check failuresPerAccount"])
    }

    @Test func aFailureIsCountedAndNothingIsWritten() throws {
        let challenge = try rules.challenge(.attestation, client.keyID, account: user)
        var shell = HandShell()
        // The shell answers the question that counts the failure, and its answer is a wait. The decision ignores this
        // answer.
        shell.wait = { question, _ in question.action == .admit ? 9 : nil }
        let refusal = try register(challenge, client.attestation([1]), account: user, shell: &shell).refusal
        #expect(refusal?.step == .verification)
        #expect(shell.questions == ["check failuresPerAccount", "about", "admit failuresPerAccount"])
        #expect(shell.subjects[0].explanation?().failures.isEmpty == false)
    }

    @Test func everyAnswerOfTheStoreHasItsOutcome() throws {
        let challenge = try rules.challenge(.attestation, client.keyID, account: user)
        let attestation = try client.attestation(challenge)
        var shell = HandShell()
        let record = try register(challenge, attestation, account: user, shell: &shell).get().record
        let ofDevelopment = try makeRules(verifier(.development))
            .record(of: Client(makeDevice(.development)), account: user)
        let android = AttestedAndroidKey(
            trustingP256: basePoint, packageNameUTF8: [1], securityLevel: .strongBox, provisioning: .remote,
            attestedAt: now)
        let ofAndroid = KeyRecord(
            key: .android(try #require(android), .production), account: user, receipt: [], receiptDueAt: nil,
            registeredAt: now)
        let answers: [(KeyInsertion, Refusal?)] = [
            (.inserted, nil), (.existing(record), nil), (.alreadyConsumed, .challengeConsumed),
            (.existing(ofAndroid), .unknownKey),
            (.existing(ofDevelopment), .keyOfOtherEnvironment(.development)),
            (.existing(record.with(account: nil)), .keyOfOtherAccount),
            (.existing(record.with(account: AccountID("other"))), .keyOfOtherAccount),
            (.existing(record.revoked(at: now)), .revokedKey),
            // The account is checked first, so other accounts do not learn that the key is revoked.
            (.existing(record.with(account: nil).revoked(at: now)), .keyOfOtherAccount),
        ]
        for (insertion, refusal) in answers {
            shell = HandShell()
            shell.insertion = insertion
            let outcome = register(challenge, attestation, account: user, shell: &shell)
            #expect(outcome.refusal == refusal, "\(insertion)")
            #expect(outcome.value?.isNew == (refusal == nil ? insertion == .inserted : nil))
            // The rejection of a genuine device does not count as a failure.
            #expect(shell.questions.last == "insertKey")
        }
    }

    /// The receipt's signer is not trusted here. Only a server that verifies the first receipt detects this.
    @Test func aFirstReceiptIsVerifiedOnRequest() throws {
        let distrusting = AppAttestVerifier(apps: [app], environment: .production, launchPolicy: .reportOnly).trusting(
            testAnchors: [try TrustAnchor(Certificate(derEncoded: authority.attestationRoot))])
        let cases: [(AppAttestVerifier, isVerified: Bool, step: Refusal.Step?)] = [
            (distrusting, false, nil), (distrusting, true, .verification), (verifier(), true, nil),
        ]
        for (verifier, isVerified, step) in cases {
            let rules = makeRules(verifier) { $0.verifiesFirstReceipt = isVerified }
            let client = Client()
            let challenge = try rules.challenge(.attestation, client.keyID)
            let attestation = try client.attestation(challenge)
            var shell = HandShell()
            let outcome = shell.run { () throws(Refusal) in
                try rules.register(
                    attestation: attestation, keyID: client.keyID, challenge: challenge, account: nil,
                    clientAddress: nil, at: now
                ) { $0 }
            }
            #expect(outcome.refusal?.step == step)
            #expect(shell.insertedKeys.count == (step == nil ? 1 : 0))
        }
    }
}
