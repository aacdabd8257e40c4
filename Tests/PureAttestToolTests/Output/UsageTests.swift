import DebugSampling
import Foundation
import Testing

@testable import pure_attest

@Suite("Usage")
struct UsageTests {
    static let commands = PureAttestTool.allCommands.map { $0.name }

    @Test func helpListsEveryCommand() throws {
        let result = try Tool.run("--help")
        #expect(result.status == 0)
        #expect(result.error.isEmpty)
        for command in Self.commands { #expect(result.output.contains("\n  \(command) ")) }
    }

    @Test(arguments: commands)
    func everyCommandHasHelp(command: String) throws {
        let ways = [[command, "--help"], [command, "-h"], [command, "--wrong", "--help"]]
        for arguments in debugSample(ways, every: 3, from: command.utf8.count, of: "ways to ask for help") {
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
        ["faults", "--json", "--json"], ["bench", "--iterations=-0", "--only", "p256-verify"],
        ["simulate", "device", "--seed=-0", "--out", "/dev/full"],
        ["simulate", "device", "--seed=٣", "--out", "/dev/full"],
        ["bench", "--json", "--json"], ["bench", "--seconds", "1", "--seconds", "2"], ["bench", "--", "--json"],
    ])
    func wrongUsageIsOneLineAndStatus2(arguments: [String]) throws {
        let result = try Tool.run(arguments)
        #expect(result.status == 2)
        #expect(result.isOneLineOfError)
    }

    @Test func optionsThatAreWrongAreOneLineAndStatus2() throws {
        var lines: [[String]] = []
        for command in PureAttestTool.allCommands {
            for option in command.options where !option.isRepeatable {
                let word = option.value == nil ? option.name : "\(option.name)=1"
                var wrong = [[word, word], [option.value == nil ? "\(option.name)=1" : option.name]]
                if case .number = option.value?.kind {
                    wrong += ["-0", "1 ", "", "NaN", "1e9"].map { ["\(option.name)=\($0)"] }
                }
                lines += wrong.map { [command.name] + $0 }
            }
        }
        for words in debugSample(lines, every: 9, of: "wrong options") {
            let result = try Tool.run(words)
            #expect(result.status == 2 && result.isOneLineOfError, "\(words): \(result)")
        }
    }

    /// A script that passes untrusted text as a value would mistake the status 0 of the help text for a verdict.
    @Test func aValueIsNoRequestForHelp() throws {
        let lines = PureAttestTool.allCommands.flatMap { command in
            command.options.filter { $0.value != nil }.flatMap { option in
                ["-h", "--help"].map { [command.name, option.name, $0] }
            }
        }
        for words in debugSample(lines, every: 9, of: "requests for help as values") {
            let result = try Tool.run(words)
            #expect(result.status == 2 && result.isOneLineOfError, "\(words): \(result)")
        }
        let words = ["verify-attestation", VerificationTests.sample, "--platform"]
        #expect(try Tool.run(words + ["--environment", "-h"]).error.contains("--platform needs a value"))
        #expect(try Tool.run(words + ["device", "-h"]).output.contains("Usage: pure-attest verify-attestation"))
        #expect(try Tool.run(words + ["--", "-h"]).status == 2)
    }

    @Test func whiteSpaceAtTheEndOfAWordIsShown() throws {
        #expect(try Tool.run("bench", "--seconds", "1 ").error.contains("not \"1 \"\n"))
        #expect(try Tool.run("bench", "--seconds", "x").error.hasSuffix("not x\n"))
    }

    @Test func aFaultIsSuggestedWithoutTheKindOfItsObject() throws {
        let result = try Tool.run("simulate", "attest", "--seed", "1", "--out", "/dev/full", "--fault", "nonceMismach")
        #expect(result.error.hasSuffix("; did you mean attestation.nonceMismatch?\n"))
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
