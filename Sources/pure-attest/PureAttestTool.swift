@main
enum PureAttestTool {
    /// Every command, in the order of `--help`.
    static var allCommands: [any Command.Type] {
        [
            VerifyAttestation.self, VerifyAssertion.self, VerifyReceipt.self, VerifyKeyAttestation.self,
            VerifyTransaction.self, Explain.self, Inspect.self, Init.self, Simulate.self,
            Faults.self, CDHash.self, Vectors.self, SelfTest.self, ACVP.self, Bench.self, Help.self, Completions.self,
            Manual.self,
        ]
    }

    static let version = "0.1.0"
    /// The release date of the version, for the manual page.
    static let versionDate = "2026-11-22"

    static let summary =
        "verify Apple App Attest attestations and assertions, App Store data, and Android key attestations"
    static let exitStatusHelp =
        "Exit status: 0 verified, 1 refused (standard error gives the reason in one line), 2 usage error or unreadable input."

    static let environmentHelp = "Text at a terminal has colours, unless NO_COLOR is set or TERM is dumb."

    /// The options that can be used without a command.
    static let ownOptions: [Option] = [
        .flag("--version", "Print the version."),
        .flag("--help", "Print this help. After a command: print the help of that command."),
    ]

    static let usage = """
        pure-attest: \(summary).

        Usage: pure-attest COMMAND [options]

        Commands:
        \(commandList)

        \(exitStatusHelp)
        \(environmentHelp)

        """

    static var commandList: String {
        columns(allCommands.map { ($0.name, $0.summary) } + ownOptions.map { ($0.name, $0.help) })
    }

    static func run(_ words: ArraySlice<String>) throws -> ExitStatus {
        guard let name = words.first else {
            throw UnusableInput("missing command; pure-attest --help lists the commands")
        }
        switch name {
        case "--help", "-h":
            print(usage)
            return .success
        case "--version":
            print("pure-attest \(version)\n")
            return .success
        default: break
        }
        let command = try command(name)
        let rest = words.dropFirst()
        // --help takes precedence over errors in the other arguments, because the user may not know the syntax.
        if command.asksForHelp(rest) {
            print(command.variant(in: rest).map { command.help(of: $0) } ?? command.help)
            return .success
        }
        return try command.init(Arguments(rest, of: command)).run()
    }

    static func command(_ name: String) throws(UnusableInput) -> any Command.Type {
        if let command = allCommands.first(where: { $0.name == name }) { return command }
        let suggestion = suggestion(for: name, among: allCommands.map { $0.name } + ownOptions.map(\.name))
        throw UnusableInput(
            "unknown command \(excerpt(name))\(suggestion.isEmpty ? "; pure-attest --help lists the commands" : suggestion)"
        )
    }

    static func status() -> ExitStatus {
        do {
            return try run(CommandLine.arguments.dropFirst())
        } catch let error as UnusableInput {
            printErrorLine(.unusable, error.reason)
            return .unusable
        } catch let error as Refusal {
            printErrorLine(.refused, error.reason)
            return .refused
        } catch {
            printErrorLine(.unusable, plainText(of: error))
            return .unusable
        }
    }

    static func main() { leave(status()) }
}
