import Foundation
import Testing

@testable import pure_attest

/// The tool generates its help, completions and manual page from the command descriptions.
@Suite("Description of the commands")
struct DescriptionTests {
    private static let scripts = Shell.allCases.map { ($0, $0.script) }

    @Test func everyCommandAndOptionIsInEverything() throws {
        let manual = ManualPage.text
        let help = try Tool.run("--help").output
        for command in PureAttestTool.allCommands {
            #expect(help.contains("\n  \(command.name) "))
            #expect(manual.contains(".SS pure\\-attest \(command.name.replacing("-", with: "\\-")) "))
            let usage = try Tool.run(command.name, "--help").output
            #expect(usage.contains("Usage: \(command.usageLine)\n"))
            for (shell, script) in Self.scripts { #expect(script.contains(command.name), "\(shell) \(command.name)") }
            for option in command.allOptions {
                #expect(usage.contains("\n  \(option.label)"), "\(command.name) \(option.name)")
                #expect(manual.contains("\\fB\(option.name.replacing("-", with: "\\-"))\\fR"), "\(option.name)")
                for name in [option.name] + [option.alias].compactMap(\.self) {
                    let bare = name.dropFirst(2)
                    for (shell, script) in Self.scripts {
                        let found = shell == .fish ? script.contains("-l \(bare) ") : script.contains(name)
                        #expect(found, "\(shell) \(command.name) \(name)")
                    }
                }
            }
        }
    }

    @Test func namesAreUnique() {
        let names = PureAttestTool.allCommands.map { $0.name }
        #expect(Set(names).count == names.count)
        for command in PureAttestTool.allCommands {
            let options = command.allOptions.flatMap { [$0.name] + [$0.alias].compactMap(\.self) }
            #expect(Set(options).count == options.count && options.allSatisfy { $0.hasPrefix("--") }, "\(command.name)")
            // Only the last operand may be repeatable, because a repeatable operand takes all remaining words.
            #expect(command.operands.dropLast().allSatisfy { !$0.isRepeatable })
        }
    }
    @Test func commandsPrintThem() throws {
        for shell in Shell.allCases {
            let result = try Tool.run("completions", shell.rawValue)
            #expect(result.status == 0 && result.error.isEmpty && result.output == shell.script)
        }
        let manual = try Tool.run("man")
        #expect(manual.status == 0 && manual.error.isEmpty && manual.output == ManualPage.text)
    }

    /// A line of the manual page that begins with a full stop is a formatting request, so it must be intended as one.
    @Test func theManualHasNoRequestByAccident() {
        let requests = Set(ManualPage.text.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix(3) })
        #expect(requests.isSubset(of: [".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".B ", ".I "]), "\(requests)")
        #expect(ManualPage.text.utf8.allSatisfy { $0 < 0x80 })
        #expect(!ManualPage.text.split(separator: "\n").contains { $0.hasPrefix("'") })
    }

    // MARK: bash

    /// Returns the completions that bash offers for the last word of a line.
    private func completions(_ line: String..., in folder: String = "/") throws -> [String] {
        let words = line.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            cd '\(folder)' && source <("$0" completions bash) &&
            COMP_WORDS=(pure-attest \(words)) COMP_CWORD=\(line.count) && _pure_attest 2>&1;
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try Tool.runInShell("exec bash -c \(shellQuoted(script)) \"$0\"")
        #expect(result.status == 0 && result.error.isEmpty, "\(line): \(result)")
        return result.output.split(separator: "\n").map(String.init).sorted()
    }

    @Test func bashCompletes() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("a file.json", Data())
        let path = folder.url.path
        #expect(try completions("verify-a") == ["verify-assertion", "verify-attestation"])
        #expect(try completions("verify-t") == ["verify-transaction"])
        #expect(
            try completions("verify-transaction", "--kind", "")
                == ["app-transaction", "notification", "renewal-info", "transaction"])
        #expect(try completions("verify-transaction", "--ocsp", "a", in: path) == ["a file.json"])
        #expect(try completions("--ver") == ["--version"])
        #expect(try completions("verify-attestation", "--tr") == ["--trust-test-anchor"])
        #expect(try completions("verify-attestation", "--environment", "") == ["development", "production"])
        #expect(try completions("verify-attestation", "--environment", "=", "pr") == ["production"])
        #expect(try completions("verify-attestation", "a", in: path) == ["a file.json"])
        #expect(try completions("verify-attestation", "--attestation", "@a", in: path) == ["@a file.json"])
        #expect(try completions("simulate", "c") == ["corpus"])
        #expect(try completions("simulate", "corpus", "--out", "", in: path) == [])
        #expect(try completions("simulate", "assert", "--co") == ["--counter"])
        #expect(try completions("simulate", "attest", "--co") == [])
        #expect(try completions("simulate", "transaction", "--b") == ["--bundle-id"])
        #expect(
            try completions("simulate", "transaction", "--fault", "appStore.rootO")
                == ["appStore.rootOfOtherKey", "appStore.rootOmitted"])
        #expect(try completions("help", "self") == ["self-test"])
        #expect(try completions("simulate", "attest", "--fault", "attestation.nonceM") == ["attestation.nonceMismatch"])
        #expect(try completions("completions", "") == ["bash", "fish", "zsh"])
        #expect(try completions("no-such-command", "") == [])
    }

    @Test func bashTakesTheScript() throws {
        let result = try Tool.runInShell(#""$0" completions bash | bash -n"#)
        #expect(result.status == 0 && result.error.isEmpty)
    }
}
