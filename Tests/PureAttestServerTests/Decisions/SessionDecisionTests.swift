import PureAttest
import Testing

@testable import PureAttestServerCore

@Suite struct SessionDecisionTests {
    private let keyID = Client().keyID

    private static let limited = [
        "about", "knownDenial", "admit sessionRequestsPerKey", "ifStoreFails giveBack sessionRequestsPerKey",
    ]
    private static func denied(_ refusal: Refusal) -> [String] {
        ["giveBack sessionRequestsPerKey", "rememberDenial \(refusal)"]
    }

    private func session(
        _ use: SessionUse, random: [UInt8] = [UInt8](repeating: 5, count: 16)
    ) throws -> (rules: RelyingPartyRules, token: [UInt8], record: KeyRecord) {
        let rules = makeRules { $0.sessionUse = use }
        // Each call creates a client with the same key.
        let registration = try rules.registration(of: Client())
        return (rules, rules.session(from: registration, random: random).token, registration.record)
    }

    private func verify(
        _ token: [UInt8], _ rules: RelyingPartyRules, at time: UnixTime = now, shell: inout HandShell
    ) -> Result<Session, Refusal> {
        shell.run { () throws(Refusal) in try rules.verifySession(token, at: time) { $0 } }
    }

    /// Before the first question to the store, the shell learns which allowance to give back if the store fails.
    @Test(
        arguments: [
            (SessionUse.untilExpiry, []), (.untilRevoked, ["key", "isConsumed 16"]), (.once, ["key", "consume"]),
        ] as [(SessionUse, [String])])
    func aValidSession(_ use: SessionUse, _ asked: [String]) throws {
        let (rules, token, record) = try session(use)
        var shell = HandShell()
        shell.record = record
        let session = try verify(token, rules, shell: &shell).get()
        #expect(shell.questions == Self.limited + asked)
        #expect(session.keyID == keyID && session.tokenID == [UInt8](repeating: 5, count: 16))
        #expect(shell.subjects.map(\.keyID) == [keyID])
        let end = session.expiresAt.adding(RelyingPartyConfiguration.clockMargin)
        #expect(shell.consumedTokens == (use == .once ? [ConsumedToken(id: session.tokenID, until: end)] : []))
    }

    /// If the key's record is lost, the list of consumed tokens still states whether the key was revoked.
    @Test(arguments: [(SessionUse.untilRevoked, "isConsumed 16"), (.once, "consume")])
    func aLostRecord(_ use: SessionUse, _ asked: String) throws {
        let (rules, token, _) = try session(use)
        var shell = HandShell()
        #expect(verify(token, rules, shell: &shell).value != nil)
        #expect(shell.questions == Self.limited + ["key", "isConsumed 32", asked])
        shell = HandShell()
        shell.consumed = [keyID]
        #expect(verify(token, rules, shell: &shell).refusal == .deniedToken)
        #expect(shell.questions == Self.limited + ["key", "isConsumed 32"] + Self.denied(.deniedToken))
        #expect(shell.consumedTokens.isEmpty)
    }

    /// A denied token consumes no allowance, and the shell may remember the denial.
    @Test func everyDenial() throws {
        for use in [SessionUse.untilRevoked, .once] {
            let (rules, token, record) = try session(use)
            var shell = HandShell()
            shell.record = record.revoked(at: now)
            #expect(verify(token, rules, shell: &shell).refusal == .deniedToken)
            #expect(shell.questions == Self.limited + ["key"] + Self.denied(.deniedToken))
        }
        var (rules, token, record) = try session(.untilRevoked)
        var shell = HandShell()
        (shell.record, shell.consumed) = (record, [[UInt8](repeating: 5, count: 16)])
        #expect(verify(token, rules, shell: &shell).refusal == .deniedToken)
        #expect(shell.questions == Self.limited + ["key", "isConsumed 16"] + Self.denied(.deniedToken))
        (rules, token, record) = try session(.once)
        shell = HandShell()
        (shell.record, shell.isFirst) = (record, false)
        #expect(verify(token, rules, shell: &shell).refusal == .tokenConsumed)
        #expect(shell.questions == Self.limited + ["key", "consume"] + Self.denied(.tokenConsumed))
    }

    /// A remembered denial queries no store and consumes no allowance.
    @Test func aRememberedDenial() throws {
        let (rules, token, _) = try session(.once)
        var shell = HandShell()
        shell.denial = .tokenConsumed
        #expect(verify(token, rules, shell: &shell).refusal == .tokenConsumed)
        #expect(shell.questions == Array(Self.limited[..<2]))
    }

    @Test func theLimitEndsTheDecision() throws {
        let (rules, token, _) = try session(.once)
        var shell = HandShell()
        shell.wait = { _, _ in 7 }
        #expect(verify(token, rules, shell: &shell).refusal == .rateLimited(retryAfter: 7))
        #expect(shell.questions == Array(Self.limited[...2]))
    }

    @Test func nothingIsAskedAboutInvalidTokens() throws {
        let (rules, token, _) = try session(.untilRevoked)
        let expiry = now.adding(rules.configuration.sessionLifetime)
        var shell = HandShell()
        #expect(verify(token, rules, at: expiry, shell: &shell).refusal == .expiredToken)
        #expect(verify(token + [0x30], rules, shell: &shell).refusal == .invalidToken)
        #expect(shell.questions.isEmpty)
        #expect(verify(token, rules, at: time(899), shell: &shell).value != nil)
        // The token's signature is valid, so the shell learns the token's subject.
        shell = HandShell()
        #expect(
            verify(token, makeRules(verifier(apps: [otherApp])), shell: &shell).refusal == .tokenOfOtherAudience)
        #expect(
            verify(token, makeRules(verifier(.development)), shell: &shell).refusal
                == .tokenOfOtherEnvironment(.production))
        #expect(shell.questions == ["about", "about"])
    }

    @Test func endingConsumesTheToken() throws {
        let (rules, token, _) = try session(.untilExpiry)
        var shell = HandShell()
        let session = try verify(token, rules, shell: &shell).get()
        for isFirst in [true, false] {
            shell = HandShell()
            shell.isFirst = isFirst
            #expect(
                shell.run { () throws(Refusal) in
                    rules.endSession(tokenID: session.tokenID, expiresAt: session.expiresAt) { $0 }
                } == .success(isFirst))
            #expect(shell.questions == ["consume"])
            let end = session.expiresAt.adding(RelyingPartyConfiguration.clockMargin)
            #expect(shell.consumedTokens == [ConsumedToken(id: session.tokenID, until: end)])
        }
    }

    /// Each of the two calls of the unattested tier consumes one request of the client address's allowance.
    @Test func theUnattestedTierAsksOneLimit() throws {
        let rules = makeRules()
        let address = ClientAddress(bytes: [192, 0, 2, 1])
        var shell = HandShell()
        let token = try shell.run { () throws(Refusal) in
            try rules.unattestedSession(for: address, random: [UInt8](repeating: 6, count: 16), at: now) { $0 }
        }.get().token
        let session = try shell.run { () throws(Refusal) in try rules.verifyUnattestedSession(token, at: now) { $0 } }
            .get()
        #expect(shell.questions == [String](repeating: "admit unattestedRequestsPerClientAddress", count: 2))
        #expect(session.tokenID == [UInt8](repeating: 6, count: 16))
        #expect(session.expiresAt == now.adding(rules.configuration.sessionLifetime))
        shell = HandShell()
        shell.wait = { _, _ in 7 }
        let refused = shell.run { () throws(Refusal) in try rules.verifyUnattestedSession(token, at: now) { $0 } }
        #expect(refused.refusal == .rateLimited(retryAfter: 7))
        let other = makeRules(verifier(apps: [otherApp]))
        let elsewhere = shell.run { () throws(Refusal) in try other.verifyUnattestedSession(token, at: now) { $0 } }
        #expect(elsewhere.refusal == .tokenOfOtherAudience)
        let ofKey = try self.session(.once).token
        let attested = shell.run { () throws(Refusal) in try rules.verifyUnattestedSession(ofKey, at: now) { $0 } }
        #expect(attested.refusal == .invalidToken)
        #expect(shell.questions.count == 1)
    }
}
