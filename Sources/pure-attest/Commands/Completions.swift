/// Prints what makes a shell complete the tool's commands.
struct Completions: Command {
    static let name = "completions"
    static let summary = "Print the completions of commands and options for a shell."
    static let operands = [
        Operand(
            value: Value(
                name: Shell.allCases.map(\.rawValue).joined(separator: "|"),
                kind: .words(Shell.allCases.map(\.rawValue))),
            isRequired: true)
    ]
    static let options: [Option] = []
    static let discussion = """
        To have them in this shell, and in each new one by its start-up file:

          source <(pure-attest completions bash)
          source <(pure-attest completions zsh)
          pure-attest completions fish | source
        """

    private let shell: Shell

    init(_ arguments: Arguments) throws {
        guard let shell = Shell(rawValue: try arguments.operandWord()) else { preconditionFailure("no shell") }
        self.shell = shell
    }

    func run() throws -> ExitStatus {
        print(shell.script)
        return .success
    }
}
