import AttestMiddleware
import Hummingbird
import PureAttest
import PureAttestServer

/// Passes on only requests that carry a valid session token or a registered key's signature.
struct ProvenMiddleware<Store: RelyingPartyStore>: RouterMiddleware {
    private let session: SessionMiddleware<Store, AttestContext>
    private let signed: SignedRequestMiddleware<Store, AttestContext>

    init(_ party: RelyingParty<Store>, maximumBody: Int, now: @escaping @Sendable () -> UnixTime) {
        session = SessionMiddleware(party, now: now)
        signed = SignedRequestMiddleware(party, maximumBody: maximumBody, now: now)
    }

    func handle(
        _ request: Request, context: AttestContext, next: (Request, AttestContext) async throws -> Response
    ) async throws -> Response {
        // Only signed requests have this header.
        try await request.headers.contains(.attestKey)
            ? signed.handle(request, context: context, next: next)
            : session.handle(request, context: context, next: next)
    }
}
