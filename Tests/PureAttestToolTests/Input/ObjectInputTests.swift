import Foundation
import Testing
import VectorSupport

@testable import pure_attest

/// The tool recognises files by their content, and accepts a path to an object without `@`.
@Suite("Objects in files")
struct ObjectInputTests {
    private let folder: TemporaryFolder
    private let attestation: Data

    init() throws {
        folder = try TemporaryFolder()
        attestation = try ObjectFile.committed().attestation
    }

    private func arguments(_ attestation: String) -> [String] {
        VerificationTests.arguments(["--attestation": attestation])
    }

    /// Returns paths of files whose name extensions do not match their contents.
    private func files() throws -> [String] {
        let hex = attestation.map { String(format: "%02x", $0) }.joined(separator: "")
        return [
            try folder.write("plain.cbor", attestation).path,
            try folder.write("base64.json", attestation.base64EncodedData(options: .lineLength76Characters)).path,
            try folder.write("url.pem", Data((attestation.base64EncodedString() + "\n").utf8)).path,
            try folder.write("hex", Data(hex.utf8)).path,
        ]
    }

    @Test func optionsTakePaths() throws {
        for file in try files() {
            for value in [file, "@\(file)"] {
                let result = try Tool.run(arguments(value))
                #expect(result.status == 0, "\(value): \(result.error)")
            }
        }
        let piped = VerificationTests.arguments(["--attestation": "-"]).map { "'\($0)'" }.joined(separator: " ")
        #expect(try Tool.runInShell("\"$0\" \(piped) < '\(files()[1])'").status == 0)
    }

    @Test func operandsTakeAttestations() throws {
        let words = VerificationTests.arguments(without: "--attestation")
        for file in try files() {
            #expect(try Tool.run(words + [file]).status == 0)
            #expect(try Tool.run(["explain"] + words.dropFirst() + [file]).status == 0)
            #expect(try Tool.run(["receipt"] + words.dropFirst() + [file]).status == 0)
        }
    }

    /// The message names the kind of object and the option for it.
    @Test func otherObjectsAreNamed() throws {
        let assertion = try folder.write("a.cbor", Data(base64Encoded: MadeAssertion.assertions[0]) ?? Data()).path
        let chain = VectorDirectory.committed.appending(path: "android-key-attestation/akita/sdk34/SB_RSA_NONE.pem")
            .path
        for (words, reason) in [
            (["verify-assertion", assertion], "is an assertion; use --assertion \(assertion) with --client-data"),
            (["verify-attestation", chain], "is PEM certificates; expected an object file or an attestation"),
            (arguments(chain), "holds PEM certificates, not an object"),
            (arguments(VerificationTests.sample), "is JSON; give an object file as FILE, without --attestation"),
        ] {
            let result = try Tool.run(words)
            #expect(result.status == 2 && result.isOneLineOfError && result.error.contains(reason), "\(result.error)")
        }
    }

    @Test func messagesSayWhatToDo() throws {
        let file = try folder.write("challenge.bin", Data("x".utf8)).path
        for (words, reason) in [
            (
                VerificationTests.arguments(["--challenge": "!!!!"], without: "--client-data-hash"),
                "--challenge: invalid Base64 at byte 0; to read a file, use @PATH"
            ),
            (
                VerificationTests.arguments(["--challenge": file], without: "--client-data-hash"),
                "to read the file, use @\(file)"
            ),
            (arguments("missing.cbor"), "--attestation: no file missing.cbor, and invalid Base64 at byte 7"),
            (["inspect", try folder.write("x.der", Data([0xff, 0])).path], "; the extension suggests DER"),
            (["inspect", try folder.write("x.json", Data("!".utf8)).path], "; the extension suggests JSON"),
        ] {
            let result = try Tool.run(words)
            #expect(result.status == 2 && result.isOneLineOfError && result.error.contains(reason), "\(result.error)")
        }
    }

    @Test func aFileChangesNoChallenge() throws {
        let words = VerificationTests.arguments(["--client-data-hash": "ZXhhbXBsZV9zZXJ2ZXJfY2hhbGxlbmdl"])
            .map { "'\($0)'" }.joined(separator: " ")
        _ = try folder.write("ZXhhbXBsZV9zZXJ2ZXJfY2hhbGxlbmdl", Data("other".utf8))
        #expect(try Tool.runInShell("cd '\(folder.url.path)' && \"$0\" \(words)").status == 0)
    }

    @Test func chainsInDER() throws {
        let path = VectorDirectory.committed.appending(path: "android-key-attestation/akita/sdk34/SB_RSA_NONE.pem").path
        let pem = PemFile(try String(contentsOfFile: path, encoding: .utf8))
        let der = Data(pem.blocks.compactMap(\.bytes).joined())
        let words = ["verify-key-attestation", "--report-only", "--at", "1726500000"]
        let expected = try Tool.run(words + [path])
        for content in [der, der.base64EncodedData()] {
            #expect(try Tool.run(words + [folder.write("chain", content).path]).output == expected.output)
        }
        let cut = try Tool.run(words + [folder.write("cut", der.dropLast()).path])
        #expect(cut.status == 2 && cut.isOneLineOfError && cut.error.contains("expected PEM certificates"))
    }

    // MARK: inspect

    @Test func severalFilesHaveHeadings() throws {
        let good = try folder.write("good.cbor", attestation).path
        let bad = try folder.write("bad", Data("!".utf8)).path
        let alone = try Tool.run("inspect", good)
        let both = try Tool.run("inspect", good, VerificationTests.sample)
        #expect(both.status == 0)
        #expect(both.output.hasPrefix("==> \(good) <==\n\(alone.output)\n==> \(VerificationTests.sample) <==\n"))
        // The command continues after an unreadable file, and exits with the worst status of all files.
        let mixed = try Tool.run("inspect", bad, good, "\(folder.url.path)/missing")
        #expect(mixed.status == 2 && mixed.output.hasSuffix("==> \(good) <==\n\(alone.output)"))
        #expect(mixed.error.split(separator: "\n").count == 2)
    }

    @Test func severalFilesAsJSON() throws {
        let good = try folder.write("good.cbor", attestation).path
        let result = try Tool.run("inspect", "--json", good, "\(folder.url.path)/missing")
        #expect(result.status == 2)
        let json = try result.json()
        let files = try #require(json["files"] as? [[String: Any]])
        #expect(files.count == 2 && files[0]["file"] as? String == good)
        #expect((files[0]["report"] as? [String: Any])?["attestation"] != nil && files[0]["error"] is NSNull)
        #expect(files[1]["report"] is NSNull && (files[1]["error"] as? String)?.contains("cannot read") == true)
    }
}
