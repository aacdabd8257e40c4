public import AttestMiddleware
public import Hummingbird
import HTTPTypes
import NIOCore
public import PureAttest
public import PureAttestPurchases
public import PureAttestServer
import PureBytes
public import ServiceMetrics

/// The routes of the service, which `openapi.json` describes. ``PureAttestServer/RelyingParty`` verifies App Attest,
/// and the middleware handles malformed requests.
public struct AttestRoutes<Store: RelyingPartyStore & PurchaseStore>: Sendable {
    let party: RelyingParty<Store>
    let purchases: Purchases<Store>?
    let options: RouteOptions
    let now: @Sendable () -> UnixTime

    /// - Parameters:
    ///   - party: the relying party.
    ///   - purchases: the purchases; `nil` omits the purchase routes.
    ///   - options: other options.
    ///   - now: the clock.
    public init(
        _ party: RelyingParty<Store>, purchases: Purchases<Store>? = nil, options: RouteOptions,
        now: @escaping @Sendable () -> UnixTime
    ) {
        self.party = party
        self.purchases = purchases
        self.options = options
        self.now = now
    }

    /// The largest body of an attestation request, in bytes: JSON with the largest attestation in Base64.
    static var maximumBody: Int { 98_304 }

    /// Returns a router with all routes and their middleware.
    public var router: Router<AttestContext> {
        let router = Router(context: AttestContext.self)
        router.add(middleware: RequestMetrics())
        router.add(middleware: ErrorMiddleware(party.configuration.answerPolicy))
        // Before the proxy middleware, because operators do not connect through the proxy.
        addOperation(to: router)
        if let header = options.forwardedBy { router.add(middleware: ForwardedAddressMiddleware(header)) }
        addAttestedTier(to: router)
        if party.android != nil { addAndroid(to: router) }
        addUnattestedTier(to: router)
        if let upstream = options.upstream {
            GenerateRoute(party: party, purchases: purchases, upstream: upstream, now: now).add(to: router)
        }
        if let purchases { PurchaseRoutes(party: party, purchases: purchases, now: now).add(to: router) }
        return router
    }

    private func addAttestedTier(to router: Router<AttestContext>) {
        router.post("challenge") { request, context in
            let body = try await request.message("purpose", "keyID", upTo: 1_024)
            let purpose: Challenge.Purpose
            switch body["purpose"] {
            case "attestation": purpose = .attestation
            case "assertion": purpose = .assertion
            default: throw RequestFault.malformed("purpose")
            }
            let challenge = try party.issueChallenge(
                purpose: purpose, keyID: body.bytes("keyID", count: 32), clientAddress: context.attest.clientAddress,
                at: now())
            return ChallengeResponse(challenge)
        }
        router.post("attest") { request, context in
            let body = try await request.message("keyID", "challenge", "attestation", upTo: Self.maximumBody)
            let registration = try await party.register(
                attestation: body.bytes("attestation"), keyID: body.bytes("keyID", count: 32),
                challenge: body.bytes("challenge"), clientAddress: context.attest.clientAddress, at: now())
            let keyID = registration.record.key.keyID
            return EditedResponse(
                headers: party.nextChallenge(for: keyID, at: now()),
                response: AttestResponse(
                    keyID: base64EncodedString(keyID), isNew: registration.isNew,
                    SessionResponse(party.session(from: registration))))
        }
        router.post("session") { request, context in
            let body = try await request.message("keyID", "challenge", "assertion", upTo: 8_192)
            let authentication = try await party.authenticate(
                assertion: body.bytes("assertion"), keyID: body.bytes("keyID", count: 32),
                challenge: body.bytes("challenge"), clientAddress: context.attest.clientAddress, at: now())
            return EditedResponse(
                headers: party.nextChallenge(for: authentication.record.key.keyID, at: now()),
                response: SessionResponse(party.session(from: authentication)))
        }
        let inSession = router.group().add(middleware: SessionMiddleware(party, now: now))
        inSession.get("protected") { _, context in
            ProtectedResponse(keyID: base64EncodedString(context.attest.session?.keyID ?? []))
        }
        router.group().add(middleware: SignedRequestMiddleware(party, now: now)).post("signed") { _, context in
            ProtectedResponse(keyID: base64EncodedString(context.attest.authentication?.record.key.keyID ?? []))
        }
        inSession.post("logout") { _, context in
            if let session = context.attest.session { try await party.endSession(session) }
            return HTTPResponse.Status.noContent
        }
    }

    /// Any client can get a token of this tier for `/open`. It is never valid for `/protected`.
    private func addUnattestedTier(to router: Router<AttestContext>) {
        router.post("unattested") { _, context in
            SessionResponse(try party.unattestedSession(for: context.attest.clientAddress, at: now()))
        }
        router.group().add(middleware: UnattestedMiddleware(party, now: now)).get("open") { _, _ in OpenResponse() }
    }

    private func addOperation(to router: Router<AttestContext>) {
        let health = HealthCheck { [store = party.store] in
            do {
                // Any key identifier suffices to test whether the store answers.
                _ = try await store.key([UInt8](repeating: 0, count: 32))
                return true
            } catch { return false }
        }
        router.get("health") { _, _ in
            guard await health.isHealthy() else { throw StoreUnavailable() }
            return StatusResponse(status: "ok")
        }
        guard let metrics = options.metrics else { return }
        router.group().add(middleware: OperatorMiddleware(token: metrics.token)).get("metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.registry.text)))
        }
    }
}

/// Options of the routes, in addition to the relying party's configuration.
public struct RouteOptions: Sendable {
    /// The header to which the service's own proxy appends the client address.
    public var forwardedBy: HTTPField.Name?
    /// The metrics that `/metrics` shows, and the token that this route requires. `nil` omits the route.
    public var metrics: (registry: MetricsRegistry, token: [UInt8])?
    /// The language model of `/generate`. `nil` omits the route. The route needs `RelyingPartyConfiguration.budget`.
    public var upstream: Upstream?

    /// The defaults.
    public init() {}
}

struct OperatorMiddleware: RouterMiddleware {
    let token: [UInt8]

    func handle(
        _ request: Request, context: AttestContext, next: (Request, AttestContext) async throws -> Response
    ) async throws -> Response {
        guard let given = request.bearerToken, constantTimeEquals(given, token) else {
            throw AttestServerError<Never>.refused(.invalidToken)
        }
        return try await next(request, context)
    }
}
