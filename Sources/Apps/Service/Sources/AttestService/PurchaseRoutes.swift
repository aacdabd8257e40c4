import AttestMiddleware
import Hummingbird
import PureAttest
import PureAttestPurchases
import PureAttestServer
import PureJWS

/// `POST /purchase`, with which a key uses a purchase, and `POST /notifications`, which the App Store calls.
struct PurchaseRoutes<Store: RelyingPartyStore & PurchaseStore>: Sendable {
    let party: RelyingParty<Store>
    let purchases: AcceptedPurchases<Store>
    let now: @Sendable () -> UnixTime

    /// The largest body of `/purchase`. A transaction has about 6 KB.
    static var maximumBody: Int { 32_768 }

    func add(to router: Router<AttestContext>) {
        let proven = ProvenMiddleware(party, maximumBody: Self.maximumBody, now: now)
        router.group().add(middleware: proven).post("purchase") { request, context in
            let body = try await request.message("signedTransaction", upTo: Self.maximumBody)
            let transaction = Array((body["signedTransaction"] ?? "").utf8)
            do { return PurchaseResponse(try await register(transaction, context.attest)) } catch {
                context.logger.info("A purchase is rejected", metadata: ["reason": "\(error)"])
                throw error
            }
        }
        router.post("notifications") { request, context in
            do {
                let body = try await request.bytes(upTo: JSONWebSignature.maximumSize)
                _ = try await purchases.inItsEnvironment { try await $0.receive(notification: body, at: now()) }
            } catch {
                context.logger.warning("A notification is rejected", metadata: ["reason": "\(error)"])
                // Apple promises to repeat a notification after 40x too, but was seen not to.
                throw RequestFault.internalError
            }
            return HTTPResponse.Status.ok
        }
    }

    private func register(_ transaction: [UInt8], _ findings: AttestFindings) async throws -> Purchase {
        try await purchases.inItsEnvironment { purchases in
            if let authentication = findings.authentication {
                return try await purchases.register(signedTransaction: transaction, by: authentication, at: now())
            }
            guard let session = findings.session else { throw RequestFault.internalError }
            return try await purchases.register(signedTransaction: transaction, by: session, at: now())
        }
    }
}
