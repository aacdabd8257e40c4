struct Completions: Command {
    static let name = "completions"
    static let summary = "Print a completion script for a shell."
    static let operands = [
        Operand(
            value: Value(
                name: Shell.allCases.map(\.rawValue).joined(separator: "|"),
                kind: .words(Shell.allCases.map(\.rawValue))),
            isRequired: true)
    ]
    static let options: [Option] = []
    static let discussion = """
        To load the script in this shell, and from the start-up file in each new shell:

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
