import Foundation
import PureAttest
import PureAttestTesting
import ServiceClient
import Testing

@Suite struct PolicySettingsTests {
    private static let hash = [UInt8](repeating: 0xCD, count: 32)
    private static let hexHash = String(repeating: "cd", count: 32)

    private static func device(
        _ app: String = "TEST123456.com.example.app", _ system: DeviceSystem = .iOS27ExtensionFlag,
        category: ValidationCategory = .appStore, version: BundleVersion = "4.2"
    ) -> ServiceDevice {
        let platform: AppID.Platform = system == .macOS27 ? .macOS : .device
        return ServiceDevice(
            VirtualDevice(
                app: AppID(bytes: Array(app.utf8), platform: platform), system: system,
                authority: RunningService.authority, seed: 70,
                time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)), validationCategory: category,
                bundleVersion: version, codeDirectoryHash: hash))
    }

    private func isAccepted(_ device: ServiceDevice, _ settings: [String: String]) throws -> Bool {
        let service = try RunningService(database: "memory", settings)
        let connection = try service.connect()
        let answer = try connection.send("POST", "/attest", json: device.registration(over: connection))
        #expect(answer.status == 200 || answer.status == 401, "\(answer.text)")
        return answer.status == 200
    }

    @Test func eachOfSeveralAppsIsAccepted() throws {
        let two = ["ATTEST_APP_ID": "TEST123456.com.example.app,TEST123456.com.example.other"]
        #expect(try isAccepted(Self.device(), two))
        #expect(try isAccepted(Self.device("TEST123456.com.example.other"), two))
        #expect(try !isAccepted(Self.device("TEST123456.com.example.third"), two))
        let mac = ["ATTEST_APP_ID": "TEST123456.com.example.app,TEST123456.com.example.mac=macOS"]
        #expect(try isAccepted(Self.device("TEST123456.com.example.mac", .macOS27, category: .developerID), mac))
        #expect(try !isAccepted(Self.device("TEST123456.com.example.app", .macOS27, category: .developerID), mac))
        #expect(try !isAccepted(Self.device("TEST123456.com.example.mac"), mac))
    }

    @Test(arguments: [
        (["ATTEST_LAUNCH_CATEGORIES": "testFlight,appStore"], true),
        (["ATTEST_LAUNCH_CATEGORIES": "2,4"], true), (["ATTEST_LAUNCH_CATEGORIES": "testFlight"], false),
        (["ATTEST_LAUNCH_MINIMUM_VERSION": "4.2"], true), (["ATTEST_LAUNCH_MINIMUM_VERSION": "4.10"], false),
        (["ATTEST_LAUNCH_VERSIONS": "4.1,4.2"], true), (["ATTEST_LAUNCH_VERSIONS": "4.1,4.3"], false),
        (["ATTEST_LAUNCH_BUILDS": hexHash], true),
        (["ATTEST_LAUNCH_BUILDS": String(repeating: "cc", count: 32)], false),
        (["ATTEST_LAUNCH_MISSING": "0"], true), (["ATTEST_SYSTEM_MINIMUM_VERSION": "18.0"], true),
        (["ATTEST_SYSTEM_MINIMUM_VERSION": "99"], false), (["ATTEST_SYSTEM_MINIMUM_MACOS_VERSION": "99"], true),
        (["ATTEST_SYSTEM_BUILDS": "1A1"], false), (["ATTEST_MAXIMUM_ATTESTATION_AGE": "600"], true),
    ]) func aPolicyDecides(settings: [String: String], isAccepted: Bool) throws {
        #expect(try self.isAccepted(Self.device(), settings) == isAccepted)
    }

    /// The defaults reject impossible launch categories, and accept devices without launch information. With a setting,
    /// the service rejects these devices too.
    @Test func theDefaultsAreTheWorkers() throws {
        #expect(try isAccepted(Self.device(category: .uncategorized), [:]))
        for category: UInt32 in [0, 7, 8, 9] {
            let device = Self.device(category: ValidationCategory(rawValue: category))
            #expect(try !isAccepted(device, [:]), "\(category)")
        }
        #expect(try isAccepted(Self.device("TEST123456.com.example.app", .iOS26), [:]))
        #expect(try !isAccepted(Self.device("TEST123456.com.example.app", .iOS26), ["ATTEST_LAUNCH_MISSING": "0"]))
    }

    @Test func agesAndSessionsAreAsSet() throws {
        let service = try RunningService(
            database: "memory",
            ["ATTEST_MAXIMUM_KEY_AGE": "1", "ATTEST_SESSION_USE": "once", "ATTEST_SESSION_SECONDS": "60"])
        let connection = try service.connect()
        let device = Self.device()
        let registration = try device.registration(over: connection)
        let answer = try connection.send("POST", "/attest", json: registration)
        device.noteRegistration(registration, answer)
        let token = try #require(answer.body["token"])
        let expires = try #require(answer.body["expiresAt"].flatMap { Double($0) })
        #expect(50...61 ~= expires - Date().timeIntervalSince1970)
        #expect(try connection.send("GET", "/protected", token: token).status == 200)
        #expect(try connection.send("GET", "/protected", token: token).status != 200)
        let session = try device.signedSessionRequest(over: connection)
        Thread.sleep(forTimeInterval: 3)
        let late = try connection.send("POST", "/session", json: session)
        #expect(late.status == 401 && late.body["error"] == "unknownKey")
    }
}
