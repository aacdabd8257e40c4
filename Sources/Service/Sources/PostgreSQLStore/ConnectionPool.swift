import Foundation
import Synchronization

/// Connections with a thread each, as libpq blocks: Swift's own threads, of which there is one for each core, must not.
///
/// Calls wait in one queue, and the next free connection takes them. A connection that was lost is replaced when there is the next call
/// for it; while the server can't be reached, calls fail at once, but for one in `retryInterval` that tries.
final class ConnectionPool: Sendable {
    private struct Call {
        let deadline: ContinuousClock.Instant
        /// Runs with a connection, or with the reason for which there is none; says what became of the connection.
        let run: @Sendable (Result<PostgreSQLConnection, PostgreSQLFailure>) -> PostgreSQLFailure?
    }

    /// Unchecked: everything that changes is behind `condition`.
    private final class Queue: @unchecked Sendable {
        private let condition = NSCondition()
        private var calls = FIFOQueue<Call>()
        private var isClosed = false

        /// `false`: there is no room, or nobody to take it.
        func append(_ call: Call, capacity: Int) -> Bool {
            condition.withLock {
                guard !isClosed, calls.count < capacity else { return false }
                calls.append(call)
                condition.signal()
                return true
            }
        }

        func next() -> Call? {
            condition.withLock {
                while calls.isEmpty, !isClosed { condition.wait() }
                return calls.popFirst()
            }
        }

        func close() {
            condition.withLock {
                isClosed = true
                condition.broadcast()
            }
        }
    }

    private let queue = Queue()
    private let timeout: Duration
    /// More wait than are of use: with a millisecond each they are answered within the timeout.
    private static let capacity = 4_096
    private static let retryInterval = Duration.milliseconds(250)

    init(
        connections: Int, timeout: Duration,
        connect: @escaping @Sendable () throws(PostgreSQLFailure) -> PostgreSQLConnection
    ) {
        self.timeout = timeout
        let outage = Outage()
        for _ in 0..<connections {
            let thread = Thread { [queue] in Self.work(queue, outage, connect) }
            thread.name = "PostgreSQL"
            thread.start()
        }
    }

    deinit { queue.close() }

    /// Since when no connection can be had, for all threads.
    private final class Outage: Sendable {
        private let state = Mutex<(until: ContinuousClock.Instant, failure: PostgreSQLFailure)?>(nil)

        /// Why not even to try, for now.
        var current: PostgreSQLFailure? {
            state.withLock { state in
                guard let outage = state, .now < outage.until else { return nil }
                return outage.failure
            }
        }

        func set(_ failure: PostgreSQLFailure?) {
            state.withLock { $0 = failure.map { (.now + ConnectionPool.retryInterval, $0) } }
        }
    }

    private static func work(
        _ queue: Queue, _ outage: Outage, _ connect: () throws(PostgreSQLFailure) -> PostgreSQLConnection
    ) {
        var connection: PostgreSQLConnection?
        while let call = queue.next() {
            guard .now < call.deadline else {
                _ = call.run(.failure(.timedOut))
                continue
            }
            if connection?.isStale ?? false { connection = nil }
            if connection == nil {
                if let failure = outage.current {
                    _ = call.run(.failure(failure))
                    continue
                }
                do {
                    connection = try connect()
                    outage.set(nil)
                } catch {
                    outage.set(error)
                    _ = call.run(.failure(error))
                    continue
                }
            }
            guard let open = connection else { continue }
            switch call.run(.success(open)) {
            case .connectionLost, .timedOut: connection = nil
            default: break
            }
        }
    }

    /// Runs `body` with a connection; once more if the server took it back because of another transaction, which it says by 40001
    /// (serialization failure) and 40P01 (deadlock): nothing of it has taken effect then.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLFailure) -> Value
    ) async throws(PostgreSQLFailure) -> Value {
        typealias Outcome = Result<Value, PostgreSQLFailure>
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let call = Call(deadline: .now + timeout) { connection in
                var result = connection.flatMap { attempt(body, $0) }
                if case .failure(.refused(let state, _)) = result, ["40001", "40P01"].contains(state) {
                    result = connection.flatMap { attempt(body, $0) }
                }
                continuation.resume(returning: result)
                if case .failure(let failure) = result { return failure }
                return nil
            }
            if !queue.append(call, capacity: Self.capacity) { continuation.resume(returning: .failure(.overloaded)) }
        }
        return try result.get()
    }
}

private func attempt<Value>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLFailure) -> Value, _ connection: PostgreSQLConnection
) -> Result<Value, PostgreSQLFailure> {
    do { return .success(try body(connection)) } catch { return .failure(error) }
}
