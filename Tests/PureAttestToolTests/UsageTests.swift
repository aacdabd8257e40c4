import Foundation
import Testing

@Suite("Usage")
struct UsageTests {
    static let commands = ["verify-attestation", "verify-assertion", "inspect", "simulate", "cdhash", "bench"]

    @Test func helpListsEveryCommand() throws {
        let result = try Tool.run("--help")
        #expect(result.status == 0)
        #expect(result.error.isEmpty)
        for command in Self.commands { #expect(result.output.contains("\n  \(command) ")) }
    }

    @Test(arguments: commands)
    func everyCommandHasHelp(command: String) throws {
        for arguments in [[command, "--help"], [command, "-h"], [command, "--wrong", "--help"]] {
            let result = try Tool.run(arguments)
            #expect(result.status == 0)
            #expect(result.output.contains("Usage: pure-attest \(command)"))
        }
    }

    @Test func versionIsPrinted() throws {
        let result = try Tool.run("--version")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("pure-attest "))
    }

    @Test(arguments: [
        [], [""], ["no-such-command"], ["--no-such-option"], ["two\nlines"], ["\u{1B}[31m"],
        ["bench", "--no-such-option"], ["bench", "operand"], ["bench", "--seconds"], ["bench", "--seconds", "--json"],
        ["bench", "--seconds", "x"], ["bench", "--seconds", "nan"], ["bench", "--seconds", "inf"],
        ["bench", "--seconds", "-1"], ["bench", "--seconds=0"], ["bench", "--seconds=1e300"], ["bench", "--json=1"],
        ["bench", "--only", "p256-verify", "--iterations", "0"],
        ["bench", "--json", "--json"], ["bench", "--seconds", "1", "--seconds", "2"], ["bench", "--", "--json"],
    ])
    func wrongUsageIsOneLineAndStatus2(arguments: [String]) throws {
        let result = try Tool.run(arguments)
        #expect(result.status == 2)
        #expect(result.isOneLineOfError)
    }

    @Test func argumentsNeedNotBeUTF8() throws {
        for script in [#"exec "$0" "$(printf '\377\376')""#, #"exec "$0" bench "$(printf -- '--\300\200')""#] {
            let result = try Tool.runInShell(script)
            #expect(result.status == 2)
            #expect(result.isOneLineOfError)
        }
    }

    @Test func aVerdictThatCannotBeWrittenIsNoSuccess() throws {
        #expect(try Tool.runInShell(#"exec "$0" --help > /dev/full"#).status == 2)
    }
}
