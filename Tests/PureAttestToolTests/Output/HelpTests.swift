import DebugSampling
import Foundation
import Testing

@testable import pure_attest
@Suite("Help")
struct HelpTests {
    private static let variants = PureAttestTool.allCommands.flatMap { command in
        command.variants.map { (command.name, $0.name) }
    }

    private func output(_ arguments: String...) throws -> String {
        let result = try Tool.run(arguments)
        #expect(result.status == 0 && result.error.isEmpty, "\(arguments): \(result.error)")
        return result.output
    }

    @Test func helpByItselfIsTheUsage() throws {
        #expect(try output("help") == output("--help"))
    }

    @Test(arguments: debugSample(UsageTests.commands, every: 4, of: "commands with help"))
    func helpOfACommand(_ name: String) throws {
        #expect(try output("help", name) == output(name, "--help"))
    }

    @Test func thereAreVariants() {
        #expect(Self.variants.map { "\($0.0) \($0.1)" }.contains("simulate attest"))
    }

    @Test(arguments: variants)
    func helpOfAVariant(_ name: String, _ variant: String) throws {
        let command = try PureAttestTool.command(name)
        let help = try output(name, variant, "--help")
        #expect(help.contains("\nUsage: pure-attest \(name) \(variant) [options]\n"))
        #expect(try output("help", name, variant) == help)
        #expect(try output(name, "-h", "--wrong", variant) == help)
        #expect(try output(name, "--help").contains("\n  \(variant) "))
        for option in command.options {
            let isTaken = option.variants.isEmpty || option.variants.contains(variant)
            #expect(help.contains("\n  \(option.label) ") == isTaken, "\(option.name)")
        }
    }

    @Test func valuesAreNoVariants() throws {
        #expect(try output("simulate", "--out", "attest", "device", "--help").contains("simulate device [options]"))
        #expect(try output("simulate", "--out", "attest", "--help").contains("Usage: pure-attest simulate corpus|"))
    }
    @Test func optionsOfOtherVariantsAreRejected() throws {
        let options = try Self.variants.flatMap { name, variant in
            try PureAttestTool.command(name).options
                .filter { !$0.variants.isEmpty && !$0.variants.contains(variant) }.map { (name, variant, $0) }
        }
        for (name, variant, option) in debugSample(options, every: 9, of: "options of other variants") {
            let argument = option.value == nil ? option.name : "\(option.name)=1"
            let result = try Tool.run(name, variant, "--seed", "1", "--out", "/dev/full", argument)
            #expect(result.status == 2 && result.isOneLineOfError)
            #expect(result.error == "pure-attest: \(option.name) cannot be used with \(variant)\n")
        }
    }

    @Test(arguments: [
        (["help", "nothing"], "unknown command nothing"), (["help", "simulat"], "did you mean simulate?"),
        (["help", "simulate", "atest"], "did you mean attest?"),
        (["help", "bench", "attest"], "unexpected argument attest"),
        (["help", "simulate", "attest", "device"], "not device"), (["help", "simulate", "attest", "x"], "not x"),
    ])
    func unknownWords(_ arguments: [String], _ reason: String) throws {
        let result = try Tool.run(arguments)
        #expect(result.status == 2 && result.isOneLineOfError && result.error.contains(reason), "\(result.error)")
    }
}
