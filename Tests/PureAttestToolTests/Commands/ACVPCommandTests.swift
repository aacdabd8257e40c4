import Foundation
import Testing
import VectorSupport

/// Tests the output and status of `pure-attest acvp`. VectorSupportTests checks the answers.
@Suite struct ACVPCommandTests {
    @Test func answersAFile() throws {
        let file = VectorDirectory.committed.appending(path: "acvp/HMAC-SHA2-256.json").path
        let result = try Tool.run("acvp", file)
        #expect(result.status == 0 && result.error.isEmpty)
        let response = try result.json()
        #expect(response["algorithm"] as? String == "HMAC-SHA2-256" && result.output.hasSuffix("}\n"))
        #expect(try Tool.runInShell("\"$0\" acvp - < '\(file)'").output == result.output)
    }

    /// Answers acvptool's request "getConfig", and rejects input that is not a request.
    @Test func answersAcvptool() throws {
        let request = #"printf '\001\0\0\0\011\0\0\0getConfig'"#
        let answered = try Tool.runInShell("\(request) | \"$0\" acvp --module-wrapper | tail -c +9")
        #expect(answered.output.hasPrefix(#"[{"algorithm":"SHA2-256""#))
        let truncated = try Tool.runInShell(#"printf '\001\0\0' | "$0" acvp --module-wrapper"#)
        #expect(truncated.status == 2 && truncated.output.isEmpty)
        #expect(truncated.error == "pure-attest: standard input ends inside a request\n")
        let unknown = try Tool.runInShell(#"printf '\001\0\0\0\001\0\0\0?' | "$0" acvp --module-wrapper"#)
        #expect(unknown.status == 2 && unknown.error == "pure-attest: unsupported module command: ?\n")
        #expect(try Tool.runAtTerminal(["acvp", "--module-wrapper"]).status == 2)
        let nobody = try Tool.runInShell("\(request) | \"$0\" acvp --module-wrapper > /dev/full")
        #expect(nobody.status == 2 && nobody.error.hasPrefix("pure-attest: cannot write the output: "))
    }

    @Test(arguments: [
        ([], "acvp needs FILE or --module-wrapper"),
        (["--module-wrapper", "x"], "acvp takes FILE or --module-wrapper, not both"),
        (["/dev/null"], "/dev/null: expected an ACVP prompt.json"),
    ])
    func wrongUse(_ arguments: [String], _ line: String) throws {
        let result = try Tool.run(["acvp"] + arguments)
        #expect(result.status == 2 && result.output.isEmpty && result.error == "pure-attest: \(line)\n")
    }
}
