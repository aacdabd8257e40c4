import Foundation
import PureAttest
import PureAttestTesting
import ServiceClient

// attest-load PORT[,PORT…] [clients] [seconds per phase]: drives services that trust test authority 1.

let ports = (CommandLine.arguments.dropFirst().first ?? "").split(separator: ",").map { Int($0) ?? 0 }
let arguments = CommandLine.arguments.dropFirst(2).map { Double($0) ?? -1 }
guard !ports.isEmpty, ports.allSatisfy({ 1...65_535 ~= $0 }), arguments.count <= 2, arguments.allSatisfy({ $0 >= 1 })
else {
    FileHandle.standardError.write(Data("usage: attest-load PORT[,PORT…] [CLIENTS] [SECONDS]\n".utf8))
    exit(2)
}
let clients = arguments.isEmpty ? 16 : Int(min(arguments[0], 1_024))
let seconds = arguments.count > 1 ? min(arguments[1], 60) : 5
let authority = TestCertificateAuthority(seed: 1)
// Other keys than an earlier run's against the same database.
let seed = UInt64(Date().timeIntervalSince1970)
let report = runLoad(ports: ports, clients: clients, secondsPerPhase: seconds) { [authority, seed] index in
    VirtualDevice(
        app: AppID(bytes: Array("TEST123456.com.example.app".utf8)), authority: authority,
        seed: seed << 16 + UInt64(index), time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)))
}
print("\(clients) clients, \(seconds) s each")
for line in report.lines { print(line) }
// As many as `SELECT sum(counter) FROM attested_keys` says, if the database was new and nothing is lost.
print("\(report.sessions.values.reduce(0, +)) sessions acknowledged")
let answered = report.byPath.values.map { $0.seconds.count - $0.failures }.reduce(0, +)
exit(answered > 0 && !report.sessions.isEmpty ? 0 : 1)
