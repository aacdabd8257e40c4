/// An argument value that the user chooses. Parsing, help, completions, the manual page and the test of invalid input
/// all use this declaration.
struct Value {
    enum Kind {
        /// The path of a file to read. `-` means standard input.
        case file
        /// The path of a file to read, or of a folder of files.
        case fileOrFolder
        case newFolder
        /// Bytes in the syntax of ``byteValueHelp``.
        case bytes
        /// An object in the syntax of ``objectValueHelp``.
        case object
        case words([String])
        case number(ClosedRange<UInt64>)
        case decimal(ClosedRange<Double>)
        case time
        case text
    }

    /// The placeholder name in the help text.
    var name: String
    var kind: Kind

    /// True if the program reads standard input for this value.
    func isStandardInput(_ word: String) -> Bool {
        switch kind {
        case .file, .fileOrFolder: word == "-"
        case .bytes: word == "@-"
        case .object: word == "@-" || word == "-"
        default: false
        }
    }

    /// A description of the accepted values, for messages; `nil` if all values are accepted.
    var expectation: String? {
        switch kind {
        case .words(let words) where words.count <= 8: Self.list(words, "or")
        case .words: "a name"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .decimal(let range): "a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
        case .time: "a time: ISO 8601 such as 2026-04-21T18:13:12Z, or Unix seconds"
        case .bytes: "BYTES: Base64, hex:DIGITS, text:CHARACTERS or @PATH"
        case .object: "an OBJECT: a path, - or BYTES (Base64, hex:DIGITS or @PATH)"
        case .file, .fileOrFolder: "a path, or - for standard input"
        case .newFolder: "a path"
        case .text: nil
        }
    }

    static func list(_ words: [String], _ conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int64(number))" : "\(number)"
    }
}

struct Option {
    /// The name, including the dashes.
    var name: String
    /// The value that the option takes; `nil` for a flag.
    var value: Value?
    var help: String
    var isRepeatable = false
    var isRequired = false
    /// A former name of the option, which is still accepted.
    var alias: String?
    /// The variants of the command that have this option; empty if all variants have it.
    var variants: [String] = []

    static func value(
        _ name: String, _ value: String, _ kind: Value.Kind, _ help: String, isRepeatable: Bool = false,
        isRequired: Bool = false, alias: String? = nil
    ) -> Option {
        Option(
            name: name, value: Value(name: value, kind: kind), help: help, isRepeatable: isRepeatable,
            isRequired: isRequired, alias: alias)
    }
    static func flag(_ name: String, _ help: String) -> Option { Option(name: name, value: nil, help: help) }

    /// Returns a copy of the option that is limited to some variants of its command.
    func only(with variants: String...) -> Option {
        var option = self
        option.variants = variants
        return option
    }

    func isNamed(_ word: String) -> Bool { name == word || alias == word }

    var fullHelp: String { variants.isEmpty ? help : "\(help)\nWith \(Value.list(variants, "and"))." }

    var label: String { value.map { "\(name) \($0.name)" } ?? name }

    static let json = flag("--json", "Print JSON instead of text.")
    static let help = flag("--help", "Print this help.")
}

/// An argument after a command's name that does not belong to an option.
struct Operand {
    var value: Value
    var isRequired = false
    var isRepeatable = false

    var label: String {
        let label = value.name + (isRepeatable ? "..." : "")
        return isRequired ? label : "[\(label)]"
    }

    static let objectFile = Operand(value: Value(name: "FILE", kind: .file))
}
