import Foundation
import Testing
import VectorSupport

/// Options that would have no effect are rejected, because the user expects that they have one.
@Suite("Options without effect")
struct OptionsWithoutEffectTests {
    private func simulate(_ folder: String, _ words: [String]) throws -> Tool.Result {
        try Tool.run(["simulate", "transaction", "--seed", "1", "--out", folder] + words)
    }

    @Test(arguments: [
        ("transaction", ["--apple-id=1"]),
        ("renewal-info", ["--bundle-id=com.example", "--apple-id=1", "--refunded"]),
        ("app-transaction", ["--product=com.example.pro", "--original-id=7", "--refunded"]),
    ])
    func simulatedDataRejectsOptionsOfOtherKinds(_ kind: String, _ options: [String]) throws {
        for option in options {
            let name = option.split(separator: "=")[0]
            let result = try simulate("/dev/full", ["--kind", kind, option])
            #expect(result.status == 2 && result.isOneLineOfError)
            #expect(result.error == "pure-attest: \(name) has no effect with --kind \(kind)\n")
        }
    }

    /// Without `--kind`, the data is a transaction.
    @Test func simulatedDataIsATransactionByDefault() throws {
        let result = try simulate("/dev/full", ["--apple-id", "1"])
        #expect(result.status == 2)
        #expect(result.error == "pure-attest: --apple-id has no effect with --kind transaction\n")
    }

    @Test(arguments: [
        ("transaction", ["--bundle-id=com.example", "--product=com.example.pro", "--original-id=7", "--refunded"]),
        ("renewal-info", ["--product=com.example.pro", "--original-id=7"]),
        ("app-transaction", ["--bundle-id=com.example", "--apple-id=1"]),
    ])
    func simulatedDataDiffersByItsOptions(_ kind: String, _ options: [String]) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "\(kind).jws")
        var contents: Set<Data> = []
        for more in [[], ["--store=production"]] + options.map({ [$0] }) {
            let result = try simulate(folder.url.path, ["--kind", kind] + more)
            #expect(result.status == 0, "\(result.error)")
            contents.insert(try Data(contentsOf: file))
        }
        #expect(contents.count == options.count + 2)
    }

    @Test(arguments: [("--package", "com.example"), ("--signing-digest", String(repeating: "0", count: 64))])
    func halfOfAnAndroidApp(_ name: String, _ value: String) throws {
        let chain = VectorDirectory.committed.appending(path: "android-key-attestation/tegu/sdk36/TEE_EC_2026_ROOT.pem")
        let result = try Tool.run(["verify-key-attestation", chain.path, "--report-only", name, value])
        #expect(result.status == 2)
        #expect(result.error == "pure-attest: --package and --signing-digest need each other; give both or neither\n")
    }

    @Test func verifyTransaction() throws {
        let folder = try TemporaryFolder()
        #expect(try simulate(folder.url.path, []).status == 0)
        let words = [
            "verify-transaction", folder.url.appending(path: "transaction.jws").path, "--bundle-id", "com.example.app",
            "--root", folder.url.appending(path: "app-store-root.pem").path,
        ]
        for (environment, option, reason) in [
            ("sandbox", "--apple-id=1", "--apple-id is compared only with --environment production"),
            ("xcode", "--apple-id=1", "--apple-id is compared only with --environment production"),
            ("xcode", "--certificates-valid=now", "--certificates-valid has no effect with --environment xcode"),
            (
                "local-testing", "--certificates-valid=signing",
                "--certificates-valid has no effect with --environment local-testing"
            ),
        ] {
            let result = try Tool.run(words + ["--environment", environment, option])
            #expect(result.status == 2 && result.isOneLineOfError)
            #expect(result.error == "pure-attest: \(reason); remove it\n")
        }
    }

    /// With `--iterations`, the command neither measures nor prints anything.
    @Test func bench() throws {
        let words = ["bench", "--only", "sha256-16k", "--iterations", "1"]
        for option in ["--rounds=2", "--seconds=1", "--json"] {
            let name = option.split(separator: "=")[0]
            let result = try Tool.run(words + [option])
            #expect(result.status == 2 && result.isOneLineOfError)
            #expect(
                result.error == "pure-attest: --iterations and \(name) cannot be combined; give one of them\n")
        }
        let alone = try Tool.run(words)
        #expect(alone.status == 0 && alone.output.isEmpty && alone.error.isEmpty)
    }
}
