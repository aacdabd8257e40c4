import PureAppStore
import PureAppStoreTesting
import PureAttest
import PureAttestPurchases
import PureAttestServer
import PureAttestStoreTesting
import PureDER
import Testing

/// Delivers transactions and notifications in every order, repeatedly, concurrently and with interruptions.
@Suite struct DeliveryTests {
    @Test func theStoreInMemoryConforms() async {
        #expect(await PurchaseStoreConformance { InMemoryStore() }.violations() == [])
    }

    @Test func storesThatBreakARuleAreFound() async {
        for fault in FaultyStore.Fault.allCases {
            let violations = await PurchaseStoreConformance { FaultyStore(fault) }.violations()
            #expect(!violations.isEmpty, "\(fault)")
        }
    }

    @Test func aFullStoreInMemoryThrows() throws {
        let store = InMemoryStore(keys: 1)
        for row in 1...4 as ClosedRange<UInt8> { #expect(try store.replacePurchaseRow([row], from: nil, to: [1])) }
        #expect(throws: InMemoryStoreFull.self) { try store.replacePurchaseRow([5], from: nil, to: [1]) }
        #expect(try store.replacePurchaseRow([2], from: [1], to: [2]))
    }

    /// The signed transactions of a purchase that is renewed and then refunded.
    private static let life: [TestTransaction] = {
        let bought = TestTransaction(expires: day)
        return [bought, bought.renewed, bought.renewed.revoked]
    }()

    @Test func aRefundHoldsInEveryOrder() async throws {
        let events = Self.life
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [2, 2, 0]] {
            let (server, session) = try Server.withSession()
            #expect(await server.refusal(events[0], by: session) == nil)
            for (position, index) in order.enumerated() {
                // Some events come from the App Store, and the others from the client.
                if (position + order[0]) % 2 == 0 {
                    try await server.purchases.receive(notification: events[index].notification("X"), at: now)
                } else {
                    _ = await server.refusal(events[index], by: session)
                }
            }
            #expect(try await server.purchases.purchase(of: session, at: now) == nil, "\(order)")
            #expect(await server.refusal(events[order[0]], by: session) == .revoked, "\(order)")
        }
    }

    /// The customer changes to a different product of the subscription group.
    @Test(arguments: [[0, 1], [1, 0]]) func anUpgradeHolds(order: [Int]) async throws {
        let (server, session) = try Server.withSession()
        #expect(await server.refusal(TestTransaction(), by: session) == nil)
        var former = TestTransaction(members: #","isUpgraded":true"#)
        former.signed += 30
        let next = TestTransaction(id: "2", product: "com.example.yearly", purchased: -50, expires: day)
        for index in order {
            try await server.purchases.receive(notification: [former, next][index].notification("X"), at: now)
        }
        let active = try #require(try await server.purchases.purchase(of: session, at: now))
        #expect(active.purchase.productID == Array("com.example.yearly".utf8))
    }

    @Test func theRefundOfAnEarlierPeriodEndsNoLaterPeriod() async throws {
        let (server, session) = try Server.withSession()
        let bought = TestTransaction(expires: day)
        #expect(await server.refusal(bought.renewed, by: session) == nil)
        // The signed transaction may come from Apple's refund history or from a notification.
        let state = try await server.purchases.receive(signedTransaction: bought.revoked.jws, at: now)
        #expect(!state.isRevoked)
        #expect(try await server.purchases.purchase(of: session, at: now) != nil)
        try await server.purchases.receive(signedTransaction: bought.renewed.revoked.jws, at: now)
        #expect(try await server.purchases.purchase(of: session, at: now) == nil)
    }

    @Test func renewalAndExpiry() async throws {
        let (server, session) = try Server.withSession()
        let bought = TestTransaction(expires: day)
        #expect(await server.refusal(bought, by: session) == nil)
        #expect(try await server.purchases.purchase(of: session, at: time(day)) == nil)
        let renewed = try await server.purchases.receive(
            notification: bought.renewed.notification("DID_RENEW"), at: now)
        #expect(renewed?.expiresDate?.millisecondsSince1970 == milliseconds(31 * day))
        #expect(try await server.purchases.purchase(of: session, at: time(day)) != nil)
        // An old transaction from the device is accepted, and does not end the current period.
        #expect(await server.refusal(bought, by: session, at: time(2 * day)) == nil)
        #expect(try await server.purchases.purchase(of: session, at: time(31 * day)) == nil)
        #expect(await server.refusal(bought.renewed, by: session, at: time(31 * day)) == .expired)
    }

    @Test func aRefundThatIsReversed() async throws {
        let (server, session) = try Server.withSession()
        let bought = TestTransaction()
        #expect(await server.refusal(bought, by: session) == nil)
        try await server.purchases.receive(notification: bought.revoked.notification("REFUND"), at: now)
        #expect(try await server.purchases.purchase(of: session, at: now) == nil)
        var reversed = bought
        reversed.signed += 30
        try await server.purchases.receive(notification: reversed.notification("REFUND_REVERSED"), at: now)
        #expect(try await server.purchases.purchase(of: session, at: now) != nil)
    }

    @Test func aGracePeriodPostponesTheEnd() async throws {
        let (server, session) = try Server.withSession()
        let bought = TestTransaction(expires: 60)
        #expect(await server.refusal(bought, by: session) == nil)
        func renewalInfo(of original: String) -> [UInt8] {
            appStore.sign(
                AppStoreContent.renewalInfo(
                    originalTransactionID: original, signedDate: milliseconds(-50),
                    more: #","gracePeriodExpiresDate":\#(milliseconds(day))"#))
        }
        let foreign = bought.notification("DID_FAIL_TO_RENEW", renewalInfo: renewalInfo(of: "8"))
        try await server.purchases.receive(notification: foreign, at: now)
        #expect(try await server.purchases.purchase(of: session, at: time(60)) == nil)
        let own = bought.notification("DID_FAIL_TO_RENEW", renewalInfo: renewalInfo(of: bought.original))
        try await server.purchases.receive(notification: own, at: now)
        // The device still sends the transaction without the grace period.
        #expect(await server.refusal(bought, by: session) == nil)
        #expect(try await server.purchases.purchase(of: session, at: time(day - 1)) != nil)
        #expect(try await server.purchases.purchase(of: session, at: time(day)) == nil)
    }

    @Test func notificationsAboutNoLastingPurchaseChangeNothing() async throws {
        let server = try Server()
        let test = AppStoreContent.notification(
            type: "TEST", bundleID: bundleID, appAppleID: 42, signedDate: milliseconds(-50))
        #expect(try await server.purchases.receive(notification: body(appStore.sign(test)), at: now) == nil)
        let consumable = TestTransaction(kind: "Consumable").notification("REFUND")
        #expect(try await server.purchases.receive(notification: consumable, at: now) == nil)
        #expect(server.store.purchaseRow([1, 1, 2] + Array(TestTransaction().original.utf8)) == nil)
    }

    /// A refund of a registered purchase is rejected if it states a different kind of product. Otherwise the refund
    /// would be lost.
    @Test(arguments: [("Auto-Renewable Subscription", #","advancedCommerceInfo":{}"#), ("Other", "")])
    func aPurchaseThatCountedIsNotAcknowledgedAsAnotherKind(kind: String, members: String) async throws {
        let server = try Server()
        var other = TestTransaction().revoked
        (other.kind, other.members) = (kind, other.members + members)
        #expect(await server.rejection(of: other) == nil)
        #expect(await server.refusal(TestTransaction(), by: server.session()) == nil)
        #expect(await server.rejection(of: other) == .otherKind)
        for (count, expected) in [(1, nil), (64, nil), (65, .malformedIdentifier), (0, .malformedIdentifier)]
            as [(Int, PurchaseRefusal?)]
        {
            other.original = String(repeating: "9", count: count)
            #expect(await server.rejection(of: other) == expected, "\(count)")
        }
    }

    /// Two servers share one store and receive concurrent requests from many devices.
    @Test func concurrentKeysNeverExceedTheirNumber() async throws {
        let store = InMemoryStore()
        let servers = [try Server(store: store, maximumKeys: 2), try Server(store: store, maximumKeys: 2)]
        var sessions: [Session] = []
        for seed in 1...4 as ClosedRange<UInt8> { sessions.append(servers[0].session(device: seed)) }
        let transaction = TestTransaction()
        let refusals = await withTaskGroup(of: PurchaseRefusal?.self) { [sessions] group in
            for (index, session) in sessions.enumerated() {
                for delivery in 0..<2 {
                    group.addTask { await servers[(index + delivery) % 2].refusal(transaction, by: session) }
                }
            }
            var refusals: [PurchaseRefusal?] = []
            for await refusal in group { refusals.append(refusal) }
            return refusals
        }
        #expect(refusals.count == 8)
        #expect(refusals.filter { $0 == nil }.count == 4, "two keys, twice each")
        #expect(refusals.filter { $0 == .tooManyKeys(maximum: 2) }.count == 4)
        var active = 0
        for session in sessions where try await servers[1].purchases.purchase(of: session, at: now) != nil {
            active += 1
        }
        #expect(active == 2)
    }

    /// The store fails before or after each step, and the client repeats its request. The request takes effect once. If
    /// the key used a different purchase before, another key can use that purchase afterwards.
    @Test(arguments: [false, true]) func aRequestIsRepeatedAfterAnyOutage(changesPurchase: Bool) async throws {
        var outages = 0
        for step in 0..<7 {
            for takesEffect in [false, true] {
                let server = try Server(maximumKeys: 1)
                let (session, other) = (server.session(), server.session(device: 9))
                let former = TestTransaction(original: "7", product: "com.example.yearly")
                if changesPurchase { #expect(await server.refusal(former, by: session) == nil) }
                let failing = FailingStore(server.store, failingAt: step, takesEffect: takesEffect)
                let purchases = try server.purchases(in: failing)
                do {
                    try await purchases.register(signedTransaction: TestTransaction().jws, by: session, at: now)
                } catch {
                    #expect(error == .store(FailingStore.Outage()))
                    outages += 1
                }
                #expect(await server.refusal(TestTransaction(), by: session) == nil, "\(step)")
                let active = try #require(try await server.purchases.purchase(of: session, at: now))
                #expect(active.purchase.originalTransactionID == Array(TestTransaction().original.utf8))
                #expect(await server.refusal(TestTransaction(), by: other) == .tooManyKeys(maximum: 1))
                #expect(await server.refusal(former, by: other) == nil)
            }
        }
        // A request reads and writes two rows. A change of purchase also reads the key's row at the start and a
        // purchase row at the end.
        #expect(outages == 2 * (changesPurchase ? 6 : 4))
    }

    /// If a change of purchase stops between its two writes, a different key can take the place in the new purchase.
    @Test func anUnfinishedChangeGivesUpItsPlace() async throws {
        let server = try Server(maximumKeys: 1)
        let former = TestTransaction(original: "7", product: "com.example.yearly")
        #expect(await server.refusal(former, by: server.session()) == nil)
        let failing = FailingStore(server.store, failingAt: 4, takesEffect: false)
        await #expect(throws: PurchasesError<FailingStore.Outage>.store(FailingStore.Outage())) {
            try await server.purchases(in: failing)
                .register(signedTransaction: TestTransaction().jws, by: server.session(), at: now)
        }
        #expect(try await server.purchases.keys(ofPurchase: Array(TestTransaction().original.utf8)).count == 1)
        #expect(await server.refusal(TestTransaction(), by: server.session(device: 9)) == nil)
        #expect(await server.refusal(TestTransaction(), by: server.session()) == .tooManyKeys(maximum: 1))
    }

    /// At each step of a request, a second process serves a different key. Only one of the keys is accepted.
    @Test func interleavedKeysNeverExceedTheirNumber() async throws {
        for step in 0..<5 {
            let server = try Server(maximumKeys: 1)
            let (first, second) = (server.session(), server.session(device: 9))
            let interrupted = FailingStore(server.store, failingAt: step, takesEffect: true) {
                _ = await server.refusal(TestTransaction(), by: second)
            }
            let rejection = try await refusal(server.purchases(in: interrupted), TestTransaction().jws, first)
            var active: [Session] = []
            for session in [first, second] where try await server.purchases.purchase(of: session, at: now) != nil {
                active.append(session)
            }
            #expect(active.map(\.keyID) == [rejection == nil ? first.keyID : second.keyID], "\(step)")
        }
    }

    /// At each step of a change of purchase, a second process serves a different key.
    @Test func interleavedChangesNeverExceedTheirNumber() async throws {
        for step in 0..<7 {
            let server = try Server(maximumKeys: 1)
            let (first, second) = (server.session(), server.session(device: 9))
            let former = TestTransaction(original: "7", product: "com.example.yearly")
            #expect(await server.refusal(former, by: first) == nil)
            let interrupted = FailingStore(server.store, failingAt: step, takesEffect: true) {
                _ = await server.refusal(TestTransaction(), by: second)
            }
            let rejection = try await refusal(server.purchases(in: interrupted), TestTransaction().jws, first)
            let holders = try await server.purchases.keys(ofPurchase: Array(TestTransaction().original.utf8))
            #expect(holders == [rejection == nil ? first.keyID : second.keyID], "\(step)")
        }
    }

    /// At each step of a request, a second process serves the same key for a different purchase.
    @Test func interleavedPurchasesOfOneKeyLeaveOne() async throws {
        for step in 0..<5 {
            let server = try Server(maximumKeys: 1)
            let session = server.session()
            let other = TestTransaction(original: "7", product: "com.example.yearly")
            let interrupted = FailingStore(server.store, failingAt: step, takesEffect: true) {
                _ = await server.refusal(other, by: session)
            }
            #expect(try await refusal(server.purchases(in: interrupted), TestTransaction().jws, session) == nil)
            #expect(try await server.purchases.purchase(of: session, at: now) != nil, "\(step)")
        }
    }

    @Test func aRepeatedRequestWritesNothing() async throws {
        let (server, session) = try Server.withSession()
        let first = FailingStore(server.store, failingAt: .max, takesEffect: false)
        try await server.purchases(in: first).register(signedTransaction: TestTransaction().jws, by: session, at: now)
        #expect(first.count == 4, "both rows are read and written")
        let counting = FailingStore(server.store, failingAt: .max, takesEffect: false)
        try await server.purchases(in: counting).register(
            signedTransaction: TestTransaction().jws, by: session, at: now)
        #expect(counting.count == 2, "both rows are read")
    }

    @Test func endlessContentionIsReported() async throws {
        let server = try Server()
        for isNotification in [false, true] {
            let losing = FailingStore(server.store, failingAt: .max, takesEffect: false, losesEveryWrite: true)
            let purchases = try server.purchases(in: losing)
            await #expect(throws: PurchasesError<FailingStore.Outage>.refused(.contended)) {
                if isNotification {
                    try await purchases.receive(notification: TestTransaction().notification("X"), at: now)
                } else {
                    try await purchases.register(
                        signedTransaction: TestTransaction().jws, by: server.session(), at: now)
                }
            }
            #expect(losing.count == 128, "64 reads and 64 writes")
        }
    }
}

extension Server {
    fileprivate func purchases<Store: PurchaseStore>(in store: Store) throws -> Purchases<Store> {
        Purchases(
            of: party, verifier: try signedDataVerifier(), products: products,
            maximumKeys: purchases.rules[0].maximumKeys, store: store)
    }
}
