import PureAttest
import PureAttestServer
import PureAttestTesting
import Testing

@Suite struct AccountTests {
    @Test func keysAreListedAndRevokedTogether() async throws {
        let party = relyingParty { $0.removeLimits() }
        let account = AccountID("user")
        var clients: [Client] = []
        for seed in 20..<25 as Range<UInt64> {
            let client = Client(makeDevice(seed: seed))
            try await client.register(with: party, account: account, at: time(Int64(seed)))
            clients.append(client)
        }
        let other = Client(makeDevice(seed: 30))
        try await other.register(with: party, account: AccountID("other"))
        let token = party.session(from: try await clients[0].authenticate(with: party, account: account, at: time(50)))
        let first = try await party.keys(of: account, limit: 3)
        let second = try await party.keys(of: account, after: first.last?.key.keyID, limit: 3)
        let listed = first + second
        #expect(first.count == 3 && Set(listed.map(\.key.keyID)) == Set(clients.map(\.keyID)))
        #expect(listed.first { $0.key.keyID == clients[0].keyID }?.lastUsedAt == time(50))
        #expect(listed.filter { $0.lastUsedAt == nil }.count == 4)
        #expect(try await party.keys(of: account, limit: .min).count == 1)
        #expect(try await party.keys(of: account, limit: .max).count == 5)

        _ = try await party.verifySession(token.token, at: time(50))
        try await party.revoke(keyID: clients[1].keyID, at: time(60))
        #expect(try await party.revokeKeys(of: account, at: time(61)) == 4)
        #expect(try await party.revokeKeys(of: account, at: time(62)) == 0)
        #expect(await rejection { _ = try await party.verifySession(token.token, at: time(61)) } == .deniedToken)
        for client in clients {
            #expect(
                await rejection { _ = try await client.authenticate(with: party, account: account, at: time(61)) }
                    == .revokedKey)
        }
        _ = try await other.authenticate(with: party, account: AccountID("other"))
    }
}

@Suite struct ReceiptRefreshTests {
    private func claim(_ party: TestParty, _ seconds: Int64) async throws -> [DueReceipt] {
        try await party.claimDueReceipts(limit: 10, at: time(seconds))
    }

    @Test func aNewReceiptIsVerifiedAndStored() async throws {
        let (party, client) = try await registered()
        let due = try #require(try await claim(party, 0).first)
        #expect(due.record.key.keyID == client.keyID)
        // For ten minutes, no second claim returns this receipt.
        #expect(try await claim(party, 599).isEmpty)
        let query = try due.refresh(teamID: "A1B2C3D4E5", keyID: "ABC123DEFG", at: now)
        #expect(try query.request(signature: [UInt8](repeating: 1, count: 64)).url.contains("data.appattest.apple.com"))
        let receipt = try client.device.assessedReceipt(for: client.name, riskMetric: 4)
        var risk: UInt32?
        let state = try await party.storeAnswer(.receipt(receipt), for: due, at: now) { risk = $0.riskMetric }
        #expect(state == .notYetDue(until: time(day)) && risk == 4)
        let record = try #require(party.store.key(client.keyID))
        #expect(record.receipt == receipt && record.receiptDueAt == time(day))
        #expect(record.key == due.record.key && record.registeredAt == now)
        #expect(try await claim(party, day - 1).isEmpty)
        #expect(try await claim(party, day).first?.record.receipt == receipt)
    }

    @Test func aForgedReceiptIsNotStored() async throws {
        let (party, client) = try await registered()
        let due = try #require(try await claim(party, 0).first)
        var forged = try client.device.assessedReceipt(for: client.name, riskMetric: 1)
        forged[forged.count / 2] ^= 1
        let other = Client(makeDevice(seed: 9))
        _ = try other.attestation([1])
        let ofOther = try other.device.assessedReceipt(for: other.name, riskMetric: 1)
        for receipt in [forged, ofOther, [], due.record.receipt + [0]] {
            let refused = await rejection {
                _ = try await party.storeAnswer(.receipt(receipt), for: due, at: now) { _ in
                    Issue.record("an unverified receipt was passed on")
                }
            }
            #expect(refused?.step == .verification)
            let record = try #require(party.store.key(client.keyID))
            #expect(record.receipt == due.record.receipt && record.receiptDueAt == time(day))
        }
    }

    @Test func everyAnswerSaysWhenToAskAgain() async throws {
        let answers: [(ReceiptRefreshAnswer, ReceiptState, UnixTime?)] = [
            (.notYet, .notYetDue(until: time(day)), time(day)), (.invalidReceipt, .renewalRequired, nil),
            (.notFound, .gone(askAgainAt: time(7 * day)), time(7 * day)),
            (.unauthorized, .due(from: time(600)), time(600)), (.tooManyRequests, .due(from: time(600)), time(600)),
            (.serverError(status: 503), .due(from: time(600)), time(600)),
            (.unknownStatus(302), .due(from: time(600)), time(600)), (.malformedBody, .due(from: time(600)), time(600)),
        ]
        for (answer, state, dueAt) in answers {
            let (party, client) = try await registered()
            let due = try #require(try await claim(party, 0).first)
            #expect(try await party.storeAnswer(answer, for: due, at: now) == state)
            let record = try #require(party.store.key(client.keyID))
            #expect(record.receipt == due.record.receipt && record.receiptDueAt == dueAt, "\(answer)")
        }
    }

    /// An answer from Apple is ignored if a different process has stored an answer first.
    @Test func lateAnswersChangeNothing() async throws {
        let (party, client) = try await registered()
        let early = try #require(try await claim(party, 0).first)
        let late = try #require(try await claim(party, 600).first)
        let receipt = try client.device.assessedReceipt(for: client.name, riskMetric: 4)
        try await party.storeAnswer(.receipt(receipt), for: late, at: time(200))
        let stored = party.store.key(client.keyID)
        try await party.storeAnswer(.notFound, for: early, at: time(700))
        #expect(party.store.key(client.keyID) == stored)
    }

    @Test func revokedKeysAreNotAskedAbout() async throws {
        let (party, client) = try await registered()
        try await party.revoke(keyID: client.keyID, at: now)
        #expect(try await claim(party, 0).isEmpty)
        #expect(try await party.claimDueReceipts(limit: .min, at: now).isEmpty)
    }
}
