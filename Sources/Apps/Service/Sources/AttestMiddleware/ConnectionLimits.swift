public import NIOCore
import PureAttestServer
import Synchronization

/// Deadlines for the parts of a connection, and limits for each address.
public struct ConnectionLimits: Hashable, Sendable {
    /// From the connection to the end of its first request's header.
    public var header: TimeAmount = .seconds(10)
    /// From the end of a request's header to the end of its body.
    public var body: TimeAmount = .seconds(15)
    /// From the end of a request to the end of its response.
    public var response: TimeAmount = .seconds(30)
    /// From the end of a response to the end of the next request's header.
    public var idle: TimeAmount = .seconds(30)
    /// The rest of the body of a request in flight when the service shuts down.
    public var bodyAtShutdown: TimeAmount = .seconds(2)
    /// The time for which further input is read and dropped, so that the client can read the response (RFC 9112 §9.6).
    public var lingering: TimeAmount = .seconds(1)
    /// Connections from one address (IPv6: one /64). `nil` means no limit and no ``requestInterval``: behind a proxy,
    /// all connections have its address.
    public var perAddress: Int? = 256
    /// The interval between request starts from one address, over all its connections: 2,000 a second.
    public var requestInterval: TimeAmount = .microseconds(500)
    /// Bytes of one read: at most 113 requests, because the shortest is `GET / HTTP/1.1` and two line ends.
    static let readSize = 2_048
    /// The maximum number of events that a connection holds. One read yields fewer (a chunk of one byte needs six
    /// bytes). After a client has closed its side, NIO reads everything and can yield more.
    static let maximumHeldEvents = 512

    /// The defaults.
    public init() {}
}

/// The number of connections of each address, and the earliest start of its next request.
public final class ConnectionCount: Sendable {
    private struct Share {
        var connections = 0
        var nextTurn = NIODeadline.distantPast
    }

    private let shares = Mutex<[ClientAddress: Share]>([:])
    /// The requests that wait for the next poll.
    let queues = PollQueues()

    /// Creates an empty count.
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

    /// Returns the address's next turn, and postpones the following turn by `interval`.
    func takeTurn(of address: ClientAddress, every interval: TimeAmount, now: NIODeadline) -> NIODeadline {
        shares.withLock { shares in
            guard var share = shares[address] else { return now }
            // Each connection waits for at most one turn; connections that ended left any later turns.
            let turn = min(max(now, share.nextTurn), now + interval * share.connections)
            share.nextTurn = turn + interval
            shares[address] = share
            return turn
        }
    }
}
