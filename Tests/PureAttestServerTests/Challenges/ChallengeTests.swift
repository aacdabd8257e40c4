import PureAttest
import PureKeyAttestation
import PureSHA2
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

/// Challenges are not stored. A challenge is accepted only if this service issued it for exactly this use.
@Suite struct ChallengeTests {
    private let keyID = [UInt8](repeating: 1, count: 32)

    private func open(
        _ value: [UInt8], with party: TestParty, purpose: Challenge.Purpose = .assertion, keyID: [UInt8]? = nil,
        account: AccountID? = nil, at moment: UnixTime = now
    ) -> Refusal? {
        do {
            _ = try party.rules.challenges.open(
                value, purpose: purpose, keyID: keyID ?? self.keyID, account: account, at: moment)
            return nil
        } catch { return error }
    }

    @Test func areRandomAndWriteNothing() throws {
        let party = relyingParty()
        var values = Set<[UInt8]>()
        var random = Set<[UInt8]>()
        for _ in 0..<1_000 {
            let challenge = try party.issueChallenge(
                purpose: .assertion, keyID: keyID, account: AccountID("a"), at: now)
            #expect(challenge.value.count == ChallengeFormat.byteCount)
            #expect(challenge.expiresAt == time(60) && challenge.account == AccountID("a"))
            values.insert(challenge.value)
            random.insert(Array(challenge.value[12..<28]))
        }
        #expect(values.count == 1_000 && random.count == 1_000)
        #expect(party.store.count == (0, 0))
    }

    @Test(arguments: [(Int64.min, 1), (0, 1), (1, 1), (300, 300), (301, 300), (.max, 300)] as [(Int64, Int64)])
    func lifetimesAreLimited(_ configured: Int64, _ effective: Int64) throws {
        let party = relyingParty { $0.challengeLifetime = configured }
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: now)
        #expect(challenge.expiresAt == time(effective))
        #expect(open(challenge.value, with: party, at: time(effective - 1)) == nil)
        #expect(open(challenge.value, with: party, at: time(effective)) == .challengeExpired)
    }

    @Test func areReadBackAtTheEndsOfTime() throws {
        let party = relyingParty()
        for seconds in [Int64.min, -1, 0, .max - 61] as [Int64] {
            let issuedAt = UnixTime(secondsSince1970: seconds)
            let value = try party.issueChallenge(purpose: .attestation, keyID: keyID, at: issuedAt).value
            let opened = try party.rules.challenges.open(
                value, purpose: .attestation, keyID: keyID, account: nil, at: issuedAt)
            #expect(opened.issuedAt == issuedAt && opened.expiresAt.secondsSince1970 == seconds + 60)
            #expect(opened.token.id.count == 17)
            #expect(
                opened.token.until == issuedAt.adding(60).adding(RelyingPartyConfiguration.clockMargin))
        }
        // The expiry time of this challenge would exceed the range of `UnixTime`, so the challenge is never valid.
        let last = UnixTime(secondsSince1970: .max)
        let value = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: last).value
        #expect(open(value, with: party, at: last) == .challengeExpired)
    }

    @Test func everyByteCounts() throws {
        let party = relyingParty()
        let value = try party.issueChallenge(purpose: .assertion, keyID: keyID, account: AccountID("a"), at: now).value
        #expect(open(value, with: party, account: AccountID("a")) == nil)
        for index in value.indices {
            for bit in 0..<8 {
                var changed = value
                changed[index] ^= 1 << bit
                #expect(open(changed, with: party, account: AccountID("a")) == .challengeNotIssued)
            }
        }
        for count in 0..<value.count {
            #expect(open(Array(value.prefix(count)), with: party, account: AccountID("a")) == .malformedRequest)
        }
        #expect(open(value + [0], with: party, account: AccountID("a")) == .malformedRequest)
        // The authentication tag is checked first, before expiry and purpose.
        var forged = value
        forged[1] = Challenge.Purpose.attestation.rawValue
        #expect(open(forged, with: party, at: time(1_000)) == .challengeNotIssued)
    }

    @Test func otherVersionsAreNotRead() throws {
        let party = relyingParty()
        let value = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
        for (version, refusal) in [(1, nil), (2, Refusal.challengeNotIssued)] as [(UInt8, Refusal?)] {
            var tag = sessionKey.challengeFunction(for: party.rules.audience)
            let carried = [version] + value[1..<60]
            tag.update(data: [0] + carried)
            #expect(open(carried + tag.finalize(), with: party) == refusal)
        }
    }

    @Test func partsDoNotMix() throws {
        let party = relyingParty()
        let first = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
        let second = try party.issueChallenge(purpose: .attestation, keyID: keyID, at: time(9)).value
        for cut in 0..<first.count {
            let mixed = Array(first[..<cut] + second[cut...])
            guard mixed != first, mixed != second else { continue }
            #expect(open(mixed, with: party) == .challengeNotIssued)
        }
    }

    @Test func areForOnePurposeKeyAndAccount() throws {
        let party = relyingParty(
            android: AndroidVerification(verifier: KeyAttestationVerifier(apps: [])) { _ in .notChecked })
        // The two Unicode encodings of é identify different accounts. `nil` differs from an empty account identifier.
        let accounts: [AccountID?] = [
            nil, AccountID(bytes: []), AccountID(bytes: [0]), AccountID(bytes: [1]), AccountID("user"),
            AccountID("User"),
            AccountID("\u{E9}"), AccountID("e\u{301}"), AccountID(bytes: keyID),
            AccountID(bytes: [UInt8](repeating: 1, count: 33)),
        ]
        let others = [[UInt8](repeating: 2, count: 32), [UInt8](repeating: 1, count: 31) + [0]]
        for account in accounts {
            for purpose in Challenge.Purpose.allCases {
                let value = try party.issueChallenge(purpose: purpose, keyID: keyID, account: account, at: now).value
                for other in accounts {
                    let expected: Refusal? = other == account ? nil : .challengeOfOtherAccount
                    #expect(open(value, with: party, purpose: purpose, account: other) == expected)
                }
                let otherPurpose: Challenge.Purpose = purpose == .assertion ? .attestation : .assertion
                #expect(
                    open(value, with: party, purpose: otherPurpose, account: account) == .challengeOfOtherPurpose)
                for other in others {
                    #expect(
                        open(value, with: party, purpose: purpose, keyID: other, account: account)
                            == .challengeOfOtherKey)
                }
            }
        }
    }

    /// Tests the whole authentication call, not only the challenge format.
    @Test func areRejectedForAnythingElse() async throws {
        let (party, client) = try await registered()
        let attested = try party.issueChallenge(purpose: .attestation, keyID: client.keyID, at: now)
        let late = try party.issueChallenge(purpose: .assertion, keyID: client.keyID, at: now)
        let ofOther = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: now)
        for (challenge, seconds, expected) in [
            (attested, 0, .challengeOfOtherPurpose), (late, 60, .challengeExpired), (ofOther, 0, .challengeOfOtherKey),
        ] as [(Challenge, Int64, Refusal)] {
            let assertion = try client.assertion(challenge.value)
            #expect(await client.refusal(of: assertion, challenge.value, by: party, at: time(seconds)) == expected)
            #expect(await client.refusal(ofAttestation: [], late.value, by: party) == .challengeOfOtherPurpose)
        }
    }

    @Test func belongToOneService() throws {
        let services: [(apps: [AppID], environment: Environment)] = [
            ([app], .production), ([otherApp], .production), ([app, otherApp], .production), ([], .production),
            ([app], .development),
        ]
        for issuing in services {
            let issuer = relyingParty(verifier: verifier(issuing.environment, apps: issuing.apps))
            let value = try issuer.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
            for accepting in services {
                let party = relyingParty(verifier: verifier(accepting.environment, apps: accepting.apps))
                #expect(open(value, with: party) == (issuing == accepting ? nil : .challengeNotIssued))
            }
        }
    }

    @Test func keysAreRotated() throws {
        let old = relyingParty(keys: SessionKeys(current: formerSessionKey))
        let prepared = relyingParty(keys: SessionKeys(current: formerSessionKey, former: [sessionKey]))
        let rotated = relyingParty(keys: SessionKeys(current: sessionKey, former: [formerSessionKey]))
        let new = relyingParty(keys: SessionKeys(current: sessionKey))
        let ofOld = try old.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
        let ofNew = try rotated.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
        for (party, takesOld, takesNew) in [
            (old, true, false), (prepared, true, true), (rotated, true, true), (new, false, true),
        ] {
            #expect(open(ofOld, with: party) == (takesOld ? nil : .challengeNotIssued))
            #expect(open(ofNew, with: party) == (takesNew ? nil : .challengeNotIssued))
        }
        // Only the secret of a session key authenticates a challenge, so a key with the same identifier does not.
        let sameID = SessionKey(id: "2026-09", secret: [UInt8](repeating: 1, count: 32))!
        #expect(open(ofNew, with: relyingParty(keys: SessionKeys(current: sameID))) == .challengeNotIssued)
    }
}
