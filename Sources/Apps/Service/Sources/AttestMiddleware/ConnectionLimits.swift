public import NIOCore
import PureAttestServer
import Synchronization

/// Deadlines for the phases of a connection, and limits for each address.
public struct ConnectionLimits: Hashable, Sendable {
    /// The time from the start of the connection to the end of its first request's header.
    public var header: TimeAmount = .seconds(10)
    /// The time from the end of a request's header to the end of its body.
    public var body: TimeAmount = .seconds(15)
    /// The time from the end of a request to the end of its response.
    public var response: TimeAmount = .seconds(30)
    /// The time from the end of a response to the end of the next request's header.
    public var idle: TimeAmount = .seconds(30)
    /// The time for the rest of a request body when the service shuts down.
    public var bodyAtShutdown: TimeAmount = .seconds(2)
    /// The time for which the guard discards input after the last response, so that the client can read this response
    /// (RFC 9112 §9.6).
    public var lingering: TimeAmount = .seconds(1)
    /// The maximum number of connections from one address (IPv6: one /64). `nil` disables this limit and
    /// ``requestInterval``. Use `nil` behind a proxy, because all connections have the proxy's address.
    public var perAddress: Int? = 256
    /// The minimum interval at which requests from one address start, on all its connections together. The default
    /// admits 2,000 requests per second.
    public var requestInterval: TimeAmount = .microseconds(500)
    /// The maximum number of bytes in one read. A read contains at most 113 requests, because the shortest request is
    /// `GET / HTTP/1.1` and two line ends.
    static let readSize = 2_048
    /// The maximum number of events that a connection holds. A single read yields fewer events, because even a chunk of
    /// one byte takes six bytes. But when a client closes its side, NIO reads all remaining input, which can yield
    /// more.
    static let maximumHeldEvents = 512

    /// The defaults.
    public init() {}
}

/// Counts the connections of each address, and schedules the starts of its requests.
public final class ConnectionCount: Sendable {
    private struct Share {
        var connections = 0
        var nextTurn = NIODeadline.distantPast
    }

    private let shares = Mutex<[ClientAddress: Share]>([:])
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

    /// Returns the time of the address's next turn, and postpones the following turn by `interval`.
    func takeTurn(of address: ClientAddress, every interval: TimeAmount, now: NIODeadline) -> NIODeadline {
        shares.withLock { shares in
            guard var share = shares[address] else { return now }
            // Each open connection waits for at most one turn, so `nextTurn` exceeds the bound below only if
            // connections closed before their turns.
            let turn = min(max(now, share.nextTurn), now + interval * share.connections)
            share.nextTurn = turn + interval
            shares[address] = share
            return turn
        }
    }
}
