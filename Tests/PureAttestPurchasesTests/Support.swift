import PureAppStore
import PureAppStoreTesting
import PureAttest
import PureAttestPurchases
import PureAttestServer
import PureAttestTesting
import PureDER
import PureX509
import Testing

@testable import PureAttestServerCore

/// 2026-09-15T12:00:00Z.
let now = UnixTime(secondsSince1970: 1_789_473_600)

func time(_ seconds: Int64) -> UnixTime { UnixTime(secondsSince1970: now.secondsSince1970 + seconds) }

/// Milliseconds since 1970, `seconds` after `now`.
func milliseconds(_ seconds: Int64) -> Int64 { (now.secondsSince1970 + seconds) * 1_000 }

let day: Int64 = 86_400
let appStore = TestAppStore(seed: 1)
let bundleID = "com.example.app"

let products = [
    ProductBudget(productID: "com.example.monthly", Budget(days: 1, requests: 100, units: 1_000)),
    ProductBudget(productID: "com.example.yearly", Budget(days: 1, requests: 200, units: 5_000)),
]

func signedDataVerifier(_ environment: AppStoreEnvironment = .sandbox) throws -> SignedDataVerifier {
    try SignedDataVerifier(
        bundleIDUTF8: bundleID.utf8, appAppleID: 42, environment: environment,
        testRoots: [Certificate(derEncoded: appStore.root)])
}

func body(_ signedPayload: [UInt8]) -> [UInt8] {
    Array(#"{"signedPayload":""#.utf8) + signedPayload + Array(#""}"#.utf8)
}

/// A transaction for the monthly product. Times are in seconds after `now`.
struct TestTransaction {
    var id = "2000000000000001"
    var original = "2000000000000001"
    var product = "com.example.monthly"
    var environment = "Sandbox"
    var purchased: Int64 = -100
    var expires: Int64? = 30 * day
    var signed: Int64 = -50
    var members = ""
    var kind = "Auto-Renewable Subscription"

    var revoked: TestTransaction {
        var revoked = self
        revoked.signed += 20
        revoked.members = #","revocationDate":\#(milliseconds(-40)),"revocationReason":0"#
        return revoked
    }

    var renewed: TestTransaction {
        var renewed = self
        renewed.id = "2000000000000009"
        renewed.purchased += 1
        renewed.expires = expires.map { $0 + 30 * day }
        return renewed
    }

    var json: [UInt8] {
        let json = AppStoreContent.transaction(
            bundleID: bundleID, productID: product, transactionID: id, originalTransactionID: original,
            environment: environment, signedDate: milliseconds(signed), purchaseDate: milliseconds(purchased),
            expiresDate: expires.map { milliseconds($0) }, more: members)
        let text = String(decoding: json, as: UTF8.self)
        return Array(text.replacing("Auto-Renewable Subscription", with: kind).utf8)
    }

    var jws: [UInt8] { appStore.sign(json) }

    func notificationJSON(_ type: String, renewalInfo: [UInt8]? = nil) -> [UInt8] {
        AppStoreContent.notification(
            type: type, bundleID: bundleID, appAppleID: 42, environment: environment,
            signedDate: milliseconds(signed), signedTransaction: jws, signedRenewalInfo: renewalInfo)
    }

    func notification(_ type: String, renewalInfo: [UInt8]? = nil) -> [UInt8] {
        body(appStore.sign(notificationJSON(type, renewalInfo: renewalInfo)))
    }
}
struct Server: Sendable {
    static let authority = TestCertificateAuthority(seed: 1)
    static let app = AppID(teamID: "TEST123456", bundleID: bundleID)

    let store: InMemoryStore
    let party: RelyingParty<InMemoryStore>
    let purchases: Purchases<InMemoryStore>
    let environment: Environment

    init(
        store: InMemoryStore = InMemoryStore(), _ environment: Environment = .production,
        _ appStoreEnvironment: AppStoreEnvironment = .sandbox, maximumKeys: Int = PurchaseRules.defaultMaximumKeys,
        products: [ProductBudget] = products
    ) throws {
        self.store = store
        self.environment = environment
        var configuration = RelyingPartyConfiguration()
        configuration.budget = Budget(days: 1, requests: 5, units: 10)
        party = RelyingParty(
            verifier: .trustingTestDevices(
                of: Self.authority, apps: [Self.app], environment: environment, launchPolicy: .reportOnly),
            store: store,
            sessionKeys: SessionKeys(
                current: try #require(SessionKey(id: "2026-09", secret: [UInt8](repeating: 0x5A, count: 32)))),
            configuration: configuration)
        purchases = Purchases(
            of: party, verifier: try signedDataVerifier(appStoreEnvironment), products: products,
            maximumKeys: maximumKeys, store: store)
    }

    static func withSession() throws -> (Server, Session) {
        let server = try Server()
        return (server, server.session())
    }

    func session(device seed: UInt8 = 7) -> Session {
        Session(
            keyID: [UInt8](repeating: seed, count: 32), audience: [], platform: .appAttest(environment), account: nil,
            validationCategory: nil, bundleVersion: nil, codeDirectoryHash: nil, issuedAt: now, expiresAt: time(900),
            tokenID: [UInt8](repeating: seed, count: 16))
    }

    func refusal(
        _ transaction: TestTransaction, by session: Session, at time: UnixTime = now
    ) async -> PurchaseRefusal? {
        await refusal(signed: transaction.jws, by: session, at: time)
    }

    /// Returns why a notification about a transaction is rejected, or `nil` if it is accepted.
    func rejection(of transaction: TestTransaction) async -> PurchaseRefusal? {
        do {
            try await purchases.receive(notification: transaction.notification("REFUND"), at: now)
            return nil
        } catch {
            guard case .refused(let refusal) = error else { return nil }
            return refusal
        }
    }

    func refusal(signed jws: [UInt8], by session: Session, at time: UnixTime = now) async -> PurchaseRefusal? {
        await PureAttestPurchasesTests.refusal(purchases, jws, session, at: time)
    }
}

/// Returns why a transaction is rejected, or `nil` if it is accepted. Records an issue if the store fails.
func refusal<Store: PurchaseStore>(
    _ purchases: Purchases<Store>, _ jws: [UInt8], _ session: Session, at time: UnixTime = now
) async -> PurchaseRefusal? {
    do {
        try await purchases.register(signedTransaction: jws, by: session, at: time)
        return nil
    } catch {
        switch error {
        case .refused(let refusal): return refusal
        default:
            Issue.record(error)
            return nil
        }
    }
}
