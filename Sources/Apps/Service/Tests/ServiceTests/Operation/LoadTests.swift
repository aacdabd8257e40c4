import Foundation
import PureAttest
import PureAttestServer
import PureBytes
import ServiceClient
import SQLiteStore
import Testing

@Suite(.serialized) struct LoadTests {
    @Test func nothingIsLostUnderLoad() async throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let report = runLoad(ports: [service.port], clients: 8, secondsPerPhase: 2) { index in
            RunningService.device(seed: 100 + UInt64(index))
        }
        for line in report.lines { print(line) }
        service.kill()
        #expect(report.byPath.values.allSatisfy { $0.failures == 0 && !$0.seconds.isEmpty })
        #expect(report.sessions.count == 8)
        let store = try SQLiteStore(path: folder.database.path)
        for (keyID, sessions) in report.sessions {
            #expect(try await store.key(keyID)?.key.counter == sessions)
        }
    }

    /// A load run may register more devices at once than the enrolment rate admits.
    @Test func aLoadRunIsNotPaced() throws {
        let service = try RunningService(database: "memory")
        let connection = try service.connect()
        for number in 0..<100 {
            let keyID = Data(repeating: UInt8(number), count: 32).base64EncodedString()
            let json = ["purpose": "attestation", "keyID": keyID]
            #expect(try connection.send("POST", "/challenge", json: json).status == 200)
        }
    }

    /// Under load, signal 9 ends the process at random moments. The database then contains the effects of all
    /// acknowledged requests, and possibly of requests in flight, but no partial rows.
    @Test func killedAtRandomNothingAcknowledgedIsLost() async throws {
        let folder = try TemporaryFolder()
        var devices = (0..<4).map { ServiceDevice(RunningService.device(seed: 200 + UInt64($0))) }
        var acknowledged: [[UInt8]: UInt32] = [:]
        for round in 0..<6 {
            let service = try RunningService(database: folder.database)
            let port = service.port
            let sessions = Collected<[UInt8]>()
            let consumed = Collected<[String: String]>()
            // A device whose attestation was lost makes a new key.
            for index in devices.indices where devices[index].keyName == nil {
                let seed = 300 + UInt64(10 * round + index)
                devices[index] = ServiceDevice(RunningService.device(seed: seed))
            }
            let running = Shared(devices)
            let killer = Thread {
                Thread.sleep(forTimeInterval: Double.random(in: 0.2...1.2))
                service.kill()
            }
            killer.start()
            inThreads(devices.count) { index in
                let device = running.value[index]
                do {
                    let connection = try HTTPConnection(port: port)
                    if device.keyName == nil { try device.attest(over: connection) }
                    while true {
                        let request = try device.signedSessionRequest(over: connection)
                        guard try connection.send("POST", "/session", json: request).status == 200 else { break }
                        consumed.append(request)
                        sessions.append(device.keyID ?? [])
                    }
                } catch {}
            }
            for keyID in sessions.values { acknowledged[keyID, default: 0] += 1 }
            #expect(try SQLiteFile(folder.database).run("PRAGMA integrity_check") == [["ok"]])
            // Every acknowledged key is present. No counter is below the number of acknowledged requests, or exceeds it
            // by more than one for each round.
            let store = try SQLiteStore(path: folder.database.path)
            for device in devices {
                guard let keyID = device.keyID else { continue }
                let counter = try #require(try await store.key(keyID)?.key.counter)
                let counted = acknowledged[keyID, default: 0]
                #expect(counted...counted + UInt32(round) + 1 ~= counter)
            }
            #expect(try counterColumnsAgree(with: folder.database))
            let next = try RunningService(database: folder.database)
            let connection = try next.connect()
            for request in consumed.values.suffix(20) {
                #expect(try connection.send("POST", "/session", json: request).status == 409)
            }
        }
        #expect(acknowledged.values.reduce(0, +) > 0)
    }

    /// Returns whether the counter column of each row equals the counter in the row's record. One statement writes
    /// both.
    private func counterColumnsAgree(with database: URL) throws -> Bool {
        let rows = try SQLiteFile(database).run("SELECT hex(record), counter FROM attested_keys")
        return try !rows.isEmpty
            && rows.allSatisfy { row in
                try String(AttestedKey(serialized: [UInt8](hexEncoded: row[0])).counter) == row[1]
            }
    }
}

/// A value that threads share without a lock, because each thread uses a separate part.
final class Shared<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
