struct Help: Command {
    static let name = "help"
    static let summary = "Print the help of a command, such as help simulate attest."
    static var operands: [Operand] {
        let commands = PureAttestTool.allCommands
        let words = commands.flatMap { $0.variants.map(\.name) } + commands.map { $0.name }
        return [Operand(value: Value(name: "COMMAND", kind: .words(words)), isRepeatable: true)]
    }
    static let options: [Option] = []
    static let discussion = ""

    private let words: [String]

    init(_ arguments: Arguments) throws { words = arguments.operands }

    func run() throws -> ExitStatus {
        guard let name = words.first else {
            print(PureAttestTool.usage)
            return .success
        }
        let command = try PureAttestTool.command(name)
        guard words.count > 1 else {
            print(command.help)
            return .success
        }
        let names = command.variants.map(\.name)
        guard let variant = command.variants.first(where: { $0.name == words[1] }), words.count == 2 else {
            let word = words.dropFirst().first { !names.contains($0) } ?? words[2]
            throw UnusableInput(
                names.isEmpty
                    ? "unexpected argument \(excerpt(word)); pure-attest help \(name) has the options of \(name)"
                    : "\(name) takes \(Value.list(names, "or")), not \(excerpt(word))\(suggestion(for: word, among: names))"
            )
        }
        print(command.help(of: variant))
        return .success
    }
}
