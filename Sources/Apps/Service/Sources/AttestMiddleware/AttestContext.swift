public import Hummingbird
import NIOCore
public import PureAttest
public import PureAttestServer

/// Facts about a request that this module's middleware establishes.
public struct AttestFindings: Sendable {
    /// The client address, for rate limits.
    public var clientAddress: ClientAddress
    /// The session whose token the request carries. ``SessionMiddleware`` sets this value.
    public var session: Session?
    /// The authentication of this request, if the device signed it. ``SignedRequestMiddleware`` sets this value.
    public var authentication: Authentication<VerifiedAssertion>?

    /// Creates findings with only the client address.
    public init(clientAddress: ClientAddress) { self.clientAddress = clientAddress }
}

/// A Hummingbird request context that stores the middleware's findings.
public protocol AttestRequestContext: RequestContext {
    /// The middleware's findings.
    var attest: AttestFindings { get set }
}

/// A context with only the properties that the middleware needs.
public struct AttestContext: AttestRequestContext {
    /// Hummingbird's storage.
    public var coreContext: CoreRequestContextStorage
    /// The middleware's findings.
    public var attest: AttestFindings

    /// Creates the context of a request, with the connection's client address.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        attest = AttestFindings(clientAddress: ClientAddress(source.channel.remoteAddress))
    }
}

extension ClientAddress {
    /// All connections of a transport without addresses share one value.
    init(_ address: SocketAddress?) {
        self = address?.ipAddress.flatMap { ClientAddress(ipAddress: $0) } ?? ClientAddress(bytes: [])
    }
}
