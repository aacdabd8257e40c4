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
    /// The variants that its first operand selects; empty for most commands.
    static var variants: [Variant] { get }
    /// Paragraphs below the options in `--help`. Lines with a space at their start are shown as they are.
    static var discussion: String { get }
    /// Every option it takes, in the order of `--help`; `--help` itself is added for all.
    static var options: [Option] { get }

    /// Takes what it needs from the arguments.
    init(_ arguments: Arguments) throws
    /// Does the work and prints to standard output.
    func run() throws -> ExitStatus
}

/// A word that selects what a command does, as `attest` in `simulate attest`.
struct Variant {
    var name: String
    /// Lines of text.
    var summary: String
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
    static var variants: [Variant] { [] }

    /// `pure-attest NAME OPERANDS [options]`.
    static var usageLine: String { usageLine(of: nil) }

    private static func usageLine(of variant: Variant?) -> String {
        let words = variant.map { [$0.name] + operands.dropFirst().map(\.label) } ?? operands.map(\.label)
        return (["pure-attest", name] + words + ["[options]"]).joined(separator: " ")
    }

    /// With `--help`.
    static var allOptions: [Option] { options + [.help] }

    /// The options that a variant takes.
    static func allOptions(of variant: Variant) -> [Option] {
        allOptions.filter { $0.variants.isEmpty || $0.variants.contains(variant.name) }
    }

    /// The variants, one or more lines each, and the discussion.
    static var fullDiscussion: String {
        let width = variants.map { $0.name.count }.max() ?? 0
        let list = variants.map { variant in
            let indent = "\n" + String(repeating: " ", count: width + 4)
            return "  \(variant.name.padded(to: width))  \(variant.summary.lines.joined(separator: indent))"
        }.joined(separator: "\n")
        return [list, discussion].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The text of `--help`.
    static var help: String {
        help("\(summary)\n", usageLine, allOptions.map { ($0.label, $0.fullHelp) }, fullDiscussion)
    }

    /// The text of `--help` after a variant.
    static func help(of variant: Variant) -> String {
        help(
            variant.summary.lines.map { $0 + "\n" }.joined(), usageLine(of: variant),
            allOptions(of: variant).map { ($0.label, $0.help) }, discussion)
    }

    private static func help(
        _ summary: String, _ usage: String, _ options: [(label: String, text: String)], _ discussion: String
    ) -> String {
        var text = "\(summary)\nUsage: \(usage)\n\nOptions:\n"
        let width = options.map { $0.label.count }.max() ?? 0
        let indent = "\n" + String(repeating: " ", count: width + 4)
        for option in options {
            text += "  \(option.label.padded(to: width))  \(option.text.lines.joined(separator: indent))\n"
        }
        if !discussion.isEmpty { text += "\n\(discussion)\n" }
        return text
    }

    /// The variant that the words after the command's name select.
    static func variant(in words: some Sequence<String>) -> Variant? {
        var isValue = false
        for word in words {
            if !isValue, let variant = variants.first(where: { $0.name == word }) { return variant }
            // The next word is its value, unless this one has it.
            isValue = options.contains { $0.value != nil && ($0.name == word || $0.alias == word) }
        }
        return nil
    }
}
