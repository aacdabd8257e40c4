public import Hummingbird
public import PureAttest
public import PureAttestServer

/// Lets requests pass that carry the token of a session.
public struct SessionMiddleware<Store: RelyingPartyStore, Context: AttestRequestContext>: RouterMiddleware {
    private let party: RelyingParty<Store>
    private let now: @Sendable () -> UnixTime

    /// - Parameter now: the clock.
    public init(_ party: RelyingParty<Store>, now: @escaping @Sendable () -> UnixTime) {
        self.party = party
        self.now = now
    }

    /// Routes behind it find ``AttestFindings/session``.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        // No token is an invalid one.
        context.attest.session = try await party.verifySession(request.bearerToken ?? [], at: now())
        return try await next(request, context)
    }
}

/// Lets requests pass that carry a token of the unattested tier.
public struct UnattestedMiddleware<Store: RelyingPartyStore, Context: AttestRequestContext>: RouterMiddleware {
    private let party: RelyingParty<Store>
    private let now: @Sendable () -> UnixTime

    /// - Parameter now: the clock.
    public init(_ party: RelyingParty<Store>, now: @escaping @Sendable () -> UnixTime) {
        self.party = party
        self.now = now
    }

    /// Routes behind it know that somebody took the trouble to get a token, and nothing else.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        _ = try party.verifyUnattestedSession(request.bearerToken ?? [], at: now())
        return try await next(request, context)
    }
}
