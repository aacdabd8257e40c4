import Foundation
import Synchronization
import Testing

@testable import PostgreSQLStore

@Suite struct ConnectionPoolTests {
    /// Counts the attempts to connect to a server that accepts no connection.
    private final class DeadServer: Sendable {
        let attempts = Mutex(0)

        /// Blocks for longer than the pool's retry interval, like an attempt that the network drops.
        func connect() throws(PostgreSQLFailure) -> PostgreSQLConnection {
            attempts.withLock { $0 += 1 }
            Thread.sleep(forTimeInterval: 0.6)
            throw .unreachable("no answer")
        }
    }

    @Test func oneCallAtATimeTriesToConnectDuringAnOutage() async throws {
        let server = DeadServer()
        let pool = ConnectionPool(connections: 4, timeout: .seconds(5)) { () throws(PostgreSQLFailure) in
            try server.connect()
        }
        func fails() async -> Bool {
            do {
                try await pool.run { _ throws(PostgreSQLFailure) in }
                return false
            } catch { return error == .unreachable("no answer") }
        }
        #expect(await fails())
        try await Task.sleep(for: .milliseconds(300))
        // The retry interval is over, so one of these calls tries again. The others do not wait for it.
        let calls = (0..<8).map { index in
            Task {
                try await Task.sleep(for: .milliseconds(index * 50))
                return await fails()
            }
        }
        for call in calls { #expect(try await call.value) }
        #expect(server.attempts.withLock { $0 } == 2)
    }
}
