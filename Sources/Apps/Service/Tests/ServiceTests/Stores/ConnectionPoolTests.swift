import Foundation
import Synchronization
import Testing

@testable import PostgreSQLStore

@Suite struct ConnectionPoolTests {
    /// A server that rejects the first connection. Later attempts block, like attempts that the network drops.
    private final class DeadServer: Sendable {
        let attempts = Mutex(0)
        let end = DispatchSemaphore(value: 0)

        func connect() throws(PostgreSQLFailure) -> PostgreSQLConnection {
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            if !isFirst { _ = end.wait(timeout: .now() + 10) }
            throw .unreachable("no answer")
        }
    }

    @Test(.timeLimit(.minutes(1))) func oneCallAtATimeTriesToConnectDuringAnOutage() async throws {
        let server = DeadServer()
        let pool = ConnectionPool(connections: 4, timeout: .seconds(20)) { () throws(PostgreSQLFailure) in
            try server.connect()
        }
        @Sendable func fails() async -> Bool {
            do throws(PostgreSQLFailure) {
                try await pool.run { _ throws(PostgreSQLFailure) in }
                return false
            } catch { return error == .unreachable("no answer") }
        }
        #expect(await fails())
        // The retry interval is over, so the next call tries again.
        try await Task.sleep(for: .milliseconds(300))
        let attempt = Task { await fails() }
        while server.attempts.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        // Meanwhile, other calls fail immediately.
        for _ in 0..<8 { #expect(await fails()) }
        #expect(server.attempts.withLock { $0 } == 2)
        server.end.signal()
        #expect(await attempt.value)
    }
}
