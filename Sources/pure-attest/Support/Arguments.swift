/// The words after a command's name, matched against the options that the command declares.
struct Arguments {
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []
    private var operands: [String] = []

    /// Accepts `--name value`, `--name=value`, and `--` before operands that start with a dash. An unknown option, one
    /// given twice that is not repeatable, one without its value and a flag with a value are refused.
    ///
    /// A value that starts with `--` needs the form with `=`: the other one would take a forgotten value for the next
    /// option.
    init(_ words: some Sequence<String>, options: [Option]) throws(UnusableInput) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let option = options.first(where: { $0.name == name }) else {
                throw UnusableInput("unknown option \(name)")
            }
            guard values[name] == nil || option.isRepeatable, !flags.contains(name) else {
                throw UnusableInput("\(name) is given twice")
            }
            guard let valueName = option.value else {
                guard parts.count == 1 else { throw UnusableInput("\(name) takes no value") }
                flags.insert(name)
                continue
            }
            if parts.count == 2 {
                values[name, default: []].append(String(parts[1]))
            } else if let next = words.first, !next.hasPrefix("--") {
                values[name, default: []].append(words.removeFirst())
            } else {
                throw UnusableInput("\(name) needs a value: \(name) \(valueName)")
            }
        }
    }

    /// Whether a flag was given.
    func flag(_ option: Option) -> Bool { flags.contains(option.name) }

    /// The text given for an option.
    func value(_ name: String) -> String? { values[name]?.first }

    /// The texts given for a repeatable option.
    func values(_ name: String) -> [String] { values[name] ?? [] }

    /// Refuses more than one of options that exclude one another.
    func checkAtMostOne(of names: String...) throws(UnusableInput) {
        let given = names.filter { values[$0] != nil }
        guard given.count <= 1 else { throw UnusableInput("\(given.joined(separator: " and ")) exclude each other") }
    }

    /// The next operand, or `nil`.
    mutating func nextOperand() -> String? { operands.isEmpty ? nil : operands.removeFirst() }

    /// Refuses operands that no one took.
    func checkNothingIsLeft() throws(UnusableInput) {
        if let operand = operands.first { throw UnusableInput("unexpected argument \(operand)") }
    }
}
