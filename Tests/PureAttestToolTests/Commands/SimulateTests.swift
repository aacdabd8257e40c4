import DebugSampling
import Foundation
import Testing
import VectorSupport

/// Tests `pure-attest simulate`, which writes files for testing other servers.
@Suite struct SimulateTests {
    private static let script = VectorDirectory.committed.deletingLastPathComponent()
        .appending(path: "Tests/Checks/Interoperability/check_objects.py")

    /// Requires the independent check to run in CI, where a skipped test would look like a passed test.
    private static let isInCI = ProcessInfo.processInfo.environment["CI"] == "true"

    private static let hasPython =
        (try? Tool.run(URL(filePath: "/usr/bin/env"), ["python3", "-c", "import cryptography, cbor2"]))?.status == 0

    /// Two tests share this corpus, because generating it takes longer than the tests. It is removed at the end.
    private static let made: Result<(folder: TemporaryFolder, result: Tool.Result), any Error> = Result {
        let folder = try TemporaryFolder()
        atexit { try? FileManager.default.removeItem(at: SimulateTests.made.get().folder.url) }
        return (folder, try Tool.run("simulate", "corpus", "--seed", "9", "--out", folder.url.path))
    }

    @Test func corpus() throws {
        let (folder, result) = try Self.made.get()
        #expect(result.status == 0 && result.error.isEmpty)
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        #expect(result.output == "\(files.count) cases in \(folder.url.path)\n")
        var accepted = 0, identifiers: Set<String> = [], objects: [(file: URL, count: Int)] = []
        for file in files {
            let json = try Data(contentsOf: file)
            let object = try ObjectFile(json: json)
            #expect(object.name + ".json" == file.lastPathComponent)
            let verdict = try JSONDecoder().decode(Verdicts.self, from: json)
            let faults = [verdict.expect] + verdict.receipts + verdict.assertions
            objects.append((file, faults.count))
            if faults.allSatisfy(\.verifies) { accepted += 1 }
            for item in faults where !item.verifies {
                #expect(item.fault == object.name && item.rule?.isEmpty == false && item.reason?.isEmpty == false)
                identifiers.insert(item.fault ?? "")
            }
        }
        #expect(accepted == 20 && identifiers.count == files.count - accepted)
        #expect(objects.reduce(0) { $0 + $1.count } == 559)
        try expectVerdictsOfVectors(debugSample(objects, every: 70, of: "files of the corpus"))
        #expect(try Tool.run("vectors", folder.url.path).status == 2)
        try expectAnotherReasonToFail(folder.url.path + "/attestation.nonceMismatch.json")
    }

    /// Expects that `vectors` confirms the verdict in each file. This takes as long as generating a corpus.
    private func expectVerdictsOfVectors(_ objects: [(file: URL, count: Int)]) throws {
        let folder = try TemporaryFolder()
        for (file, _) in objects {
            try FileManager.default.copyItem(at: file, to: folder.url.appending(path: file.lastPathComponent))
        }
        let result = try Tool.run("vectors", "--trust-test-anchor", folder.url.path)
        #expect(result.status == 0)
        let count = objects.map(\.count).reduce(0, +)
        #expect(result.output.hasSuffix("\(count) passed, 0 failed, 0 skipped\n"), "\(result.output.suffix(200))")
        #expect(result.output.contains("App Attest objects, test roots trusted"))
    }

    private func expectAnotherReasonToFail(_ fault: String) throws {
        let folder = try TemporaryFolder()
        let text = try String(contentsOfFile: fault, encoding: .utf8)
            .replacing(#""reasonCode": "nonceMismatch""#, with: #""reasonCode": "keyIDMismatch""#)
        let turned = try folder.write("turned.json", Data(text.utf8))
        let other = try Tool.run("vectors", "--trust-test-anchor", turned.path)
        #expect(other.status == 1 && other.output.contains("failed: attestation (differs): step 4: "))
    }

    private struct Verdicts: Decodable {
        struct Verdict: Decodable { var verifies: Bool, fault: String?, rule: String?, reason: String? }
        var expect: Verdict
        var receipts: [Verdict]
        var assertions: [Verdict]
    }

    /// An independent implementation gives the same verdicts.
    @Test(
        .enabled(
            if: hasPython || isInCI, "no python3 with cryptography and cbor2: nothing checked the corpus independently")
    )
    func independentVerdicts() throws {
        let (made, result) = try Self.made.get()
        #expect(result.status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: made.url.path).sorted()
        let folder = try TemporaryFolder()
        for name in debugSample(names, every: 7, of: "files of the corpus checked by Python") {
            try FileManager.default.copyItem(at: made.url.appending(path: name), to: folder.url.appending(path: name))
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Self.script.path, folder.url.path]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }

    /// The same seed gives the same bytes. By default, only Apple's root is trusted and the object is rejected.
    @Test func oneObject() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] {
            let out = folder.url.appending(path: name).path
            let words = ["--seed", "5", "--out", out, "--system", "iOS17", "--environment", "development"]
            #expect(try Tool.run(["simulate", "attest", "--challenge", "text:hello"] + words).status == 0)
            #expect(
                try Tool.run(["simulate", "assert", "--client-data", "text:x", "--counter", "4"] + words).status == 0)
            #expect(try Tool.run(["simulate", "device"] + words).status == 0)
        }
        let names = [
            "attestation.json", "attestation.cbor", "assertion.json", "assertion.cbor", "device.json",
            "attestation-root.pem", "receipt-root.pem", "request-challenge-attestation.json",
            "request-challenge-assertion.json", "request-attest.json", "request-session.json",
        ]
        for name in names {
            let (a, b) = (folder.url.appending(path: "a/\(name)"), folder.url.appending(path: "b/\(name)"))
            #expect(try Data(contentsOf: a) == Data(contentsOf: b), "\(name)")
        }
        let file = folder.url.appending(path: "a/assertion.json")
        let object = try ObjectFile(json: Data(contentsOf: file))
        #expect(object.environment == "development" && object.assertions.map(\.counter) == [4])
        let refused = try Tool.run("verify-attestation", file.path)
        #expect(refused.status == 1 && refused.error.contains("trusted issuer"))
        let inspected = try Tool.run("inspect", file.path)
        #expect(inspected.status == 0 && inspected.output.contains("Test App Attestation CA 1"))
    }

    /// The files state a policy that rejects the fault. The default device sends no build hash.
    @Test(arguments: [
        "attestation.buildNotAllowed", "attestation.buildOtherType", "attestation.buildMissing",
        "attestation.buildUnsigned", "assertion.buildNotAllowed", "assertion.buildMissing", "assertion.buildUnsigned",
    ])
    func faultsOfBuilds(_ fault: String) throws {
        let folder = try TemporaryFolder()
        let product = fault.hasPrefix("assertion.") ? "assert" : "attest"
        let made = try Tool.run("simulate", product, "--seed", "1", "--fault", fault, "--out", folder.url.path)
        #expect(made.status == 0)
        let file = folder.url.appending(path: product == "assert" ? "assertion.json" : "attestation.json")
        let result = try Tool.run("vectors", "--trust-test-anchor", file.path)
        #expect(result.status == 0 && result.output.contains("0 failed"), "\(result.output)")
    }

    @Test func assertionsVerifyAtBothEndsOfTheIssuersValidity() throws {
        for time in ["2020-03-18T18:32:53Z", "2049-12-31T23:59:59Z"] {
            // The name of a folder may contain terminal control characters.
            let folder = try TemporaryFolder()
            let out = folder.url.appending(path: "\u{1B}[31m").path
            let made = try Tool.run("simulate", "assert", "--seed", "1", "--out", out, "--time", time)
            #expect(made.status == 0 && made.output.contains(#"\u{1b}[31m"#) && !made.output.contains("\u{1B}"))
            #expect(
                try Tool.run("verify-assertion", "--trust-test-anchor", "\(out)/assertion.json").status == 0, "\(time)")
        }
    }

    @Test func usage() throws {
        let folder = try TemporaryFolder()
        let out = folder.url.appending(path: "never").path
        let wrong: [[String]] = [
            [], ["nothing"], ["corpus"], ["corpus", "--seed", "1"], ["corpus", "--out", out],
            ["corpus", "--seed", "-1", "--out", out], ["corpus", "--seed", "1", "--out", out, "--system", "iOS17"],
            ["attest", "--seed", "1", "--out", out, "--counter", "1"],
            // At these times, the issuer certificates are not yet valid or have expired.
            ["corpus", "--seed", "1", "--out", out, "--time", "0"],
            ["attest", "--seed", "1", "--out", out, "--time", "9999999999999999"],
            ["device", "--seed", "1", "--out", out, "--time=-9223372036854775808"],
            ["assert", "--seed", "1", "--out", out, "--time", "2050-01-01T00:00:00Z"],
            ["attest", "--seed", "1", "--out", out, "--system", "iOS99"],
            ["attest", "--seed", "1", "--out", out, "--environment", "test"],
            ["attest", "--seed", "1", "--out", out, "--fault", "assertion.counterZero"],
            ["attest", "--seed", "1", "--out", out, "--fault", "attestation.nothing"],
            [
                "attest", "--seed", "1", "--out", out, "--system", "iOS17", "--fault",
                "attestation.bundleVersionMissing",
            ],
            ["assert", "--seed", "1", "--out", out, "--fault", "attestation.nonceMismatch"],
            ["assert", "--seed", "1", "--out", out, "--counter", "0"],
            // These attestations do not prove the launch information, so the stated policy accepts missing information.
            ["assert", "--seed", "1", "--out", out, "--system", "iOS27", "--fault", "assertion.buildMissing"],
            [
                "assert", "--seed", "1", "--out", out, "--system", "iOS27", "--fault",
                "assertion.launchInformationForged",
            ],
            // The faulty counter would overflow.
            [
                "assert", "--seed", "1", "--out", out, "--fault", "assertion.counterJump", "--counter", "4294966296",
            ],
            [
                "assert", "--seed", "1", "--out", out, "--fault", "assertion.counterJump", "--counter", "4294967295",
            ],
        ]
        for words in wrong {
            let result = try Tool.run(["simulate"] + words)
            #expect(result.status == 2 && result.isOneLineOfError, "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: out))
        let unwritable = try Tool.run("simulate", "device", "--seed", "1", "--out", "/dev/null/x")
        #expect(unwritable.status == 2 && unwritable.isOneLineOfError)
        let faulty = try Tool.run(
            "simulate", "attest", "--seed", "1", "--out", out, "--fault", "certificate.leafExpired")
        #expect(faulty.status == 0)
    }
}
