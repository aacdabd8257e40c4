import PureAttest
import PureAttestServer
import PureAttestTesting
import Testing

/// Relying parties that share a store claim the receipts of their own keys only.
@Suite struct ReceiptScopeTests {
    private let store = InMemoryStore()

    private func party(_ environment: Environment, _ apps: [AppID]) -> TestParty {
        relyingParty(store: store, verifier: verifier(environment, apps: apps))
    }

    @Test(arguments: [false, true]) func partiesClaimDisjointReceipts(inReverseOrder isReversed: Bool) async throws {
        let parties = [party(.production, [app]), party(.development, [app]), party(.production, [otherApp])]
        let clients = [
            Client(makeDevice(seed: 1)), Client(makeDevice(seed: 2, .development)),
            Client(makeDevice(seed: 3, app: otherApp)),
        ]
        for (party, client) in zip(parties, clients) { try await client.register(with: party) }
        let pairs = Array(zip(parties, clients))
        for (party, client) in isReversed ? pairs.reversed() : pairs {
            let claimed = try await party.claimDueReceipts(limit: 10, at: time(1))
            #expect(claimed.map(\.record.key.keyID) == [client.keyID])
            #expect(try await party.claimDueReceipts(limit: 10, at: time(1)).isEmpty)
        }
    }

    @Test func aPartyClaimsTheReceiptsOfAllItsApps() async throws {
        let party = party(.production, [otherApp, app])
        let clients = [Client(makeDevice(seed: 1)), Client(makeDevice(seed: 2, app: otherApp))]
        for client in clients { try await client.register(with: party) }
        let claimed = try await party.claimDueReceipts(limit: 10, at: time(1))
        #expect(Set(claimed.map(\.record.key.keyID)) == Set(clients.map(\.keyID)))
        #expect(try await self.party(.production, []).claimDueReceipts(limit: 10, at: time(1_000)).isEmpty)
    }

    /// Stores compare the scope's bytes with the beginning of the stored record.
    @Test func bytesEqualTheBeginningOfRecords() async throws {
        let party = relyingParty(store: store, android: androidKeys())
        let key = try await Client().register(with: party).record.key
        let androidKey = try await AndroidClient().register(with: party).record.key
        let scope = ReceiptScope(apps: [app], environment: .production)
        #expect(scope.bytes == Array(key.serialized[1..<34]))
        #expect(scope.contains(key) && !scope.contains(androidKey))
    }
}
