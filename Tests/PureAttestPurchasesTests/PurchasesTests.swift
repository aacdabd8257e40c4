import PureAppStore
import PureAppStoreTesting
import PureAttest
import PureAttestPurchases
import PureAttestServer
import PureAttestStoreTesting
import PureDER
import Testing

@Suite struct PurchasesTests {
    @Test func aPurchaseGivesItsBudgetUntilItExpires() async throws {
        let (server, session) = try Server.withSession()
        #expect(try await server.purchases.allowance(of: session, at: now) == nil)
        let purchase = try await server.purchases.register(
            signedTransaction: TestTransaction(expires: 60).jws, by: session, at: now)
        #expect(purchase.productID == Array("com.example.monthly".utf8))
        let active = try #require(try await server.purchases.purchase(of: session, at: time(59)))
        #expect(active.purchase == purchase && active.allowance.budget.limit.units == 1_000)
        #expect(try await server.purchases.purchase(of: session, at: time(60)) == nil)

        let reservation = try await server.party.spendBudget(900, by: session, from: active.allowance, at: now)
        #expect(reservation.balance.remaining == BudgetAmount(requests: 99, units: 100))
        try await server.party.settle(reservation, used: 400)
        let left = try await server.party.budgetBalance(of: session, from: active.allowance, at: now)
        #expect(left.remaining == BudgetAmount(requests: 99, units: 600))
        #expect(try await server.party.budgetBalance(of: session, at: now).remaining.units == 10)
        #expect(try await server.party.spendBudget(10, by: session, at: now).balance.remaining.units == 0)
    }

    @Test func theKeysOfAPurchaseShareItsBudget() async throws {
        let server = try Server()
        let transaction = TestTransaction()
        for seed in 1...3 as ClosedRange<UInt8> {
            let session = server.session(device: seed)
            for _ in 0..<3 {
                try await server.purchases.register(signedTransaction: transaction.jws, by: session, at: now)
            }
            let allowance = try await server.purchases.allowance(of: session, at: now)
            let reservation = try await server.party.spendBudget(300, by: session, from: allowance, at: now)
            #expect(reservation.balance.remaining.units == 1_000 - 300 * Int64(seed))
        }
        let session = server.session(device: 4)
        try await server.purchases.register(
            signedTransaction: TestTransaction(original: "7").jws, by: session, at: now)
        let allowance = try await server.purchases.allowance(of: session, at: now)
        #expect(try await server.party.spendBudget(1_000, by: session, from: allowance, at: now).units == 1_000)
    }

    @Test func aPurchaseCountsForSixKeys() async throws {
        let server = try Server()
        var sessions: [Session] = []
        for seed in 1...7 as ClosedRange<UInt8> { sessions.append(server.session(device: seed)) }
        for session in sessions.prefix(6) { #expect(await server.refusal(TestTransaction(), by: session) == nil) }
        #expect(await server.refusal(TestTransaction(), by: sessions[6]) == .tooManyKeys(maximum: 6))
        #expect(try await server.purchases.purchase(of: sessions[6], at: now) == nil)
        // A key that already uses the purchase keeps its place, and registering again takes no second place.
        #expect(await server.refusal(TestTransaction(), by: sessions[0]) == nil)
        // A renewal does not reset the number of keys that use the purchase.
        #expect(await server.refusal(TestTransaction().renewed, by: sessions[6]) == .tooManyKeys(maximum: 6))
        #expect(try await server.purchases.remove(keyID: sessions[2].keyID))
        #expect(try await !server.purchases.remove(keyID: sessions[2].keyID))
        #expect(try await server.purchases.purchase(of: sessions[2], at: now) == nil)
        #expect(await server.refusal(TestTransaction(), by: sessions[6]) == nil)
        #expect(await server.refusal(TestTransaction(), by: sessions[2]) == .tooManyKeys(maximum: 6))
        #expect(try await !server.purchases.remove(keyID: [1]))
    }

    @Test(arguments: [(0, 1), (1, 1), (2, 2), (2_000, 100)]) func theNumberOfKeysIsClamped(set: Int, holds: Int)
        throws
    {
        #expect(try Server(maximumKeys: set).purchases.rules.map(\.maximumKeys) == [holds])
    }

    /// A key uses only one purchase, and counts only towards the key limit of this purchase.
    @Test func aKeyThatRegistersAnotherPurchaseLeavesTheFirst() async throws {
        let server = try Server(maximumKeys: 1)
        let (first, second) = (server.session(device: 1), server.session(device: 2))
        let (monthly, yearly) = (TestTransaction(), TestTransaction(original: "7", product: "com.example.yearly"))
        #expect(await server.refusal(monthly, by: first) == nil)
        #expect(await server.refusal(monthly, by: second) == .tooManyKeys(maximum: 1))
        #expect(await server.refusal(yearly, by: first) == nil)
        let active = try #require(try await server.purchases.purchase(of: first, at: now))
        #expect(active.allowance.budget.limit.units == 5_000)
        #expect(await server.refusal(monthly, by: second) == nil)
        #expect(await server.refusal(monthly, by: first) == .tooManyKeys(maximum: 1))
        // A rejected transaction changes nothing.
        #expect(try await server.purchases.purchase(of: first, at: now) == active)
    }

    @Test func otherPurchasesAreRejected() async throws {
        let (server, session) = try Server.withSession()
        #expect(await server.refusal(TestTransaction(expires: 0), by: session) == .expired)
        #expect(await server.refusal(TestTransaction(original: "2").revoked, by: session) == .revoked)
        let upgraded = TestTransaction(original: "3", members: #","isUpgraded":true"#)
        #expect(await server.refusal(upgraded, by: session) == .revoked)
        let other = TestTransaction(original: "4", product: "com.example.other")
        #expect(await server.refusal(other, by: session) == .otherProduct)
        // Signed data for these kinds of products has no end date, so they would otherwise count as endless.
        for kind in ["Consumable", "Non-Renewing Subscription", "Rental", ""] {
            #expect(await server.refusal(TestTransaction(original: "5", kind: kind), by: session) == .otherKind)
        }
        #expect(await server.refusal(TestTransaction(original: "6", expires: nil), by: session) == .otherKind)
        for long in [
            TestTransaction(original: String(repeating: "1", count: 65)),
            TestTransaction(id: String(repeating: "1", count: 65)),
            TestTransaction(product: String(repeating: "1", count: 256)),
            TestTransaction(id: ""), TestTransaction(original: ""),
        ] { #expect(await server.refusal(long, by: session) == .malformedIdentifier) }
        let advanced = TestTransaction(original: "7", members: #","advancedCommerceInfo":{}"#)
        #expect(await server.refusal(advanced, by: session) == .otherKind)
        let null = TestTransaction(original: "7", product: "other", members: #","advancedCommerceInfo":null"#)
        #expect(await server.refusal(null, by: session) == .otherProduct)
        #expect(try await server.purchases.purchase(of: session, at: now) == nil)
        // Identifiers of the maximum length are stored and read back.
        let longest = TestTransaction(
            id: String(repeating: "1", count: 64), original: String(repeating: "2", count: 64),
            product: String(repeating: "p", count: 255))
        #expect(await server.refusal(longest, by: session) == .otherProduct)
        #expect(await server.refusal(longest, by: session) == .otherProduct)
    }

    @Test(arguments: SignedDataFault.allCases.enumerated().filter { $0.offset % 8 == 0 }.map(\.element))
    func faultsAreRejected(fault: SignedDataFault) async throws {
        let (server, session) = try Server.withSession()
        let jws = appStore.sign(TestTransaction().json, fault: fault)
        guard case .signedData = await server.refusal(signed: jws, by: session) else {
            Issue.record()
            return
        }
        let notification = appStore.sign(TestTransaction().notificationJSON("REFUND"), fault: fault)
        let error = await #expect(throws: PurchasesError<InMemoryStoreFull>.self) {
            try await server.purchases.receive(notification: body(notification), at: now)
        }
        guard case .refused(.signedData) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await server.refusal(TestTransaction(), by: session) == nil)
    }

    @Test func aKeyIdentifierHasThirtyTwoBytes() throws {
        let rules = try #require(try Server().purchases.rules.first)
        for count in [0, 31, 33, 64] {
            #expect(throws: PurchaseRefusal.malformedIdentifier) {
                try rules.register(
                    signedTransaction: TestTransaction().jws, keyID: [UInt8](repeating: 1, count: count), at: now
                ) { _ in }
            }
        }
    }

    @Test func theKeysOfAPurchaseAreListed() async throws {
        let server = try Server(maximumKeys: 2)
        let id = Array(TestTransaction().original.utf8)
        #expect(try await server.purchases.keys(ofPurchase: id) == [])
        for seed in [9, 3, 3] as [UInt8] {
            _ = await server.refusal(TestTransaction(), by: server.session(device: seed))
        }
        let keys = try await server.purchases.keys(ofPurchase: id)
        #expect(keys == [9, 3].map { [UInt8](repeating: $0, count: 32) })
        #expect(try await server.purchases.remove(keyID: keys[0]))
        #expect(try await server.purchases.keys(ofPurchase: id) == [keys[1]])
    }

    @Test func aNonConsumableNeverExpires() async throws {
        let (server, session) = try Server.withSession()
        #expect(await server.refusal(TestTransaction(expires: nil, kind: "Non-Consumable"), by: session) == nil)
        #expect(try await server.purchases.purchase(of: session, at: UnixTime(secondsSince1970: .max)) != nil)
    }

    /// A product whose budget the server has removed gives no allowance. If a product has two budgets, the first
    /// applies.
    @Test func theProductsOfTheServerHold() async throws {
        let (server, session) = try Server.withSession()
        #expect(await server.refusal(TestTransaction(), by: session) == nil)
        let none = try Server(store: server.store, products: [])
        #expect(try await none.purchases.purchase(of: session, at: now) == nil)
        let twice = [ProductBudget(productID: "com.example.monthly", Budget(days: 2, requests: 1, units: 7))] + products
        let changed = try Server(store: server.store, products: twice)
        #expect(try await changed.purchases.allowance(of: session, at: now)?.budget.limit.units == 7)
    }

    @Test func environmentsAreApart() async throws {
        let sandbox = try Server()
        let production = try Server(store: sandbox.store, .production, .production)
        let development = try Server(store: sandbox.store, .development, .sandbox)
        let session = sandbox.session()
        #expect(await sandbox.refusal(TestTransaction(), by: session) == nil)
        #expect(
            await production.refusal(TestTransaction(), by: session) == .signedData(.otherEnvironment(.sandbox)))
        #expect(try await production.purchases.purchase(of: session, at: now) == nil)
        #expect(try await development.purchases.purchase(of: session, at: now) == nil)
        // The same original transaction identifier in two environments means two purchases.
        let live = TestTransaction(environment: "Production")
        #expect(await production.refusal(live, by: session) == nil)
        let (one, other) = (
            try #require(try await sandbox.purchases.allowance(of: session, at: now)),
            try #require(try await production.purchases.allowance(of: session, at: now))
        )
        _ = try await sandbox.party.spendBudget(1_000, by: session, from: one, at: now)
        #expect(try await sandbox.party.spendBudget(1_000, by: session, from: other, at: now).units == 1_000)
    }

    @Test func oneServerAcceptsTwoEnvironments() async throws {
        let server = try Server()
        let free = [ProductBudget(productID: "com.example.monthly", Budget(days: 1, requests: 10, units: 20))]
        let both = Purchases(
            of: server.party,
            environments: [(try signedDataVerifier(.production), products), (try signedDataVerifier(.sandbox), free)],
            store: server.store)
        let session = server.session()
        #expect(try await both.allowance(of: session, at: now) == nil)
        let (live, test) = (TestTransaction(environment: "Production"), TestTransaction())
        #expect(await refusal(both, test.jws, session) == nil)
        #expect(try await both.allowance(of: session, at: now)?.budget.limit.units == 20)
        #expect(await refusal(both, live.jws, session) == nil)
        #expect(try await both.allowance(of: session, at: now)?.budget.limit.units == 1_000)
        // A refund ends only the purchase in its environment.
        #expect(try await both.receive(notification: live.revoked.notification("REFUND"), at: now)?.isRevoked == true)
        #expect(try await both.allowance(of: session, at: now)?.budget.limit.units == 20)
        #expect(try await both.receive(signedTransaction: test.revoked.jws, at: now).environment == .sandbox)
        #expect(try await both.allowance(of: session, at: now) == nil)

        #expect(try await both.keys(ofPurchase: Array(live.original.utf8)) == [session.keyID, session.keyID])
        #expect(try await both.remove(keyID: session.keyID))
        #expect(try await both.keys(ofPurchase: Array(live.original.utf8)) == [])
        #expect(try await !both.remove(keyID: session.keyID))

        // The verifier for the data's environment reports the error. If there is no such verifier, the last verifier
        // reports the error.
        let expired = TestTransaction(original: "3", environment: "Production", expires: 0)
        #expect(await refusal(both, expired.jws, session) == .expired)
        #expect(
            await refusal(both, TestTransaction(environment: "Xcode").jws, session)
                == .signedData(.otherEnvironment(.xcode)))
        let none = Purchases(of: server.party, environments: [], store: server.store)
        #expect(await refusal(none, test.jws, session) == .otherProduct)
        #expect(try await none.allowance(of: session, at: now) == nil)
    }

    @Test func aRowOfALaterVersionIsNotOverwritten() async throws {
        let (server, session) = try Server.withSession()
        let name = [1, 1, 2] + Array(TestTransaction().original.utf8)
        #expect(try server.store.replacePurchaseRow(name, from: nil, to: [9]))
        #expect(await server.refusal(TestTransaction(), by: session) == .unreadableRecord)
        #expect(server.store.purchaseRow(name) == [9])
        #expect(PurchaseRefusal.unreadableRecord.answer.status == 503)
        let keyRow = [2, 1, 2] + session.keyID
        #expect(try server.store.replacePurchaseRow(keyRow, from: server.store.purchaseRow(keyRow), to: [9]))
        await #expect(throws: PurchasesError<InMemoryStoreFull>.refused(.unreadableRecord)) {
            try await server.purchases.purchase(of: session, at: now)
        }
        #expect(await server.refusal(TestTransaction(original: "7"), by: session) == .unreadableRecord)
        #expect(server.store.purchaseRow(keyRow) == [9])
    }

    @Test func answersNameNoReason() {
        for refusal in [
            .otherKind, .expired, .revoked, .otherProduct, .malformedIdentifier, .tooManyKeys(maximum: 6),
            .signedData(.unknownEnvironment),
        ] as [PurchaseRefusal] {
            #expect(refusal.answer.status == 422 && refusal.answer.code == .refused)
        }
        #expect(PurchaseRefusal.contended.answer.retryAfter == 1)
        #expect(PurchasesError<CancellationError>.store(CancellationError()).answer == .unavailable)
    }
}
