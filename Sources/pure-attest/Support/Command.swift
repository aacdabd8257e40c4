/// One subcommand. A new one is a file under Commands/ and its entry in `allCommands`.
protocol Command {
    /// The word that selects it.
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// What stands after the name on the usage line, for example `[FILE.json]`.
    static var operands: String { get }
    /// Paragraphs below the options in `--help`.
    static var discussion: String { get }
    /// Every option it takes, in the order of `--help`; `--help` itself is added for all.
    static var options: [Option] { get }

    /// Takes what it needs from the arguments; whatever is left over afterwards is a usage error.
    init(_ arguments: inout Arguments) throws
    /// Does the work and prints to standard output.
    func run() throws -> ExitStatus
}

/// An option that a command takes.
struct Option {
    /// With its dashes.
    var name: String
    /// Name of the value in the help; `nil` for a flag.
    var value: String?
    var help: String
    /// Whether it may be given more than once.
    var isRepeatable = false

    static func value(_ name: String, _ value: String, _ help: String) -> Option {
        Option(name: name, value: value, help: help)
    }
    static func values(_ name: String, _ value: String, _ help: String) -> Option {
        Option(name: name, value: value, help: help, isRepeatable: true)
    }
    static func flag(_ name: String, _ help: String) -> Option { Option(name: name, value: nil, help: help) }

    static let json = flag("--json", "Print JSON instead of text.")
    static let help = flag("--help", "Print this help.")
}

/// What the process returns to its caller.
enum ExitStatus: Int32 {
    /// Verified, or the command has no verdict to give.
    case success = 0
    /// Refused.
    case refused = 1
    /// A usage error, or an input that cannot be read.
    case unusable = 2
}

/// A reason to stop with ``ExitStatus/unusable``: wrong usage or an input that cannot be read.
struct UnusableInput: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A reason to stop with ``ExitStatus/refused``: the input was read, and it does not verify.
struct Refusal: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

extension Command {
    /// The text of `--help`.
    static var help: String {
        var text =
            "\(summary)\n\nUsage: pure-attest \(name)\(operands.isEmpty ? "" : " \(operands)") [options]\n\nOptions:\n"
        let described = (options + [.help]).map { option in
            (option.value.map { "\(option.name) \($0)" } ?? option.name, option.help)
        }
        let width = described.map(\.0.count).max() ?? 0
        for (label, help) in described {
            let indent = "\n" + String(repeating: " ", count: width + 4)
            text += "  \(label.padded(to: width))  \(help.split(separator: "\n").joined(separator: indent))\n"
        }
        if !discussion.isEmpty { text += "\n\(discussion)\n" }
        return text
    }
}
