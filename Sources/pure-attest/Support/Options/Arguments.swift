/// The arguments after a command's name, parsed according to the options and operands that the command declares.
struct Arguments {
    private let command: String
    private let options: [Option]
    private let declaredOperands: [Operand]
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []
    /// The operands in order, as many as the command allows.
    private(set) var operands: [String] = []

    /// Parses the arguments. Accepts `--name value`, `--name=value`, and `--` before operands that start with a dash.
    /// Rejects unknown options, repetitions of an option that is not repeatable, missing values, and values for flags.
    /// A value that starts with `--` must be written in the form with `=`. Otherwise, an option whose value the user
    /// forgot would consume the next option as its value.
    init(_ words: some Sequence<String>, of command: any Command.Type) throws(UnusableInput) {
        self.command = command.name
        options = command.options
        declaredOperands = command.operands
        try read(Array(words)[...])
        try checkOperands(of: command)
        try checkVariant(of: command)
        for option in options where option.isRequired && values[option.name] == nil {
            let expectation = option.value?.expectation.map { " takes \($0)" } ?? " needs a value"
            throw UnusableInput("missing \(option.name); it\(expectation)")
        }
        try checkStandardInputIsReadOnce()
    }

    private mutating func read(_ words: ArraySlice<String>) throws(UnusableInput) {
        var words = words
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                return
            }
            guard word.utf8.first == UInt8(ascii: "-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            let name = parts[0]
            guard let option = options.first(where: { $0.isNamed(name) }) else {
                let names = options.map(\.name)
                throw UnusableInput(
                    "unknown option \(excerpt(name))\(suggestion(for: name, among: names + ["--help"]))")
            }
            guard values[option.name] == nil || option.isRepeatable, !flags.contains(option.name) else {
                throw UnusableInput("\(name) is given twice")
            }
            guard let value = option.value else {
                guard parts.count == 1 else { throw UnusableInput("\(name) takes no value") }
                flags.insert(option.name)
                continue
            }
            if parts.count == 2 {
                values[option.name, default: []].append(parts[1])
            } else if let next = words.first, !next.utf8.starts(with: "--".utf8) {
                values[option.name, default: []].append(words.removeFirst())
            } else {
                throw UnusableInput("\(name) needs a value: \(name) \(value.name)")
            }
        }
    }

    private func checkOperands(of command: any Command.Type) throws(UnusableInput) {
        let isUnlimited = declaredOperands.last?.isRepeatable ?? false
        if !isUnlimited, operands.count > declaredOperands.count {
            throw UnusableInput("unexpected argument \(excerpt(operands[declaredOperands.count]))")
        }
        if operands.count < declaredOperands.count, declaredOperands[operands.count].isRequired {
            let value = declaredOperands[operands.count].value
            let expectation = value.expectation.map { " (\($0))" } ?? ""
            throw UnusableInput("missing \(value.name)\(expectation): \(command.usageLine)")
        }
    }

    /// Throws if the user gave an option that the selected variant does not have.
    private func checkVariant(of command: any Command.Type) throws(UnusableInput) {
        guard let word = operands.first, let variant = command.variants.first(where: { $0.name == word }) else {
            return
        }
        let allowed = command.allOptions(of: variant).map(\.name)
        let given = options.map(\.name).filter(isGiven)
        if let name = given.first(where: { !allowed.contains($0) }) {
            throw UnusableInput("\(name) cannot be used with \(word)")
        }
    }

    /// Throws if two values name standard input, because the second reader would find no input.
    private func checkStandardInputIsReadOnce() throws(UnusableInput) {
        var count = 0
        for (index, word) in operands.enumerated() {
            let operand = declaredOperands[min(index, declaredOperands.count - 1)]
            count += operand.value.isStandardInput(word) ? 1 : 0
        }
        for option in options {
            count += values(option.name).count { option.value?.isStandardInput($0) ?? false }
        }
        guard count <= 1 else {
            throw UnusableInput("standard input can be read only once, but is named \(count) times")
        }
    }

    func flag(_ option: Option) -> Bool { flags.contains(option.name) }

    /// Returns true for an option with a value and for a flag.
    func isGiven(_ name: String) -> Bool { values[name] != nil || flags.contains(name) }

    func value(_ name: String) -> String? { values[name]?.first }

    func values(_ name: String) -> [String] { values[name] ?? [] }

    var operand: String? { operands.first }

    /// Throws if the number is outside the declared range.
    func number<Number: FixedWidthInteger>(_ name: String, as _: Number.Type = Number.self) throws(UnusableInput)
        -> Number?
    {
        guard let text = value(name) else { return nil }
        // Checks the digits, because `UInt64.init` also accepts a sign.
        guard case .number(let range) = declared(name).kind, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt64(text), range.contains(number), let result = Number(exactly: number)
        else { throw wrong(name, text) }
        return result
    }

    func decimal(_ name: String) throws(UnusableInput) -> Double? {
        guard let text = value(name) else { return nil }
        guard case .decimal(let range) = declared(name).kind,
            text.utf8.allSatisfy({ (0x2e...0x39).contains($0) && $0 != 0x2f }), let number = Double(text),
            range.contains(number)
        else {
            throw wrong(name, text)
        }
        return number
    }

    /// Throws unless the value is one of the option's declared words.
    func word(_ name: String) throws(UnusableInput) -> String? {
        guard let text = value(name) else { return nil }
        guard case .words(let words) = declared(name).kind, words.contains(text) else { throw wrong(name, text) }
        return text
    }

    /// Returns the case that the value names. Throws like ``word(_:)``.
    func choice<Choice: CaseIterable>(_ name: String, _ word: (Choice) -> String) throws(UnusableInput) -> Choice? {
        guard let text = try self.word(name) else { return nil }
        return Choice.allCases.first { word($0) == text }
    }

    func operandWord() throws(UnusableInput) -> String {
        let value = declaredOperands[0].value
        guard let word = operand, case .words(let words) = value.kind, words.contains(word) else {
            throw Self.wrong(command, operand ?? "", value)
        }
        return word
    }

    func wrong(_ name: String, _ text: String) -> UnusableInput { Self.wrong(name, text, declared(name)) }

    private static func wrong(_ name: String, _ text: String, _ value: Value) -> UnusableInput {
        let takes = "\(name) takes \(value.expectation ?? "a value")"
        guard !text.isEmpty else { return UnusableInput("\(takes), but its value is empty") }
        var words: [String] = []
        if case .words(let choices) = value.kind { words = choices }
        return UnusableInput("\(takes), not \(excerpt(text))\(suggestion(for: text, among: words))")
    }

    private func declared(_ name: String) -> Value {
        guard let value = options.first(where: { $0.name == name })?.value else {
            preconditionFailure("\(name) is no option with a value of this command")
        }
        return value
    }

    func checkAtMostOne(of names: String...) throws(UnusableInput) {
        let given = names.filter(isGiven)
        guard given.count <= 1 else {
            throw UnusableInput("\(given.joined(separator: " and ")) cannot be combined; give one of them")
        }
    }
}
