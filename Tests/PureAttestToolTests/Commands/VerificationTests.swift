import Foundation
import Testing
import VectorSupport

@Suite("Verification commands")
struct VerificationTests {
    static let sample = VectorDirectory.committed.appending(path: "app-attest/apple-guide-2026.json").path
    static let sampleOptions: [String: String] = {
        let file = try! ObjectFile.committed()
        return [
            "--attestation": file.attestation.base64EncodedString(), "--key-id": file.keyID.base64EncodedString(),
            "--client-data-hash": "text:example_server_challenge", "--team": "1234567890",
            "--bundle": "com.example.myapp", "--environment": "production", "--at": "2026-04-21T18:13:12Z",
        ]
    }()

    static func arguments(_ changes: [String: String] = [:], without name: String? = nil) -> [String] {
        let options = sampleOptions.merging(changes) { $1 }.filter { $0.key != name }
        return ["verify-attestation"] + options.map { "\($0.key)=\($0.value)" }
    }

    @Test func theSampleFileVerifies() throws {
        let result = try Tool.run("verify-attestation", Self.sample)
        #expect(result.status == 0)
        #expect(result.error.isEmpty)
        #expect(result.output.contains("from the file"))
        #expect(result.output.contains("OS version           27.0"))
    }

    /// The tool accepts the platform in the certificate, unless an option specifies a different platform.
    @Test func platform() throws {
        #expect(try Tool.run("verify-attestation", Self.sample, "--platform", "device").status == 0)
        let mac = try Tool.run("verify-attestation", Self.sample, "--platform", "macOS")
        #expect(
            mac.status == 1 && mac.error.contains("the key is from a device, but the App ID is accepted only on macOS"))
        for name in ["iOS", "iphoneos", "DEVICE"] {
            #expect(try Tool.run("verify-attestation", Self.sample, "--platform", name).status == 0)
        }
        let unknown = try Tool.run("verify-attestation", Self.sample, "--platform", "windows")
        #expect(unknown.status == 2 && unknown.error.contains("device or macOS"))
    }

    /// The options apply a server's policies. The certificate of the sample names system 27.0 and no build.
    @Test func policies() throws {
        for version in ["27.0", "27", "26.4.1"] {
            #expect(try Tool.run("verify-attestation", Self.sample, "--minimum-system", version).status == 0)
        }
        let old = try Tool.run("verify-attestation", Self.sample, "--minimum-system", "27.0.1")
        #expect(old.status == 1 && old.error.contains("version 27.0 is older than the policy accepts"))
        let hash = String(repeating: "0a", count: 32)
        let build = try Tool.run(
            "verify-attestation", Self.sample, "--code-directory-hash", hash, "--code-directory-hash",
            String(hash.prefix(40)))
        #expect(build.status == 1 && build.error.contains("does not accept a missing build"))
        let explained = try Tool.run("explain", Self.sample, "--code-directory-hash", hash, "--minimum-system", "28")
        #expect(explained.status == 1 && explained.output.contains("expected: \(hash)"))
        #expect(explained.output.contains("expected: 28.0 or later"))
        for (option, value) in [
            ("--minimum-system", "27.x"), ("--minimum-system", ""), ("--code-directory-hash", "0a"),
            ("--code-directory-hash", hash + "0a"), ("--code-directory-hash", "xyz"),
        ] {
            let result = try Tool.run("verify-attestation", Self.sample, option, value)
            #expect(result.status == 2 && result.error.contains(option), "\(option) \(value)")
        }
        let twice = try Tool.run("verify-attestation", Self.sample, "--minimum-system", "1", "--minimum-system", "2")
        #expect(twice.status == 2 && twice.error.contains("given twice"))
    }

    @Test func jsonSaysWhatCameFromTheFile() throws {
        let json = try Tool.run("verify-attestation", "--json", Self.sample, "--at", "1776795192").json()
        #expect(json["verified"] as? Bool == true)
        #expect(json["inputsFromFile"] as? [String] == ["keyID", "clientDataHash", "appID", "environment"])
        let proved = try #require(json["attestation"] as? [String: Any])
        // The ED flag of the sample is clear.
        #expect(proved["validationCategory"] is NSNull)
        let unverified = try #require(proved["unverifiedLaunchInformation"] as? [String: Any])
        #expect(unverified["validationCategory"] as? Int == 1 && unverified["bundleVersion"] as? String == "1")
        #expect(
            proved["publicKey"] as? String == (try ObjectFile.committed()).expect.publicKeyX963.base64EncodedString())
    }

    @Test func optionsGiveTheSameValues() throws {
        let result = try Tool.run(Self.arguments())
        #expect(result.status == 0)
        #expect(!result.output.contains("from the file"))
    }

    /// All arguments denote the same bytes in different notations.
    @Test(arguments: [
        "ZXhhbXBsZV9zZXJ2ZXJfY2hhbGxlbmdl", "hex:6578616d706c655f7365727665725f6368616c6c656e6765",
        "text:example_server_challenge",
    ])
    func bytesAreWrittenInSeveralWays(value: String) throws {
        #expect(try Tool.run(Self.arguments(["--client-data-hash": value])).status == 0)
        let keyID = try #require(Self.sampleOptions["--key-id"])
        let urlSafe = keyID.replacing("+", with: "-").replacing("/", with: "_").trimmingCharacters(in: ["="])
        #expect(urlSafe != keyID)
        #expect(try Tool.run(Self.arguments(["--key-id": urlSafe])).status == 0)
        let folder = try TemporaryFolder()
        let file = try folder.write("attestation", try ObjectFile.committed().attestation)
        #expect(try Tool.run(Self.arguments(["--attestation": "@\(file.path)"])).status == 0)
    }

    @Test(arguments: [
        ("--client-data-hash", "text:another_challenge", "step 4"),
        ("--key-id", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "step 5"),
        ("--bundle", "com.example.other", "another App ID"), ("--team", "0987654321", "another App ID"),
        ("--environment", "development", "step 8"),
        ("--at", "2026-04-19T00:00:00Z", "not valid before 2026-04-20 (checked at 2026-04-19)"),
        ("--at", "2026-05-01T00:00:00+02:00", "expired on 2026-04-23 (checked at 2026-04-30)"),
        ("--at", "-9223372036854775808", "not valid before"),
        ("--at", "9223372036854775807", "expired"), ("--client-data-hash", "", "empty"),
        ("--attestation", "", "CBOR"), ("--attestation", "hex:a0", "not an attestation"),
        ("--attestation", "hex:bf", "CBOR"),
    ])
    func aWrongValueIsRejectedWithItsReason(option: String, value: String, reason: String) throws {
        let result = try Tool.run(Self.arguments([option: value]))
        #expect(result.status == 1)
        #expect(result.isOneLineOfError)
        #expect(result.error.contains(reason))
        let json = try Tool.run(Self.arguments([option: value]) + ["--json"]).json()
        #expect(json["verified"] as? Bool == false)
        #expect((json["reason"] as? String)?.contains(reason) == true)
        #expect(json["attestation"] is NSNull)
    }

    @Test func withoutATimeItIsNow() throws {
        // The certificate of the sample was valid for three days in April 2026.
        let result = try Tool.run(Self.arguments(without: "--at"))
        #expect(result.status == 1)
        #expect(result.error.contains("expired") || result.error.contains("not valid before"))
    }

    /// A key record that the tool printed, or a stored public key, verifies the key's assertions.
    @Test func aKeyRecordGoesFromCommandToCommand() throws {
        let json = try Tool.run("verify-attestation", Self.sample, "--json").json()
        let record = try #require((json["attestation"] as? [String: Any])?["keyRecord"] as? String)
        let result = try Tool.run(
            "verify-assertion", Self.sample, "--key", record, "--assertion", MadeAssertion.assertions[0],
            "--client-data", MadeAssertion.clientData)
        // The key record can be parsed, but a different key made the assertion.
        #expect(result.status == 1)
        #expect(result.error.contains("step 3"))
    }

    private let made = [
        "verify-assertion", "--public-key", MadeAssertion.publicKey, "--team", "1234567890", "--bundle",
        "com.example.myapp", "--environment", "production", "--client-data", MadeAssertion.clientData,
    ]

    @Test func anAssertionVerifiesOnce() throws {
        let first = try Tool.run(made + ["--assertion", MadeAssertion.assertions[0], "--json"])
        #expect(first.status == 0)
        let proved = try #require(try first.json()["assertions"] as? [[String: Any]])
        #expect(proved.count == 1)
        #expect(proved[0]["counter"] as? Int == 1)
        #expect(proved[0]["challengeIsCompared"] as? Bool == false)
        let record = try #require(proved[0]["keyRecord"] as? String)

        let advanced = ["--key", record] + Array(made.dropFirst(3))
        let again = try Tool.run(["verify-assertion"] + advanced + ["--assertion", MadeAssertion.assertions[0]])
        #expect(again.status == 1)
        #expect(again.error.contains("step 5"))
        let next = try Tool.run(["verify-assertion"] + advanced + ["--assertion", MadeAssertion.assertions[1]])
        #expect(next.status == 0)
    }

    @Test(arguments: [
        ("--previous-counter", "1", "step 5"), ("--signed-challenge", "text:other", "step 6"),
        ("--signed-challenge", "", "empty"),
    ])
    func aWrongValueOfAnAssertionIsRejected(option: String, value: String, reason: String) throws {
        let result = try Tool.run(made + ["--assertion", MadeAssertion.assertions[0], option, value])
        #expect(result.status == 1)
        #expect(result.isOneLineOfError)
        #expect(result.error.contains(reason))
    }

    @Test func theSignedChallengeIsCompared() throws {
        let arguments = made + ["--assertion", MadeAssertion.assertions[0], "--signed-challenge", "text:benchmark"]
        let result = try Tool.run(arguments)
        #expect(result.status == 0)
        #expect(result.output.contains("Challenge compared   yes"))
    }

    /// The command verifies assertions in order, starting from the counter in the file or from a given counter.
    @Test func assertionsOfAFileAreVerifiedInTurn() throws {
        let clientData = Data("benchmark".utf8).base64EncodedString()
        func file(_ order: [Int], counters: [Int?]) throws -> String {
            let assertions = zip(order, counters).map { index, counter in
                ["assertion": MadeAssertion.assertions[index], "clientData": clientData]
                    .merging(counter.map { ["previousCounter": $0] } ?? [:]) { $1 } as [String: Any]
            }
            let json = try JSONSerialization.data(withJSONObject: ["assertions": assertions])
            return try folder.write("file.json", json).path
        }
        let folder = try TemporaryFolder()
        let options = Array(made.dropFirst().prefix(8))
        func run(_ path: String, _ extra: String...) throws -> Tool.Result {
            try Tool.run(["verify-assertion", path] + options + extra)
        }
        #expect(try run(file([0, 1], counters: [0, 1])).output.hasPrefix("All 2 assertions are genuine"))
        #expect(try run(file([0, 1], counters: [nil, nil])).status == 0)
        #expect(try run(file([0, 1], counters: [5, 5]), "--previous-counter", "0").status == 0)
        #expect(try run(file([0, 0], counters: [0, 0])).status == 0)
        for path in [try file([1, 0], counters: [nil, nil]), try file([0, 0], counters: [0, nil])] {
            let result = try run(path)
            #expect(result.status == 1)
            #expect(result.isOneLineOfError)
            #expect(result.error.contains("assertion 2 of 2: step 5"))
        }
    }

    @Test(.enabled(if: ObjectFile.extraDirectory != nil, "PUREATTEST_EXTRA_VECTORS names no folder with app-attest"))
    func everyGenuineFileVerifies() throws {
        let folder = try #require(ObjectFile.extraDirectory)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        var assertionCount = 0
        for name in names {
            let path = folder.appending(path: name).path
            let file = try ObjectFile(json: Data(contentsOf: URL(filePath: path)))
            #expect(try Tool.run("verify-attestation", path).status == 0, "\(name)")
            #expect(try Tool.run("verify-attestation", path, "--challenge", "text:x").status == 1, "\(name)")
            #expect(try Tool.run("inspect", path).status == 0, "\(name)")
            guard !file.assertions.isEmpty else { continue }
            let result = try Tool.run("verify-assertion", path, "--json")
            #expect(result.status == 0, "\(name)")
            let proved = try #require(try result.json()["assertions"] as? [[String: Any]])
            #expect(proved.map { $0["counter"] as? UInt32 } == file.assertions.map(\.counter), "\(name)")
            assertionCount += proved.count
        }
        // Checks the counts, because an empty folder would meet all expectations above.
        #expect(names.count >= 8 && assertionCount >= 3)
        print("\(names.count) genuine object files with \(assertionCount) assertions verified by the tool")
    }
}
