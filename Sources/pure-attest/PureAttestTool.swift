/// The command-line tool.
@main
enum PureAttestTool {
    /// Every command, in the order of `--help`.
    static var allCommands: [any Command.Type] {
        [
            VerifyAttestation.self, VerifyAssertion.self, VerifyReceipt.self, Explain.self, Inspect.self, Simulate.self,
            CDHash.self, Vectors.self, SelfTest.self, Bench.self,
        ]
    }

    static let version = "0.1.0"

    static let usage = """
        pure-attest: verify Apple App Attest attestations and assertions.

        Usage: pure-attest COMMAND [options]

        Commands:
        \(commandList)
          --version  Print the version.
          --help     Print this help; after a command, that command's.

        Exit status: 0 verified, 1 refused (one line on standard error says why), 2 usage error or unreadable input.

        """

    static var commandList: String {
        let width = allCommands.map { $0.name.count }.max() ?? 0
        return allCommands.map { "  \($0.name.padded(to: width))  \($0.summary)" }.joined(separator: "\n")
    }

    /// Runs the command that the words name.
    static func run(_ words: ArraySlice<String>) throws -> ExitStatus {
        guard let name = words.first else { throw UnusableInput("a command is missing; pure-attest --help lists them") }
        switch name {
        case "--help", "-h", "help":
            print(usage)
            return .success
        case "--version":
            print("pure-attest \(version)\n")
            return .success
        default: break
        }
        guard let command = allCommands.first(where: { $0.name == name }) else {
            throw UnusableInput("unknown command \(name); pure-attest --help lists them")
        }
        let rest = words.dropFirst()
        // Help wins over any mistake in the other words: whoever asks for it may not know how to write them.
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            print(command.help)
            return .success
        }
        var arguments = try Arguments(rest, options: command.options)
        let instance = try command.init(&arguments)
        try arguments.checkNothingIsLeft()
        return try instance.run()
    }

    static func status() -> ExitStatus {
        do {
            return try run(CommandLine.arguments.dropFirst())
        } catch let error as UnusableInput {
            printError("pure-attest: \(error.reason.printable)\n")
            return .unusable
        } catch let error as Refusal {
            printError("refused: \(error.reason.printable)\n")
            return .refused
        } catch {
            printError("pure-attest: \("\(error)".printable)\n")
            return .unusable
        }
    }

    static func main() { leave(status()) }
}
