import Foundation
import ServiceClient
import Testing

/// Tests a Swift service and a relying party in Node on one PostgreSQL. Each server sees the keys that the other
/// registers and the tokens that the other consumes, and accepts the challenges that the other issues.
@Suite(.withPostgreSQL, .withJavaScript) struct SharedDatabaseTests {
    @Test(arguments: [[RunningService.Program.swift, .javaScript], [.javaScript, .swift]])
    func eachKnowsWhatTheOtherDid(_ programs: [RunningService.Program]) throws {
        let database = try PostgreSQLServer.shared.get().newSchema()
        let services = try programs.map { try RunningService($0, database: database) }
        let (first, second) = (try services[0].connect(), try services[1].connect())
        let device = ServiceDevice(RunningService.device(seed: 1))

        let registration = try device.registration(over: first)
        device.noteRegistration(registration, try first.send("POST", "/attest", json: registration))
        #expect(try second.send("POST", "/attest", json: registration).status == 409)

        // The device signs a challenge of the first server, and sends the request to the second.
        let request = try device.signedSessionRequest(over: first)
        let answer = try second.send("POST", "/session", json: request)
        #expect(answer.status == 200)
        #expect(try first.send("POST", "/session", json: request).status == 409)
        #expect(try second.send("POST", "/session", json: request).status == 409)

        for connection in [first, second] {
            #expect(try connection.send("GET", "/protected", token: answer.body["token"]).status == 200)
            #expect(try connection.send("GET", "/protected", token: "x").status == 401)
        }

        let headers = try device.signature(of: "POST", "/signed", body: [], over: second)
        let statuses = try [first, second, first].map { try $0.send("POST", "/signed", headers: headers).status }
        #expect(statuses == [200, 409, 409])
    }

    @Test func aChallengeCountsOnceOverBoth() throws {
        let database = try PostgreSQLServer.shared.get().newSchema()
        let programs: [RunningService.Program] = [.swift, .javaScript]
        let services = try programs.map { try RunningService($0, database: database) }
        let connection = try services[0].connect()
        let device = ServiceDevice(RunningService.device(seed: 2))
        try device.attest(over: connection)
        for _ in 0..<50 {
            let request = try device.signedSessionRequest(over: connection)
            let statuses = Locked<[Int]>([])
            inThreads(2) { index in
                let status = try? services[index].connect().send("POST", "/session", json: request).status
                statuses.change { $0.append(status ?? 0) }
            }
            #expect(statuses.value.sorted() == [200, 409])
        }
    }
}
