import HTTPTypes
public import Hummingbird
import PureAttestServer

/// Takes the address of the client from the header of the service's own proxy, as everybody's connection is the proxy's there.
///
/// Only for a service that nobody reaches past the proxy: whoever does writes what they like.
public struct ForwardedSourceMiddleware<Context: AttestRequestContext>: RouterMiddleware {
    private let header: HTTPField.Name

    /// - Parameter header: in which the proxy writes the client's address last, such as `X-Forwarded-For`. What stands before it
    ///   is what the client wrote.
    public init(_ header: HTTPField.Name) { self.header = header }

    /// Refuses requests without an address.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let last = request.headers[values: header].last?.split(separator: ",").last,
            let source = ClientSource(ipAddress: String(last.drop { $0 == " " }.prefix(64)))
        else { throw RequestFault.malformed(header.rawName) }
        var context = context
        context.attest.source = source
        return try await next(request, context)
    }
}
