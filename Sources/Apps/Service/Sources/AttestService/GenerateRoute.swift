import AttestMiddleware
import HTTPTypes
import Hummingbird
import PureAttest
import PureAttestPurchases
import PureAttestServer

/// `POST /generate`: streams a language model's answer and charges the budget of the device's key, or of its purchase.
struct GenerateRoute<Store: RelyingPartyStore & PurchaseStore>: Sendable {
    let party: RelyingParty<Store>
    let purchases: Purchases<Store>?
    let upstream: Upstream
    let now: @Sendable () -> UnixTime

    func add(to router: Router<AttestContext>) {
        let proven = ProvenMiddleware(party, maximumBody: Generation.maximumBody, now: now)
        router.group().add(middleware: proven).post("generate") { request, context in
            try await answer(request, context)
        }
    }

    private func answer(_ request: Request, _ context: AttestContext) async throws -> Response {
        let prompt = try Prompt(try await request.jsonBytes(upTo: Generation.maximumBody), upstream.generation)
        let reservation = try await reservation(prompt.units, context)
        switch await upstream.ask(prompt.body) {
        case .answer(let type, let body):
            return Response(
                status: .ok, headers: headers(type, reservation.balance),
                body: passing(
                    body, UsageCounter(contentType: type, path: upstream.generation.usage), reservation, context))
        case .refused(let reason):
            try await party.settle(reservation, used: 0)
            throw UpstreamOutOfOrder(reason, context)
        case .unknown(let reason):
            try await party.settle(reservation, used: nil)
            throw UpstreamOutOfOrder(reason, context)
        }
    }

    private func reservation(_ units: Int64, _ context: AttestContext) async throws -> BudgetReservation {
        if let authentication = context.attest.authentication {
            let allowance = try await purchases?.logging(context) {
                try await $0.allowance(of: authentication, at: now())
            }
            return try await party.spendBudget(units, by: authentication, from: allowance, at: now())
        }
        guard let session = context.attest.session else { throw RequestFault.internalError }
        let allowance = try await purchases?.logging(context) { try await $0.allowance(of: session, at: now()) }
        return try await party.spendBudget(units, by: session, from: allowance, at: now())
    }

    private func headers(_ contentType: String, _ balance: BudgetBalance) -> HTTPFields {
        [
            .contentType: contentType, .attestRequestsLeft: String(balance.remaining.requests),
            .attestUnitsLeft: String(balance.remaining.units),
            .attestBudgetResets: String(balance.resetsAt.secondsSince1970),
        ]
    }

    /// If the client or the upstream disconnects or takes too long, the usage is unknown. Then the whole reservation is
    /// charged, and the connection closes before the end of the response.
    private func passing(
        _ body: UpstreamBody, _ counter: UsageCounter, _ reservation: BudgetReservation, _ context: AttestContext
    ) -> ResponseBody {
        ResponseBody { writer in
            var counter = counter
            do {
                while let part = try await body.next() {
                    counter.add(part.readableBytesView)
                    try await writer.write(part)
                }
            } catch {
                context.logger.info("An answer did not come to its end", metadata: ["reason": "\(type(of: error))"])
                try await party.settle(reservation, used: nil)
                throw error
            }
            // Settle before the client sees the end of the answer, so that the client's next request finds the new
            // balance. If the store fails, the client still gets the complete answer.
            do { try await party.settle(reservation, used: counter.used()) } catch {
                context.logger.error("A reservation stays spent", metadata: ["reason": "\(error)"])
            }
            try await writer.finish(nil)
        }
    }
}

/// The upstream is unreachable or rejects the request. As with a store failure, the client cannot fix the cause.
struct UpstreamOutOfOrder: Answerable {
    init(_ reason: String, _ context: AttestContext) {
        context.logger.error("The upstream is out of order", metadata: ["reason": "\(reason)"])
    }

    func answer(_ policy: AnswerPolicy) -> HTTPAnswer {
        AttestServerError<UpstreamOutOfOrder>.store(self).answer(policy)
    }
}

extension HTTPField.Name {
    static let attestRequestsLeft = Self("Attest-Requests-Left")!
    static let attestUnitsLeft = Self("Attest-Units-Left")!
    static let attestBudgetResets = Self("Attest-Budget-Resets")!
}
