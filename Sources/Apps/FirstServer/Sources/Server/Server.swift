import Foundation
import Hummingbird
import PureAttest
import PureAttestServer
import PureBytes
import SQLiteStore

@main
struct Server {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let hexadecimal = environment["SESSION_SECRET"], let secret = try? [UInt8](hexEncoded: hexadecimal),
            let key = SessionKey(id: "1", secret: secret)
        else { fatalError("set SESSION_SECRET to 32 random bytes: export SESSION_SECRET=$(openssl rand -hex 32)") }

        // Your team identifier and your app's bundle identifier. Development builds need `.development`.
        let app = AppID(teamID: "A1B2C3D4E5", bundleID: "com.example.app")
        let party = RelyingParty(
            verifier: AppAttestVerifier(apps: [app], environment: .production, launchPolicy: .reportOnly),
            store: try SQLiteStore(path: environment["DATABASE"] ?? "attest.sqlite"),
            sessionKeys: SessionKeys(current: key))
        let routes = Routes(party: party) { UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)) }
        try await Application(
            router: routes.router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 8080))
        ).runService()
    }
}
