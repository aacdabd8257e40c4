public import Hummingbird
import NIOCore
public import PureAttestServer

/// What the middleware of this module finds out about a request, and what its routes may rely on.
public struct AttestFindings: Sendable {
    /// Where the request comes from, as limits tell sources apart.
    public var source: ClientSource
    /// Set behind ``SessionMiddleware``: the session whose token the request carries.
    public var session: Session?
    /// Set behind ``SignedRequestMiddleware``: the authentication by which the device signed this very request.
    public var authentication: Authentication?

    /// Nothing but the source.
    public init(source: ClientSource) { self.source = source }
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
        attest = AttestFindings(source: ClientSource(source.channel.remoteAddress))
    }
}

extension ClientSource {
    /// The other end of a connection; one and the same for all where a transport has no addresses.
    init(_ address: SocketAddress?) {
        self = address?.ipAddress.flatMap { ClientSource(ipAddress: $0) } ?? ClientSource(bytes: [])
    }
}
