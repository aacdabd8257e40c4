public import Hummingbird
import NIOCore
public import PureAttest
public import PureAttestServer

/// What the middleware of this module finds out about a request, and what its routes may rely on.
public struct AttestFindings: Sendable {
    /// The client address, for rate limits.
    public var clientAddress: ClientAddress
    /// Set behind ``SessionMiddleware``: the session whose token the request carries.
    public var session: Session?
    /// Set behind ``SignedRequestMiddleware``: the authentication by which the device signed this very request.
    public var authentication: Authentication<VerifiedAssertion>?

    /// Only the client address is known.
    public init(clientAddress: ClientAddress) { self.clientAddress = clientAddress }
}

/// A context with room for what the middleware finds.
public protocol AttestRequestContext: RequestContext {
    /// What was found.
    var attest: AttestFindings { get set }
}

/// The smallest context that the middleware can work with.
public struct AttestContext: AttestRequestContext {
    /// Hummingbird's own.
    public var coreContext: CoreRequestContextStorage
    /// What the middleware finds.
    public var attest: AttestFindings

    /// The context of a request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        attest = AttestFindings(clientAddress: ClientAddress(source.channel.remoteAddress))
    }
}

extension ClientAddress {
    /// The other end of a connection; one and the same for all where a transport has no addresses.
    init(_ address: SocketAddress?) {
        self = address?.ipAddress.flatMap { ClientAddress(ipAddress: $0) } ?? ClientAddress(bytes: [])
    }
}
