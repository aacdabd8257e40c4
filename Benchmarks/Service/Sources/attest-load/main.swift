import Foundation
import PureAttest
import PureAttestTesting
import ServiceClient

// attest-load PORT [clients] [seconds per phase]: drives a service that trusts test authority 1.

let arguments = CommandLine.arguments.dropFirst().map { Double($0) ?? -1 }
guard 1...3 ~= arguments.count, arguments.allSatisfy({ $0 > 0 }), arguments[0] < 65_536 else {
    FileHandle.standardError.write(Data("usage: attest-load PORT [CLIENTS] [SECONDS]\n".utf8))
    exit(2)
}
let clients = arguments.count > 1 ? Int(arguments[1]) : 16
let seconds = arguments.count > 2 ? min(arguments[2], 60) : 5
let authority = TestCertificateAuthority(seed: 1)
// Other keys than an earlier run's against the same database.
let seed = UInt64(Date().timeIntervalSince1970)
let report = runLoad(port: Int(arguments[0]), clients: clients, secondsPerPhase: seconds) { [authority, seed] index in
    VirtualDevice(
        app: AppID(bytes: Array("TEST123456.com.example.app".utf8)), authority: authority,
        seed: seed << 16 + UInt64(index), time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)))
}
print("\(clients) clients, \(seconds) s each")
for line in report.lines { print(line) }
// As many as `SELECT sum(counter) FROM attested_keys` says, if the database was new and nothing is lost.
print("\(report.sessions.values.reduce(0, +)) sessions acknowledged")
