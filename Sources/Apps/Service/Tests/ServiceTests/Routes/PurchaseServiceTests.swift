import Foundation
import PureAppStoreTesting
import ServiceClient
import Testing

@Suite(.serialized) struct PurchaseServiceTests {
    static let store = TestAppStore(seed: 1)
    static let settings = [
        "ATTEST_PURCHASE_PRODUCTS": "com.example.monthly=500:5000", "ATTEST_APP_APPLE_ID": "42",
        "ATTEST_PURCHASE_SANDBOX_PRODUCTS": "com.example.monthly=200:2000", "ATTEST_PURCHASE_KEYS": "2",
    ]

    /// A transaction of a subscription that lasts for a day.
    ///
    /// - Parameter signed: the time of the signature, in seconds after now.
    static func transaction(
        _ environment: String = "Sandbox", signed: Int64 = 0, bundleID: String = "com.example.app", more: String = ""
    ) -> [UInt8] {
        let now = milliseconds(0)
        return AppStoreContent.transaction(
            bundleID: bundleID, originalTransactionID: environment == "Sandbox" ? "1" : "2", environment: environment,
            signedDate: now + 1_000 * signed, purchaseDate: started, expiresDate: started + 86_400_000, more: more)
    }

    static func notification(_ type: String, _ environment: String = "Sandbox", about json: [UInt8]? = nil) -> [UInt8] {
        let payload = AppStoreContent.notification(
            type: type, bundleID: "com.example.app", appAppleID: environment == "Sandbox" ? nil : 42,
            environment: environment, signedDate: milliseconds(0), signedTransaction: json.map { store.sign($0) })
        return Array(#"{"signedPayload":""#.utf8) + store.sign(payload) + Array(#""}"#.utf8)
    }

    /// The time of purchase, constant so that all transactions belong to one period of the subscription.
    private static let started = milliseconds(-60)

    private static func milliseconds(_ seconds: Int64) -> Int64 {
        (Int64(Date().timeIntervalSince1970) + seconds) * 1_000
    }

    private static var revoked: String { #","revocationDate":\#(milliseconds(-10)),"revocationReason":0"# }

    /// Sends a request that reserves 400 units and uses none.
    private func unitsLeft(_ bench: GenerateTests.Bench) async throws -> Int? {
        bench.upstream.answer(.json(used: 0))
        return try await bench.ask().headers["attest-units-left"].flatMap { Int($0) }
    }

    private func register(
        _ json: [UInt8], _ bench: GenerateTests.Bench, token: String? = nil
    ) async throws -> HTTPAnswerReceived {
        let jws = String(decoding: Self.store.sign(json), as: UTF8.self)
        return try await onThread {
            try bench.service.connect().send(
                "POST", "/purchase", json: ["signedTransaction": jws], token: token ?? bench.token)
        }
    }

    private func notify(_ body: [UInt8], _ bench: GenerateTests.Bench) async throws -> Int {
        try await onThread {
            try bench.service.connect().post("/notifications", body).status
        }
    }

    @Test(arguments: [("Sandbox", 2_000), ("Production", 5_000)])
    func aPurchaseRaisesTheBudgetUntilItIsRefunded(environment: String, units: Int) async throws {
        let bench = try await GenerateTests.Bench(Self.settings)
        #expect(try await unitsLeft(bench) == 600)
        let answer = try await register(Self.transaction(environment), bench)
        #expect(answer.status == 200 && answer.body["productID"] == "com.example.monthly", "\(answer.text)")
        #expect(answer.body["expiresAt"].flatMap { Int($0) } ?? 0 > Int(Date().timeIntervalSince1970))
        #expect(answer.headers["attest-challenge"] != nil && answer.headers["cache-control"] == "no-store")
        #expect(try await unitsLeft(bench) == units - 400)
        // Send the notification twice, because the App Store repeats notifications.
        let refund = Self.notification(
            "REFUND", environment, about: Self.transaction(environment, signed: 5, more: Self.revoked))
        for _ in 0..<2 { #expect(try await notify(refund, bench) == 200) }
        #expect(try await unitsLeft(bench) == 600)
        // Register the transaction that the App Store signed before the refund.
        let again = try await register(Self.transaction(environment), bench)
        #expect(again.status == 422 && again.text == #"{"error":"refused"}"#)
    }

    @Test func aSignedRequestUsesItsPurchase() async throws {
        let bench = try await GenerateTests.Bench(Self.settings)
        let jws = String(decoding: Self.store.sign(Self.transaction()), as: UTF8.self)
        bench.upstream.answer(.json(used: 0))
        try await onThread {
            let connection = try bench.service.connect()
            func send(_ path: String, _ body: String) throws -> HTTPAnswerReceived {
                let bytes = Array(body.utf8)
                let headers = try bench.device.signature(of: "POST", path, body: bytes, over: connection)
                return try connection.post(path, bytes, headers: headers)
            }
            #expect(try send("/purchase", #"{"signedTransaction":"\#(jws)"}"#).status == 200)
            #expect(try send("/generate", GenerateTests.Bench.prompt).headers["attest-units-left"] == "1600")
        }
    }

    @Test func aPurchaseHasAsManyKeysAsSet() async throws {
        let bench = try await GenerateTests.Bench(Self.settings)
        var answers = [try await register(Self.transaction(), bench).status]
        for seed: UInt64 in 81...82 {
            let token = try await onThread {
                let device = ServiceDevice(RunningService.device(seed: seed))
                let connection = try bench.service.connect()
                try device.attest(over: connection)
                return try device.session(over: connection)
            }
            answers.append(try await register(Self.transaction(), bench, token: token).status)
        }
        #expect(answers == [200, 200, 422])
        // A key that already uses the purchase may register it again.
        #expect(try await register(Self.transaction(), bench).status == 200)
    }

    @Test func otherDataIsRejected() async throws {
        let bench = try await GenerateTests.Bench(Self.settings)
        let other = TestAppStore(seed: 2).sign(Self.transaction())
        let good = String(decoding: Self.store.sign(Self.transaction()), as: UTF8.self)
        for json in [
            Self.transaction("Xcode"), Self.transaction(bundleID: "com.example.other"), Self.transaction(signed: 3_600),
            Self.transaction(signed: -5, more: Self.revoked), Array("{}".utf8),
        ] { #expect(try await register(json, bench).status == 422) }
        try await onThread {
            func send(_ json: [String: String]?, token: String? = bench.token) throws -> String {
                let answer = try bench.service.connect().send("POST", "/purchase", json: json, token: token)
                return "\(answer.status) \(answer.body["error"] ?? "")"
            }
            #expect(try send(["signedTransaction": String(decoding: other, as: UTF8.self)]) == "422 refused")
            #expect(try send(["signedTransaction": ""]) == "422 refused")
            #expect(try send(["transaction": good]) == "400 malformedRequest")
            #expect(try send(nil) == "415 unsupportedMediaType")
            #expect(
                try send(["signedTransaction": String(repeating: "a", count: 32_768)]) == "413 tooLarge")
            #expect(try send(["signedTransaction": good], token: nil) == "401 refused")
            let unattested = try bench.service.connect().send("POST", "/unattested").body["token"]
            #expect(try send(["signedTransaction": good], token: unattested) == "401 refused")
        }
        #expect(try await unitsLeft(bench) == 600)
    }

    @Test func notificationsAreStoredOrRepeated() async throws {
        let bench = try await GenerateTests.Bench(Self.settings)
        #expect(try await notify(Self.notification("TEST"), bench) == 200)
        #expect(try await notify(Self.notification("TEST", "Production"), bench) == 200)
        for body in [
            [], Array("{}".utf8), Array(#"{"signedPayload":"a.b.c"}"#.utf8), Array(#"{"notification_type":"x"}"#.utf8),
            Self.notification("TEST", "Xcode"),
        ] { #expect(try await notify(body, bench) == 500) }
    }

    @Test(arguments: [
        (without: "ATTEST_PURCHASE_SANDBOX_PRODUCTS", other: "Sandbox", accepted: "Production", units: 5_000),
        (without: "ATTEST_PURCHASE_PRODUCTS", other: "Production", accepted: "Sandbox", units: 2_000),
    ])
    func onlyTheListedEnvironmentCounts(without: String, other: String, accepted: String, units: Int) async throws {
        let isProduction = accepted == "Production"
        let settings = Self.settings.filter { name, _ in
            name != without && (isProduction || name != "ATTEST_APP_APPLE_ID")
        }
        let bench = try await GenerateTests.Bench(settings)
        #expect(try await register(Self.transaction(other), bench).status == 422)
        #expect(try await notify(Self.notification("TEST", other), bench) == 500)
        #expect(try await unitsLeft(bench) == 600)
        #expect(try await register(Self.transaction(accepted), bench).status == 200)
        #expect(try await notify(Self.notification("TEST", accepted), bench) == 200)
        #expect(try await unitsLeft(bench) == units - 400)
    }

    @Test func aRefundThatIsNotStoredIsRepeated() async throws {
        let folder = try TemporaryFolder()
        let settings = ["ATTEST_STORE_SECONDS": "1"].merging(Self.settings) { $1 }
        let bench = try await GenerateTests.Bench(database: folder.database.path, settings)
        #expect(try await register(Self.transaction(), bench).status == 200)
        let refund = Self.notification("REFUND", about: Self.transaction(signed: 5, more: Self.revoked))
        let database = try SQLiteFile(folder.database)
        try database.run("BEGIN EXCLUSIVE")
        #expect(try await notify(refund, bench) == 500)
        try database.run("ROLLBACK")
        #expect(try await unitsLeft(bench) == 1_600)
        #expect(try await notify(refund, bench) == 200)
        #expect(try await unitsLeft(bench) == 600)
    }

    @Test func withoutProductsTheRoutesAreAbsent() async throws {
        let bench = try await GenerateTests.Bench()
        #expect(try await register(Self.transaction(), bench).status == 404)
        #expect(try await notify(Self.notification("TEST"), bench) == 404)
    }
}
