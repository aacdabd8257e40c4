import AttestService
import Foundation
import Hummingbird
import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import SQLiteStore

// Settings come from the environment, as with most services:
//
//     DATABASE         the SQLite file
//     PORT             0 for any free one; the port is printed when the service is ready
//     SESSION_SECRET   hexadecimal, 32 bytes or more; the same after a restart
//     APP_ID           such as A1B2C3D4E5.com.example.app
//     TEST_AUTHORITY   a seed: trusts virtual devices in place of Apple's. Never set it on a real server.

func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

func stop(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("attest-service: \(reason)\n".utf8))
    exit(2)
}

func now() -> UnixTime { UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)) }

@main
struct AttestServiceMain {
    static func main() async throws {
        guard let path = setting("DATABASE") else { stop("DATABASE is not set") }
        guard let secret = setting("SESSION_SECRET").flatMap({ try? [UInt8](hexEncoded: $0) }),
            let sessionKey = SessionKey(id: "1", secret: secret)
        else { stop("SESSION_SECRET is not set to 32 bytes in hexadecimal") }
        guard let appID = setting("APP_ID") else { stop("APP_ID is not set") }
        guard let port = Int(setting("PORT") ?? "8080") else { stop("PORT is not a number") }

        let apps = [AppID(bytes: Array(appID.utf8))]
        let verifier =
            if let seed = setting("TEST_AUTHORITY").flatMap({ UInt64($0) }) {
                AppAttestVerifier.trustingTestDevices(
                    of: TestCertificateAuthority(seed: seed), apps: apps, environment: .production,
                    launchPolicy: .reportOnly)
            } else {
                AppAttestVerifier(apps: apps, environment: .production, launchPolicy: .reportOnly)
            }
        var configuration = RelyingPartyConfiguration()
        // The load run signs with few keys and much oftener than a user's device does.
        if setting("NO_LIMITS") != nil {
            configuration.limits.challenges = nil
            configuration.limits.requests = nil
        }
        let party = RelyingParty(
            verifier: verifier, store: try SQLiteStore(path: path), sessionKeys: SessionKeys(current: sessionKey),
            configuration: configuration)

        let router = Router(context: AttestContext.self)
        AttestRoutes(party, now: now).add(to: router)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                print("port \(channel.localAddress?.port ?? 0)")
                fflush(nil)
            })

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(30))
                    try? await party.removeExpired(at: now())
                }
            }
            try await application.runService()
            group.cancelAll()
        }
    }
}
