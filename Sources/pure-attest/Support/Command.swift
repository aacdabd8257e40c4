/// One subcommand. A new one is a file under Commands/ and its entry in `allCommands`.
///
/// What stands here is all that is written of a command: parsing, `--help`, the completions of shells and the manual page follow.
protocol Command {
    /// The word that selects it.
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// The words that it takes besides options, in order. Only the last one may be repeatable.
    static var operands: [Operand] { get }
    /// Paragraphs below the options in `--help`. Lines with a space at their start are shown as they are.
    static var discussion: String { get }
    /// Every option it takes, in the order of `--help`; `--help` itself is added for all.
    static var options: [Option] { get }

    /// Takes what it needs from the arguments.
    init(_ arguments: Arguments) throws
    /// Does the work and prints to standard output.
    func run() throws -> ExitStatus
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
    /// `pure-attest NAME OPERANDS [options]`.
    static var usageLine: String {
        (["pure-attest", name] + operands.map(\.label) + ["[options]"]).joined(separator: " ")
    }

    /// With `--help`.
    static var allOptions: [Option] { options + [.help] }

    /// The text of `--help`.
    static var help: String {
        var text = "\(summary)\n\nUsage: \(usageLine)\n\nOptions:\n"
        let width = allOptions.map { $0.label.count }.max() ?? 0
        for option in allOptions {
            let indent = "\n" + String(repeating: " ", count: width + 4)
            let lines = option.help.lines.joined(separator: indent)
            text += "  \(option.label.padded(to: width))  \(lines)\n"
        }
        if !discussion.isEmpty { text += "\n\(discussion)\n" }
        return text
    }
}
