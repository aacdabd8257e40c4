import AttestMiddleware
import Hummingbird
import PureAttest
import PureAttestPurchases
import PureAttestServer

/// The routes `POST /purchase`, which makes a key use a purchase, and `POST /notifications`, which the App Store calls.
struct PurchaseRoutes<Store: RelyingPartyStore & PurchaseStore>: Sendable {
    let party: RelyingParty<Store>
    let purchases: Purchases<Store>
    let now: @Sendable () -> UnixTime

    /// The largest body of `/purchase`, in bytes. A transaction is about 6 KB long.
    static var maximumBody: Int { 32_768 }
    /// The largest body of `/notifications`, in bytes. Notifications of the App Store are up to 20 KB long.
    static var maximumNotification: Int { 65_536 }

    func add(to router: Router<AttestContext>) {
        let proven = ProvenMiddleware(party, maximumBody: Self.maximumBody, now: now)
        router.group().add(middleware: proven).post("purchase") { request, context in
            let body = try await request.message("signedTransaction", upTo: Self.maximumBody)
            let transaction = Array((body["signedTransaction"] ?? "").utf8)
            return PurchaseResponse(try await register(transaction, context))
        }
        router.post("notifications") { request, context in
            do {
                let body = try await request.bytes(upTo: Self.maximumNotification)
                _ = try await purchases.logging(context) {
                    try await $0.receive(notification: body, at: now())
                }
            } catch {
                // Answer every error with 500. Apple documents that the App Store repeats a notification after 40x too,
                // but observations contradict this.
                throw RequestFault.internalError
            }
            return HTTPResponse.Status.ok
        }
    }

    private func register(_ transaction: [UInt8], _ context: AttestContext) async throws -> Purchase {
        try await purchases.logging(context) { purchases in
            if let authentication = context.attest.authentication {
                return try await purchases.register(signedTransaction: transaction, by: authentication, at: now())
            }
            guard let session = context.attest.session else { throw RequestFault.internalError }
            return try await purchases.register(signedTransaction: transaction, by: session, at: now())
        }
    }
}
