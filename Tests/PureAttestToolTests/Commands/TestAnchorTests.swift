import Foundation
import Testing
import VectorSupport

/// Tests that `--trust-test-anchor` lets commands verify the output of `simulate` and marks the verdict accordingly.
@Suite("Test anchors")
struct TestAnchorTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "assertion.json").path
        try simulate("assert")
    }

    private func simulate(_ words: String...) throws {
        let result = try Tool.run(
            ["simulate"] + words + ["--seed", "3", "--out", folder.url.path]
                + [
                    "--challenge", "text:abcdefgh", "--client-data", "text:requests",
                ].prefix(words.first == "assert" ? 4 : 2))
        #expect(result.status == 0, "\(result.error)")
    }

    @Test(arguments: ["verify-attestation", "verify-assertion", "receipt"])
    func verifiesAndIsLabelled(_ command: String) throws {
        let refused = try Tool.run(command, file)
        #expect(refused.status == 1 && refused.error.contains("trusted issuer"))
        let verified = try Tool.run(command, file, "--trust-test-anchor")
        #expect(verified.status == 0 && verified.error.isEmpty)
        #expect(verified.output.contains("under a test root: no Apple device made it"))
        #expect(!verified.output.contains("genuine"))
        let object = try Tool.run(command, file, "--trust-test-anchor", "--json").json()
        #expect(object["verified"] as? Bool == true && object["trustsTestAnchor"] as? Bool == true)
        let plain = try Tool.run(command, file, "--json").json()
        #expect(plain["verified"] as? Bool == false && plain["trustsTestAnchor"] as? Bool == false)
        #expect(plain["reasonCode"] as? String == "certificate" && plain["reasonDetail"] as? String == "issuerNotFound")
    }

    @Test func explains() throws {
        let explained = try Tool.run("explain", file, "--trust-test-anchor")
        #expect(explained.status == 0 && explained.output.hasPrefix("Checked under the test root in the file"))
        #expect(explained.output.contains("Diagnostic report (not a verification): assertion."))
        let object = try Tool.run("explain", file, "--trust-test-anchor", "--json").json()
        #expect(object["trustsTestAnchor"] as? Bool == true && (object["reports"] as? [Any])?.count == 3)
        // The reports name the test authority, and so do the titles of the two chain steps.
        let reports = try #require(object["reports"] as? [[String: Any]])
        #expect(reports.allSatisfy { $0["authority"] as? String == "test" })
        let titles = reports.flatMap { $0["steps"] as? [[String: Any]] ?? [] }.compactMap { $0["title"] as? String }
        #expect(titles.count { $0.contains("the test authority's") && $0.contains("root") } == 2)
        for text in titles + [explained.output] { #expect(!text.contains("Apple's App Attest root")) }
        let genuine = try Tool.run("explain", file, "--json").json()
        #expect((genuine["reports"] as? [[String: Any]])?.first?["authority"] as? String == "apple")
        let refused = try Tool.run("explain", file).output
        #expect(refused.contains("FAILED 1: the certificates chain to Apple's App Attest root"))
        #expect(!refused.contains("test authority"))
        #expect(try Tool.run("explain", file).status == 1)
    }

    /// The policies in the file apply, because the file describes a simulated server with these policies.
    @Test func theFilesPoliciesApply() throws {
        try simulate("attest", "--fault", "attestation.bundleVersionNotAllowed")
        let result = try Tool.run(
            "verify-attestation", "--json", folder.url.appending(path: "attestation.json").path, "--trust-test-anchor")
        #expect(result.status == 1)
        #expect(try result.json()["reasonCode"] as? String == "bundleVersionNotAllowed")
    }

    /// The tool replaces the Apple root only if the option is given and the file contains a root.
    @Test func needsAFileWithARoot() throws {
        for arguments in [
            ["verify-attestation", VerificationTests.sample, "--trust-test-anchor"],
            ["explain", VerificationTests.sample, "--trust-test-anchor"],
            ["verify-attestation", "--trust-test-anchor"],
            [
                "verify-assertion", "--trust-test-anchor", "--public-key", MadeAssertion.publicKey, "--assertion",
                "AAAA",
                "--client-data", "AAAA", file,
            ],
        ] {
            let result = try Tool.run(arguments)
            #expect(result.status == 2 && result.isOneLineOfError, "\(arguments)")
        }
        let broken = try String(contentsOfFile: file, encoding: .utf8)
            .replacing(/"attestationRoot": "[^"]*"/, with: #""attestationRoot": "AAAA""#)
        let result = try Tool.run(
            "verify-attestation", try folder.write("broken.json", Data(broken.utf8)).path, "--trust-test-anchor")
        #expect(result.status == 2 && result.error.contains("is not two certificates"))
    }

    // MARK: Texts that are Base64 too

    @Test func aTextTakenForBase64IsRecognised() throws {
        let assertion = "@" + folder.url.appending(path: "assertion.cbor").path
        for (arguments, option) in [
            (["verify-attestation", file, "--challenge", "abcdefgh"], "--challenge"),
            (["receipt", file, "--challenge", "abcdefgh"], "--challenge"),
            (["verify-assertion", file, "--assertion", assertion, "--client-data", "requests"], "--client-data"),
        ] {
            let result = try Tool.run(arguments + ["--trust-test-anchor"])
            #expect(result.status == 1 && result.isOneLineOfError)
            #expect(
                result.error.contains(
                    "\(option) was decoded as Base64, but verifies as text: use \(option) text:…"), "\(result.error)"
            )
        }
        let other = try Tool.run("verify-attestation", file, "--challenge", "abcdefgi", "--trust-test-anchor")
        #expect(other.status == 1 && !other.error.contains("as text"))
        let explained = try Tool.run("explain", file, "--challenge", "abcdefgh", "--trust-test-anchor")
        #expect(explained.status == 1 && explained.output.contains("Hint: --challenge was decoded as Base64, but "))
        let noBase64 = try Tool.run("verify-attestation", file, "--challenge", "a b")
        #expect(noBase64.status == 2 && noBase64.error.contains("to read a file, use @PATH; for text, text:…"))
    }

    // MARK: Assertions by themselves

    /// If the caller gives a stored key, there is no attestation to explain.
    @Test func aLoneAssertionIsExplained() throws {
        let attested = try Tool.run("verify-attestation", file, "--trust-test-anchor", "--json").json()
        let record = try #require((attested["attestation"] as? [String: Any])?["keyRecord"] as? String)
        let app = ["--team", "TEST123456", "--bundle", "com.example.app", "--environment", "production"]
        let assertion = ["--assertion", "@" + folder.url.appending(path: "assertion.cbor").path]
        let data = ["--client-data", "text:requests", "--signed-challenge", "text:requests"]
        for option in ["--key-record", "--key"] {
            let good = try Tool.run(["explain", option, record] + app + assertion + data)
            #expect(
                good.status == 0 && good.output.hasPrefix("Diagnostic report (not a verification): assertion."),
                "\(good)")
            #expect(!good.output.contains("attestation"))
            #expect(try Tool.run(["verify-assertion", option, record] + app + assertion + data).status == 0)
        }
        let wrong = try Tool.run(["explain", "--key-record", record] + app + assertion + ["--client-data", "text:x"])
        #expect(wrong.status == 1 && wrong.output.contains("FAILED 3: "))
        let alone = try Tool.run(["explain"] + assertion + data)
        #expect(alone.status == 2 && alone.isOneLineOfError)
    }

    // MARK: Standard input

    @Test func standardInputIsAFile() throws {
        for (words, status) in [
            ("verify-attestation --trust-test-anchor -", Int32(0)), ("verify-attestation -", 1),
            ("explain --trust-test-anchor -", 0), ("inspect -", 0), ("vectors --trust-test-anchor -", 0),
            ("verify-assertion --trust-test-anchor -", 0), ("receipt --trust-test-anchor -", 0),
        ] {
            for input in ["< '\(file)'", ""] {
                let pipe = input.isEmpty ? "cat '\(file)' | " : "exec "
                let result = try Tool.runInShell("\(pipe)\"$0\" \(words) \(input)")
                #expect(result.status == status, "\(words): \(result.error)")
            }
        }
        let bytes = folder.url.appending(path: "assertion.cbor").path
        #expect(try Tool.runInShell("\"$0\" inspect --bytes @- < '\(bytes)'").status == 0)
        #expect(try Tool.runInShell("xxd -p '\(bytes)' | \"$0\" inspect -").output.contains("Counter"))
        let twice = try Tool.runInShell("\"$0\" verify-attestation - --attestation @- < '\(file)'")
        #expect(twice.status == 2 && twice.isOneLineOfError && twice.error.contains("only once"))
    }

    // MARK: Faults

    @Test func faultsAreListedWithTheirSeverity() throws {
        let result = try Tool.run("faults")
        #expect(result.status == 0 && result.output.split(separator: "\n").count == 437)
        let list = try #require(try Tool.run("faults", "--json").json()["faults"] as? [[String: Any]])
        let severities = Dictionary(grouping: list) { $0["severity"] as? String }.mapValues(\.count)
        #expect(severities == ["hole": 248, "leniency": 159, "policy": 30])
        func entry(_ id: String) -> [String: Any]? { list.first { $0["fault"] as? String == id } }
        #expect(entry("attestation.nonceMismatch")?["severity"] as? String == "hole")
        #expect(entry("assertion.signatureNonMinimal")?["severity"] as? String == "leniency")
        // If a verifier skips a bad certificate, it accepts an unverified object, so the severity is `hole`. If it
        // skips a bad receipt, it still verifies the key, so the severity is `leniency`.
        #expect(entry("attestation.certificateNotBytes")?["severity"] as? String == "hole")
        #expect(entry("attestation.objectItemFlood")?["severity"] as? String == "leniency")
        #expect(entry("receipt.fieldTwice")?["severity"] as? String == "leniency")
        #expect(entry("certificate.leafExpired")?["reasonDetail"] as? String == "expired")
        #expect(list.allSatisfy { ($0["rule"] as? String)?.isEmpty == false && $0["reasonCode"] is String })
        // The JavaScript module contains all reason codes and details of the App Attest faults.
        let script = try String(
            contentsOf: VectorDirectory.committed.deletingLastPathComponent()
                .appending(path: "Sources/Bindings/JavaScript/Generated/reasons.mjs"), encoding: .utf8)
        let names = Set(script.matches(of: /"(\w+)"/).map { String($0.1) })
        let ofAppAttest = list.filter { item in
            !["android.", "appStore."].contains { (item["fault"] as? String)?.hasPrefix($0) == true }
        }
        #expect(ofAppAttest.count == 258)
        let codes = Set(ofAppAttest.flatMap { [$0["reasonCode"], $0["reasonDetail"]].compactMap { $0 as? String } })
        #expect(codes.count > 60 && codes.subtracting(names).isEmpty, "\(codes.subtracting(names))")
    }
}
