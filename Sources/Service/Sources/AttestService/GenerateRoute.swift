import AttestMiddleware
import HTTPTypes
import Hummingbird
import PureAttest
import PureAttestServer

/// Lets requests pass that carry the token of a session, or that a registered key has signed.
struct ProvenMiddleware<Store: RelyingPartyStore>: RouterMiddleware {
    let session: SessionMiddleware<Store, AttestContext>
    let signed: SignedRequestMiddleware<Store, AttestContext>

    func handle(
        _ request: Request, context: AttestContext, next: (Request, AttestContext) async throws -> Response
    ) async throws -> Response {
        // Whoever signs says by which key; nobody else does.
        try await request.headers.contains(.attestKey)
            ? signed.handle(request, context: context, next: next)
            : session.handle(request, context: context, next: next)
    }
}

/// `POST /generate`: streams from a language model, on the budget of whoever asks.
struct GenerateRoute<Store: RelyingPartyStore>: Sendable {
    let party: RelyingParty<Store>
    let upstream: Upstream
    let now: @Sendable () -> UnixTime

    func add(to router: Router<AttestContext>) {
        let proven = ProvenMiddleware(
            session: SessionMiddleware(party, now: now),
            signed: SignedRequestMiddleware(party, maximumBody: Generation.maximumBody, now: now))
        router.group().add(middleware: proven).post("generate") { request, context in
            try await answer(request, context)
        }
    }

    private func answer(_ request: Request, _ context: AttestContext) async throws -> Response {
        let prompt = try Prompt(try await request.jsonBytes(upTo: Generation.maximumBody), upstream.generation)
        let reservation = try await reservation(prompt.units, context.attest)
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

    private func reservation(_ units: Int64, _ findings: AttestFindings) async throws -> BudgetReservation {
        if let authentication = findings.authentication {
            return try await party.spendBudget(units, by: authentication, at: now())
        }
        guard let session = findings.session else { throw RequestFault.internalError }
        return try await party.spendBudget(units, by: session, at: now())
    }

    private func headers(_ contentType: String, _ balance: BudgetBalance) -> HTTPFields {
        [
            .contentType: contentType, .attestRequestsLeft: String(balance.remaining.requests),
            .attestUnitsLeft: String(balance.remaining.units),
            .attestBudgetResets: String(balance.resetsAt.secondsSince1970),
        ]
    }

    /// The answer as it comes. Where it does not come to its end, as the client or the upstream went away or took too long, nobody knows what
    /// was used: the reservation stays spent, and the connection ends without the response's end.
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
            // Before the client sees the end, so that its next request finds what is left. A store that is out of order takes nothing from
            // an answer that is there.
            do { try await party.settle(reservation, used: counter.used()) } catch {
                context.logger.error("A reservation stays spent", metadata: ["reason": "\(error)"])
            }
            try await writer.finish(nil)
        }
    }
}

/// The upstream can't be reached, or refuses: nothing the client can repair, as with the store.
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
