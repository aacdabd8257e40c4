import DebugSampling
import Foundation
import PureKeyAttestationTesting
import Testing
import VectorSupport

/// Tests `pure-attest simulate android`, and the verdicts of `verify-key-attestation` on the files that it writes.
@Suite struct SimulateAndroidTests {
    private func simulate(_ folder: TemporaryFolder, _ words: String...) throws -> String {
        let result = try Tool.run(["simulate", "android", "--seed", "3", "--out", folder.url.path] + words)
        #expect(result.status == 0, "\(result.error)")
        return folder.url.appending(path: "android.json").path
    }

    @Test(arguments: [
        ["--level", "strongBox", "--key", "p384"],
        ["--challenge", "text:abc", "--client-data", "text:x", "--key", "p256"],
        ["--time", "2020-03-18T18:32:53Z"], ["--time", "2049-12-31T23:59:59Z"],
    ])
    func casesVerifyOnlyUnderTheirRoot(_ words: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try Tool.run(["simulate", "android", "--seed", "3", "--out", folder.url.path] + words)
        #expect(result.status == 0 && result.output == "1 case in \(folder.url.path)\n")
        let file = folder.url.appending(path: "android.json").path
        let verified = try Tool.run("verify-key-attestation", file, "--trust-test-anchor")
        #expect(verified.status == 0 && verified.error.isEmpty)
        #expect(verified.output.contains("under a test root: no real device made it"))
        #expect(!verified.output.contains("genuine"))
        #expect(verified.output.contains("Signature verified"))
        let refused = try Tool.run("verify-key-attestation", file, "--json")
        #expect(refused.status == 1)
        let object = try refused.json()
        #expect(object["reasonCode"] as? String == "untrustedRoot" && object["trustsTestAnchor"] as? Bool == false)
        let pem = try Tool.run(
            "verify-key-attestation", folder.url.appending(path: "android.pem").path, "--trust-test-anchor",
            "--report-only")
        #expect(pem.status == 2 && pem.error.contains("needs a file from pure-attest simulate"))
    }

    /// A factory chain contains two RSA signatures. A second run of the command produces the same bytes.
    @Test func factory() throws {
        let (a, b) = (try TemporaryFolder(), try TemporaryFolder())
        let file = try simulate(a, "--provisioning", "factory")
        _ = try simulate(b, "--provisioning", "factory")
        for name in ["android.json", "android.pem", "android-root.pem", "revocation.json"] {
            let both = try [a, b].map { try Data(contentsOf: $0.url.appending(path: name)) }
            #expect(both[0] == both[1], "\(name)")
        }
        let verified = try Tool.run("verify-key-attestation", file, "--trust-test-anchor", "--json").json()
        #expect(verified["verified"] as? Bool == true && verified["provisioning"] as? String == "factory")
    }

    /// Covers faults of the chain, the revocation list, the key description, the policy and the signature.
    @Test(
        arguments: debugSample(
            [
                AndroidFault.attestationRevoked, .listEntryTwice, .chainOfStranger, .osVersionOld, .packageVersionOld,
                .certificatesTooMany, .keyLevelTooLow, .vendorPatchLevelOld, .requestReplayed, .memberTwice,
            ], every: 3, of: "faults of Android"))
    func faultsAreRejectedForTheirReason(_ fault: AndroidFault) throws {
        let folder = try TemporaryFolder()
        let file = try simulate(folder, "--fault", fault.id)
        let result = try Tool.run("verify-key-attestation", file, "--trust-test-anchor", "--json")
        #expect(result.status == 1)
        let code = VectorSupport.caseName(of: fault.expectedError(.remote))
        #expect(try result.json()["reasonCode"] as? String == code)
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file))) as? [String: Any]
        let expect = object?["expect"] as? [String: Any]
        #expect(expect?["fault"] as? String == fault.id && expect?["rule"] as? String == fault.rule)
        #expect(expect?["reasonCode"] as? String == code)
    }

    /// The policy in a file describes the simulated server, so it applies only if the file's root is trusted too.
    @Test func theFilesPolicyCountsForTestRootsOnly() throws {
        let folder = try TemporaryFolder()
        let file = try simulate(folder, "--fault", "android.osVersionOld")
        let text = try String(contentsOfFile: file, encoding: .utf8)
            .replacing(/"testRoot": "[^"]*"/, with: #""testRoot": "AAAA""#)
        let broken = try folder.write("broken.json", Data(text.utf8)).path
        let result = try Tool.run("verify-key-attestation", broken, "--trust-test-anchor")
        #expect(result.status == 2 && result.error.contains("testRoot in the file is not a certificate"))
        #expect(try Tool.run("verify-key-attestation", broken).status == 1)
    }

    @Test func usage() throws {
        let folder = try TemporaryFolder()
        let out = folder.url.appending(path: "never").path
        let wrong: [[String]] = [
            ["android"], ["android-corpus", "--fault", "android.rootOther"], ["android", "--app-id", "x"],
            ["android", "--counter", "1"], ["android", "--fault", "attestation.nonceMismatch"],
            ["android", "--fault", "android.nothing"], ["android", "--fault", "android.provisionedInFactory"],
            ["android", "--provisioning", "air"], ["android", "--level", "software"], ["android", "--key", "p521"],
            ["android", "--challenge", "text:"], ["android", "--time", "0"], ["android-corpus", "--key", "p256"],
            ["attest", "--key", "p256"], ["attest", "--fault", "android.rootOther"],
            ["corpus", "--level", "strongBox"],
        ]
        for words in wrong {
            let seed = words == ["android"] ? [] : ["--seed", "1"]
            let result = try Tool.run(["simulate"] + words + seed + ["--out", out])
            #expect(result.status == 2 && result.isOneLineOfError, "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test func faultsAreListed() throws {
        let text = try Tool.run("faults").output
        for fault in AndroidFault.allCases { #expect(text.contains(fault.id), "\(fault)") }
    }
}
