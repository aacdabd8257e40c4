import Foundation
import Testing
import VectorSupport

@Suite("vectors")
struct VectorsTests {
    private let path = VectorDirectory.committed.appending(path: "nist-cavp/ec/CAVP_186-3_PKV.rsp")

    @Test func countsPassedFailedAndSkipped() throws {
        let result = try Tool.run("vectors", path.path)
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("\n24 passed, 0 failed, 156 skipped\n"))
        #expect(result.output.contains("  skipped 12: curve P-521\n"))
    }

    /// The file declares invalid points valid. Therefore these cases fail, and the exit status shows it.
    @Test func aFlippedExpectationIsAFailure() throws {
        let folder = try TemporaryFolder()
        let flipped = try String(contentsOf: path, encoding: .utf8).replacing("Result = F", with: "Result = P")
        let file = try folder.write("flipped.rsp", Data(flipped.utf8))
        let result = try Tool.run("vectors", path.path, file.path)
        #expect(result.status == 1)
        #expect(result.output.contains("  failed: [P-256] "))
        #expect(result.output.hasSuffix("\n8 passed, 16 failed, 156 skipped\n"))
    }

    /// Adversarial objects do not trap. A trap would give a status other than 0.
    @Test func survivesAdversarialObjects() throws {
        let file = VectorDirectory.committed.appending(path: "adversarial/certificates.json")
        let result = try Tool.run("vectors", file.path)
        #expect(result.status == 0)
        #expect(result.output.hasSuffix(": adversarial objects\n125 passed, 0 failed, 0 skipped\n"))
    }

    @Test func aRunThatJudgedNothingIsNoSuccess() throws {
        let folder = try TemporaryFolder()
        let empty = try Tool.run("vectors", folder.url.path)
        #expect(empty.status == 2)
        #expect(empty.error == "pure-attest: no case of \(folder.url.path) ran\n")
        _ = try folder.write("notes.txt", Data("no vectors\n".utf8))
        #expect(try Tool.run("vectors", folder.url.path).status == 2)

        let text = "[P-521]\n\nQx = 01\nQy = 01\nResult = P\n"
        let skipped = try folder.write("skipped.rsp", Data(text.utf8))
        for arguments in [[skipped.path], [folder.url.path], [path.path, skipped.path], ["--json", skipped.path]] {
            let result = try Tool.run(["vectors"] + arguments)
            #expect(result.status == 2, "\(arguments)")
            #expect(result.error.hasPrefix("pure-attest: no case of "), "\(arguments)")
        }
        let failing = try folder.write("failing.rsp", Data(text.replacing("521", with: "256").utf8))
        #expect(try Tool.run("vectors", skipped.path, failing.path).status == 1)
    }

    /// Files in known formats are run and all others counted. Links to folders are not followed, and pipes not opened.
    @Test func runsTheFilesOfAFolder() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("notes.txt", Data("no vectors\n".utf8))
        let inner = folder.url.appending(path: "inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        try FileManager.default.copyItem(at: path, to: inner.appending(path: "a.rsp"))
        try FileManager.default.createSymbolicLink(at: inner.appending(path: "b.rsp"), withDestinationURL: path)
        try FileManager.default.createSymbolicLink(at: inner.appending(path: "loop"), withDestinationURL: folder.url)
        let isPipeThere = unsafe mkfifo(inner.appending(path: "pipe").path, 0o600) == 0
        #expect(isPipeThere)
        let result = try Tool.run("vectors", folder.url.path)
        #expect(result.status == 0)
        #expect(
            result.output.hasSuffix(
                "\nIn 2 files; 1 others have an unrecognised format: 48 passed, 0 failed, 312 skipped\n"))
    }

    @Test func readsFilesLargerThanObjects() throws {
        let folder = try TemporaryFolder()
        let comment = Data("# ".utf8) + Data(repeating: UInt8(ascii: "x"), count: 17 << 20) + Data("\n".utf8)
        let file = try folder.write("large.rsp", comment + Data(contentsOf: path))
        let result = try Tool.run("vectors", file.path)
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("\n24 passed, 0 failed, 156 skipped\n"))
        #expect(try Tool.run("inspect", file.path).status == 2)
    }

    /// For each failure, the command prints the case and the outcome, which an entry in the list of deviations needs.
    /// An entry counts as a failure if it explains no failed case, or if its file was not run.
    @Test func deviationsComeFromAFile() throws {
        let folder = try TemporaryFolder()
        let turned = try String(contentsOf: path, encoding: .utf8).replacing("Result = F", with: "Result = P")
        let file = try folder.write("turned.rsp", Data(turned.utf8))
        let failed = try Tool.run("vectors", file.path).output.matches(of: /failed: (.*) \(refused\)/).map(\.output.1)
        #expect(failed.count == 16)
        func run(_ names: [Substring], suite: String = "turned.rsp", _ arguments: String...) throws -> Tool.Result {
            let entries = names.map { ["file": suite, "case": "\($0)", "outcome": "refused", "reason": "turned"] }
            let list = try folder.write(
                "list.json", JSONSerialization.data(withJSONObject: ["deviations": entries]))
            return try Tool.run(["vectors", "--deviations", list.path, file.path] + arguments)
        }
        let explained = try run(failed)
        #expect(explained.status == 0)
        #expect(explained.output.contains("  deviation 16: turned\n"))
        #expect(explained.output.hasSuffix("\n8 passed, 0 failed, 156 skipped, 16 deviations\n"))
        #expect(try run(Array(failed.dropLast())).status == 1)
        let stale = try run(failed + ["[P-256] 99"])
        #expect(stale.status == 1)
        #expect(stale.output.contains("  failed: [P-256] 99: stale deviation, it is not refused\n"))
        let other = try run(failed, suite: "other.rsp")
        #expect(other.status == 1)
        #expect(other.output.contains("failed: other.rsp, \(failed[0]): stale deviation: its file was not run\n"))
        let json = try run(failed, "--json")
        #expect(json.status == 0)
        let object = try json.json()
        #expect((object["files"] as? [[String: Any]])?.first?["deviations"] as? Int == 16)
        let bad = try Tool.run("vectors", "--deviations", path.path, file.path)
        #expect(bad.status == 2 && bad.isOneLineOfError)
    }

    /// A case with an unknown member is skipped, unless an option names the member. The number of skipped cases is
    /// printed for each reason, over all files.
    @Test func informationalMembers() throws {
        let contents = try Data(contentsOf: VectorDirectory.committed.appending(path: "paths/building.json"))
        let suite = try #require(try JSONSerialization.jsonObject(with: contents) as? [String: Any])
        let cases = try #require(suite["testcases"] as? [[String: Any]])
        let folder = try TemporaryFolder()
        for (name, extra) in [("one.json", ["family": "loops"]), ("two.json", ["weather": "wet", "related": "1"])] {
            let changed = cases.map { $0.merging(extra) { $1 } }
            _ = try folder.write(name, JSONSerialization.data(withJSONObject: ["testcases": changed]))
        }
        let reason = "has the unknown member weather", path = folder.url.path
        let plain = try Tool.run("vectors", path)
        #expect(plain.status == 0)
        #expect(
            plain.output.hasSuffix(
                "All files:\n  skipped \(cases.count): \(reason)\nIn 2 files: \(cases.count) passed, 0 failed, \(cases.count) skipped\n"
            ))
        let object = try Tool.run("vectors", "--json", path).json()
        #expect(object["skipReasons"] as? [String: Int] == [reason: cases.count])

        let all = try Tool.run("vectors", "--informational", "weather", "--informational=mood", path)
        #expect(all.status == 0)
        #expect(all.output.hasSuffix("In 2 files: \(2 * cases.count) passed, 0 failed, 0 skipped\n"))
        for name in ["crls", "initial_explicit_policy"] {
            let bad = try Tool.run("vectors", "--informational", name, path)
            #expect(bad.status == 2 && bad.isOneLineOfError)
            #expect(
                bad.error == "pure-attest: --informational: \(name) changes verdicts; name only members that inform\n")
        }
    }

    @Test func printsJSON() throws {
        let result = try Tool.run("vectors", "--json", path.path)
        #expect(result.status == 0)
        let object = try result.json()
        let files = try #require(object["files"] as? [[String: Any]])
        #expect(files.count == 1)
        #expect(files.first?["passed"] as? Int == 24)
        #expect(files.first?["form"] as? String == "CAVP public keys")
    }
}
