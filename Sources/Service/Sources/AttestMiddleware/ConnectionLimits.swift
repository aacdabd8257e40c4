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
    /// Connections of one address, of IPv6 of one /64; `nil`: any number, and no ``requestInterval``, as behind a proxy all have its
    /// address.
    public var perAddress: Int? = 256
    /// How far apart the requests of one address start, all its connections together: 2,000 a second. Later ones wait for their turn.
    public var requestInterval: TimeAmount = .microseconds(500)
    /// Bytes of one read: at most 113 requests, as none is shorter than `GET / HTTP/1.1` and two line ends.
    static let readSize = 2_048
    /// Events of a connection that wait behind an unanswered request. One read brings fewer (six bytes for a chunk of one byte); only a
    /// client that has closed its side brings more, as NIO then reads everything.
    static let maximumHeldEvents = 512

    /// The defaults.
    public init() {}
}

/// The connections of each address, and when its next request may start.
public final class ConnectionCount: Sendable {
    private struct Share {
        var connections = 0
        var nextTurn = NIODeadline.distantPast
    }

    private let shares = Mutex<[ClientAddress: Share]>([:])

    /// No connections.
    public init() {}

    func add(_ address: ClientAddress) -> Int {
        shares.withLock { shares in
            shares[address, default: Share()].connections += 1
            return shares[address, default: Share()].connections
        }
    }

    func remove(_ address: ClientAddress) {
        shares.withLock { shares in
            guard var share = shares[address] else { return }
            share.connections -= 1
            shares[address] = share.connections > 0 ? share : nil
        }
    }

    /// Takes the address's next turn; the one after it is `interval` later.
    func takeTurn(of address: ClientAddress, every interval: TimeAmount, now: NIODeadline) -> NIODeadline {
        shares.withLock { shares in
            guard var share = shares[address] else { return now }
            // Each connection waits for one turn at most: what is later was left by connections that ended.
            let turn = min(max(now, share.nextTurn), now + interval * share.connections)
            share.nextTurn = turn + interval
            shares[address] = share
            return turn
        }
    }
}
