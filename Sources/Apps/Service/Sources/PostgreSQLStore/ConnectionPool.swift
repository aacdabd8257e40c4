import Foundation
import Synchronization

/// A pool of connections, each with its own thread. Calls of libpq block, so they must not run on Swift's thread pool,
/// which has only one thread per core.
///
/// Calls wait in one queue for a free connection. If a connection is lost, its thread connects again at the next call.
/// While the server is unreachable, one call in each `retryInterval` tries to connect, and all other calls fail
/// immediately.
final class ConnectionPool: Sendable {
    private struct Call {
        let deadline: ContinuousClock.Instant
        /// Receives a connection, or the reason why there is no connection. Returns the call's failure, or `nil`.
        let run: @Sendable (Result<PostgreSQLConnection, PostgreSQLFailure>) -> PostgreSQLFailure?
    }

    /// `@unchecked` is safe because `condition` guards all mutable state.
    private final class Queue: @unchecked Sendable {
        private let condition = NSCondition()
        private var calls = FIFOQueue<Call>()
        private var isClosed = false

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
    /// The maximum number of waiting calls. At a millisecond per call, all of them finish within the default timeout.
    private static let capacity = 4_096
    private static let retryInterval = Duration.milliseconds(250)

    init(
        connections: Int, timeout: Duration,
        connect: @escaping @Sendable () throws(PostgreSQLFailure) -> PostgreSQLConnection
    ) {
        self.timeout = timeout
        let outage = Outage()
        for _ in 0..<max(connections, 1) {
            let thread = Thread { [queue] in Self.work(queue, outage, connect) }
            thread.name = "PostgreSQL"
            thread.start()
        }
    }

    deinit { queue.close() }

    private final class Outage: Sendable {
        private struct State {
            let end: ContinuousClock.Instant
            let failure: PostgreSQLFailure
            var isTrying = false
        }

        private let state = Mutex<State?>(nil)

        /// Returns the reason why the last attempt to connect failed, or `nil` if the caller may try now. The caller
        /// must then call ``set(_:)``.
        func failureUnlessMayTry() -> PostgreSQLFailure? {
            state.withLock { state in
                guard let outage = state else { return nil }
                guard !outage.isTrying, .now >= outage.end else { return outage.failure }
                state?.isTrying = true
                return nil
            }
        }

        func set(_ failure: PostgreSQLFailure?) {
            state.withLock { $0 = failure.map { State(end: .now + ConnectionPool.retryInterval, failure: $0) } }
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
                if let failure = outage.failureUnlessMayTry() {
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
            // 25006 (read_only_sql_transaction): the server has become a standby.
            case .connectionLost, .timedOut, .refused(state: "25006", _): connection = nil
            default: break
            }
        }
    }

    /// Runs `body` with a connection. Retries once after 40001 (serialization failure) or 40P01 (deadlock), because the
    /// server has rolled the statement back and nothing has taken effect.
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
