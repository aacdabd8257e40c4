public import NIOCore
import PureAttestServer
import Synchronization

/// How long the parts of a connection may take, and how many one address may have.
public struct ConnectionLimits: Hashable, Sendable {
    /// From the connection to the end of its first request's header.
    public var header: TimeAmount = .seconds(10)
    /// From the end of a request's header to the end of its body.
    public var body: TimeAmount = .seconds(15)
    /// From the end of a request to the end of its response.
    public var response: TimeAmount = .seconds(30)
    /// From the end of a response to the end of the next request's header.
    public var idle: TimeAmount = .seconds(30)
    /// What a request that is under way when the service ends gets for the rest of its body.
    public var bodyAtShutdown: TimeAmount = .seconds(2)
    /// For how long what a client still sends is taken and dropped, so that it gets to read why (RFC 9112 §9.6).
    public var lingering: TimeAmount = .seconds(1)
    /// Connections of one address, of IPv6 of one /64; `nil`: any number, as behind a proxy all have its address.
    public var perAddress: Int? = 256

    /// The defaults.
    public init() {}
}

/// How many connections each address has.
public final class ConnectionCount: Sendable {
    private let open = Mutex<[ClientSource: Int]>([:])

    /// No connections.
    public init() {}

    func add(_ address: ClientSource) -> Int {
        open.withLock { open in
            open[address, default: 0] += 1
            return open[address, default: 0]
        }
    }

    func remove(_ address: ClientSource) {
        open.withLock { open in
            let left = open[address, default: 1] - 1
            open[address] = left > 0 ? left : nil
        }
    }
}
