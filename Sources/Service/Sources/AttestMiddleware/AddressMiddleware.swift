public import Hummingbird
import HTTPTypes
public import PureAttest
public import PureAttestServer

/// Admits requests by the address that they come from, before anything of them is read: a client that makes up a new key identifier
/// for each request has one allowance all the same.
public struct AddressMiddleware<Context: AttestRequestContext>: RouterMiddleware {
    private let limiter: RateLimiter
    private let forwardedBy: HTTPField.Name?
    private let now: @Sendable () -> UnixTime

    /// - Parameters:
    ///   - limit: of each address; `nil`: none.
    ///   - names: how many addresses are told apart; further ones share one allowance.
    ///   - forwardedBy: the header in which the service's own proxy writes the client's address last, such as
    ///     `X-Forwarded-For`. Only for a service that nobody reaches past the proxy: whoever does writes what they like.
    ///   - now: the clock.
    public init(
        limit: RateLimit?, names: Int = 65_536, forwardedBy: HTTPField.Name? = nil,
        now: @escaping @Sendable () -> UnixTime
    ) {
        limiter = RateLimiter(limit, capacity: names)
        self.forwardedBy = forwardedBy
        self.now = now
    }

    /// Refuses excess with 429.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let forwardedBy {
            guard let list = request.headers[values: forwardedBy].last, let last = list.split(separator: ",").last,
                let address = ClientAddress(text: last)
            else { throw RequestFault.malformedRequest }
            context.attest.source = address
        }
        do { try limiter.admit(context.attest.source.bytes, at: now()) } catch {
            throw AttestServerError<Never>.refused(error)
        }
        return try await next(request, context)
    }
}
