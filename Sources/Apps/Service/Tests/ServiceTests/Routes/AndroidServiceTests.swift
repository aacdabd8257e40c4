import Foundation
import PureBytes
import PureKeyAttestation
import PureKeyAttestationTesting
import ServiceClient
import Testing

@testable import attest_service

@Suite(.serialized) struct AndroidServiceTests {
    private static let digest = String(repeating: "ab", count: 32)
    private static let app = AndroidApp(
        packageName: "com.example.android", signingDigests: [[UInt8](repeating: 0xAB, count: 32)])

    private static func device(_ seed: UInt64, _ level: SecurityLevel = .trustedEnvironment) -> AndroidServiceDevice {
        AndroidServiceDevice(
            VirtualAndroidDevice(
                app: app, authority: TestAndroidAuthority(seed: 1), securityLevel: level, seed: seed,
                time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970))))
    }

    private static func settings(
        _ folder: TemporaryFolder, list: String = #"{"entries":{}}"#, _ more: [String: String] = [:]
    ) throws -> [String: String] {
        let file = folder.url.appending(path: "status.json")
        try Data(list.utf8).write(to: file)
        return [
            "ATTEST_ANDROID_APPS": "com.example.android=\(digest)", "ATTEST_ANDROID_REVOCATION_LIST": file.path,
        ].merging(more) { $1 }
    }

    @Test func bothPhonesOpenSessions() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, try Self.settings(folder))
        let connection = try service.connect()
        let android = Self.device(1)
        try android.attest(over: connection)
        let apple = ServiceDevice(RunningService.device(seed: 1))
        try apple.attest(over: connection)
        for token in [try android.session(over: connection), try apple.session(over: connection)] {
            let answer = try connection.send("GET", "/protected", token: token)
            #expect(answer.status == 200 && [android.keyID, apple.keyName].contains(answer.body["keyID"]))
        }
        let token = try android.session(over: connection)
        let answer = try connection.send("GET", "/protected", token: token)
        let next = try [UInt8](base64Encoded: #require(answer.headers["attest-challenge"]))
        let request = try android.signedSessionRequest(challenge: next, over: connection)
        #expect(try connection.send("POST", "/android/session", json: request).status == 200)
        let replay = try connection.send("POST", "/android/session", json: request)
        #expect(replay.status == 409 && replay.body["error"] == "consumed")
        #expect(try connection.send("POST", "/logout", token: token).status == 204)
        #expect(try connection.send("GET", "/protected", token: token).status == 401)
        #expect(try !android.session(over: connection).isEmpty)
    }

    @Test func platformsDoNotMix() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, try Self.settings(folder))
        let connection = try service.connect()
        let android = Self.device(2)
        try android.attest(over: connection)
        func signed(_ purpose: String) throws -> [String: String] {
            let challenge = try connection.send(
                "POST", "/challenge", json: ["purpose": purpose, "keyID": android.keyID ?? ""])
            return try android.signedSessionRequest(
                challenge: [UInt8](base64Encoded: challenge.body["challenge"] ?? ""), over: connection)
        }
        // The service rejects a signature over a challenge for attestation, and an Android signature on Apple's route.
        #expect(try connection.send("POST", "/android/session", json: signed("attestation")).status == 401)
        let request = try signed("assertion")
        let asAssertion = [
            "keyID": request["keyID"] ?? "", "challenge": request["challenge"] ?? "",
            "assertion": request["signature"] ?? "",
        ]
        let answer = try connection.send("POST", "/session", json: asAssertion)
        #expect(answer.status == 401 && answer.body["error"] == "unknownKey")
    }

    @Test func badRequestsAreAnswered() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, try Self.settings(folder))
        let connection = try service.connect()
        let good = try Self.device(3).registration(over: connection).request
        let chain = try [UInt8](base64Encoded: good["chain"] ?? "")
        for (bytes, status) in [
            ([], 401), ([0x30], 400), ([0x31, 0], 400), (chain + [0], 400), (chain + chain, 400),
            ([UInt8](repeating: 0x30, count: 70_000), 400), (Array(chain.dropLast(1)), 400), ([0x30, 0], 401),
        ] as [([UInt8], Int)] {
            let json = good.merging(["chain": base64EncodedString(bytes)]) { $1 }
            #expect(try connection.send("POST", "/android/attest", json: json).status == status, "\(bytes.count)")
        }
        for name in ["handle", "challenge", "chain"] {
            #expect(
                try connection.send("POST", "/android/attest", json: good.filter { $0.key != name }).status == 400)
        }
        // The bad requests did not consume the challenge.
        #expect(try connection.send("POST", "/android/attest", json: good).status == 200)
        #expect(try connection.send("POST", "/android/session", json: [:]).status == 400)
    }

    /// When the list in the file changes, the service rejects newly revoked certificates without a restart.
    @Test func theListIsReadAgain() async throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database, try Self.settings(folder))
        let connection = try service.connect()
        try Self.device(4).attest(over: connection)
        let time = Date().addingTimeInterval(2)
        func write(_ list: String) throws {
            _ = try Self.settings(folder, list: list)
            try FileManager.default.setAttributes(
                [.modificationDate: time], ofItemAtPath: folder.url.appending(path: "status.json").path)
        }
        // The file contains half a list for longer than the interval between two checks. The service keeps the previous
        // list.
        try write(#"{"entries":{"407""#)
        try await Task.sleep(for: .seconds(6))
        try Self.device(4).attest(over: connection)
        // 407 is the serial number of device 4's certificate. The file's modification time does not change.
        try write(#"{"entries":{"407":{"status":"REVOKED"}}}"#)
        var status = 200
        for _ in 0..<60 where status == 200 {
            try await Task.sleep(for: .milliseconds(250))
            status = try connection.send(
                "POST", "/android/attest", json: Self.device(4).registration(over: connection).request
            ).status
        }
        #expect(status == 401)
        try Self.device(5).attest(over: connection)
    }

    @Test func anOldListRegistersNothing() throws {
        let folder = try TemporaryFolder()
        let settings = try Self.settings(folder)
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(-300_000)],
            ofItemAtPath: folder.url.appending(path: "status.json").path)
        let service = try RunningService(database: folder.database, settings)
        let connection = try service.connect()
        let answer = try connection.send(
            "POST", "/android/attest", json: Self.device(6).registration(over: connection).request)
        #expect(answer.status == 503 && answer.body["error"] == "serverUnavailable")
    }

    /// If a list's time is in the future, its age is unknown, and it would prevent updates by later lists.
    @Test func aListOfTheFutureEndsTheStart() throws {
        let folder = try TemporaryFolder()
        let settings = try Self.settings(folder)
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(1_000)],
            ofItemAtPath: folder.url.appending(path: "status.json").path)
        let errors = folder.url.appending(path: "errors")
        #expect(throws: RunningService.NotStarted.self) {
            try RunningService(database: folder.database.path, errors: errors, settings)
        }
        let text = try String(contentsOf: errors, encoding: .utf8)
        #expect(
            text.hasPrefix("attest-service: ATTEST_ANDROID_REVOCATION_LIST") && text.split(separator: "\n").count == 1)
    }

    @Test func withoutAndroidThereAreNoRoutes() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(database: folder.database)
        let connection = try service.connect()
        #expect(try connection.send("POST", "/android/attest", json: [:]).status == 404)
    }

    @Test func settingsAreChecked() throws {
        let folder = try TemporaryFolder()
        let base = RunningService.environment(database: "memory", try Self.settings(folder))
        #expect(try Settings(base).android?.policy.minimumSecurityLevel == .trustedEnvironment)
        #expect(
            try Settings(base.merging(["ATTEST_ANDROID_LEVEL": "strongbox"]) { $1 }).android?.policy
                .minimumSecurityLevel
                == .strongBox)
        let two = "a.b=\(Self.digest)+\(Self.digest),c.d=\(Self.digest)"
        #expect(
            try Settings(base.merging(["ATTEST_ANDROID_APPS": two]) { $1 }).android?.apps.map(\.signingDigests.count)
                == [
                    2, 1,
                ])
        for apps in [
            "", "a.b", "a.b=", "=\(Self.digest)", "a.b=\(Self.digest.dropLast())", "a.b=\(Self.digest)=",
            "a.b=\(Self.digest),",
            "\(String(repeating: "a", count: 256))=\(Self.digest)",
        ] {
            #expect(throws: SettingsError.self) { try Settings(base.merging(["ATTEST_ANDROID_APPS": apps]) { $1 }) }
        }
        #expect(throws: SettingsError.self) { try Settings(base.merging(["ATTEST_ANDROID_LEVEL": "software"]) { $1 }) }
        #expect(throws: SettingsError.self) { try Settings(base.filter { $0.key != "ATTEST_ANDROID_REVOCATION_LIST" }) }
        #expect(throws: SettingsError.self) { try Settings(base.filter { $0.key != "ATTEST_ANDROID_APPS" }) }
        for list in ["", "{", #"{"entries":{"0F":{"status":"REVOKED"}}}"#] {
            let settings = try Self.settings(folder, list: list)
            #expect(throws: RunningService.NotStarted.self) {
                try RunningService(database: folder.database.path, errors: folder.url.appending(path: "e"), settings)
            }
        }
    }
}
