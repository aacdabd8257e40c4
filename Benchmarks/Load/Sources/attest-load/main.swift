import Foundation
import PureAttest
import PureAttestTesting
import ServiceClient

let usage = "usage: attest-load PORT[,PORT…] [CLIENTS] [SECONDS]"

if CommandLine.arguments.dropFirst() == ["--help"] {
    print(
        """
        \(usage)
        Drives services on 127.0.0.1 that have ATTEST_TEST_AUTHORITY=1 and ATTEST_NO_LIMITS=1: CLIENTS virtual devices (16; at most 1024) with a
        connection and a key each open sessions for SECONDS (5; at most 60), then use one for as long. Prints requests per second, p50 and
        p99, and how much of a processor this program took itself. The devices run the app that the variable ATTEST_APP_ID names, as the services
        do; TEST123456.com.example.app unless set. Status: 0; 1 if nothing was answered; 2 for wrong usage.
        """)
    exit(0)
}
var arguments = CommandLine.arguments.dropFirst()
let ports = (arguments.popFirst() ?? "").split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
let clients = arguments.popFirst().map { Int($0) ?? 0 } ?? 16
let seconds = arguments.popFirst().map { Int($0) ?? 0 } ?? 5
guard arguments.isEmpty, ports.allSatisfy({ 1...65_535 ~= $0 }), 1...1_024 ~= clients, 1...60 ~= seconds else {
    FileHandle.standardError.write(Data("\(usage)\n".utf8))
    exit(2)
}
let appID = ProcessInfo.processInfo.environment["ATTEST_APP_ID"] ?? "TEST123456.com.example.app"
let authority = TestCertificateAuthority(seed: 1)
// The start time is the seed, so that the keys differ from the keys in earlier runs on the same database.
let seed = UInt64(Date().timeIntervalSince1970)
let report = runLoad(ports: ports, clients: clients, secondsPerPhase: Double(seconds)) {
    [appID, authority, seed] index in
    VirtualDevice(
        app: AppID(bytes: Array(appID.utf8)), authority: authority,
        seed: seed << 16 + UInt64(index), time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)))
}
print("\(clients) clients, \(seconds) s each")
for line in report.lines { print(line) }
if let reason = report.unregistered { print("a key was not registered: \(reason)") }
// If the database was empty at the start and the service lost no update, the number of sessions equals `SELECT
// sum(counter) FROM attested_keys`.
print("\(report.sessions.values.reduce(0, +)) sessions acknowledged")
let answered = report.byPath.values.map { $0.seconds.count - $0.failures }.reduce(0, +)
exit(answered > 0 ? 0 : 1)
