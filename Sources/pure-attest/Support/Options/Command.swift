/// A subcommand. To add a subcommand, create a file under Commands/ and an entry in `allCommands`. Parsing, `--help`,
/// shell completions and the manual page are generated from these declarations.
protocol Command {
    static var name: String { get }
    static var summary: String { get }
    /// The arguments that are not options, in order. Only the last operand may be repeatable.
    static var operands: [Operand] { get }
    /// The variants of the command, which the first operand selects. Empty for most commands.
    static var variants: [Variant] { get }
    /// The paragraphs below the options in the output of `--help`. Lines with a leading space are printed unchanged.
    static var discussion: String { get }
    /// Every option except `--help`, in the order in which the help lists them.
    static var options: [Option] { get }

    init(_ arguments: Arguments) throws
    func run() throws -> ExitStatus
}

/// A word that selects a command's variant, such as `attest` in `simulate attest`.
struct Variant {
    var name: String
    /// One or more lines of text.
    var summary: String
}

enum ExitStatus: Int32 {
    /// The object verified, or the command does not give a verdict.
    case success = 0
    case refused = 1
    /// A usage error, or an unreadable input.
    case unusable = 2
}

/// An error for wrong usage or an unreadable input. The process exits with ``ExitStatus/unusable``.
struct UnusableInput: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// An error for an input that was read but does not verify. The process exits with ``ExitStatus/refused``.
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

    static var allOptions: [Option] { options + [.help] }

    static func allOptions(of variant: Variant) -> [Option] {
        allOptions.filter { $0.variants.isEmpty || $0.variants.contains(variant.name) }
    }

    /// The descriptions of the variants, each on one or more lines, and the discussion.
    static var fullDiscussion: String {
        [columns(variants.map { ($0.name, $0.summary) }), discussion].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    static var help: String {
        help("\(summary)\n", usageLine, allOptions.map { ($0.label, $0.fullHelp) }, fullDiscussion)
    }

    static func help(of variant: Variant) -> String {
        help(
            variant.summary.lines.map { $0 + "\n" }.joined(), usageLine(of: variant),
            allOptions(of: variant).map { ($0.label, $0.help) }, discussion)
    }

    private static func help(
        _ summary: String, _ usage: String, _ options: [(String, String)], _ discussion: String
    ) -> String {
        "\(summary)\nUsage: \(usage)\n\nOptions:\n\(columns(options))\n"
            + (discussion.isEmpty ? "" : "\n\(discussion)\n")
    }

    static func variant(in words: some Sequence<String>) -> Variant? {
        withoutValues(words).lazy.compactMap { word in variants.first { $0.name == word } }.first
    }

    /// Returns true if the user asks for help. A script may pass untrusted text as an option's value. If such a value
    /// counted as a request for help, the status would be 0, as for a verified object.
    static func asksForHelp(_ words: some Sequence<String>) -> Bool {
        withoutValues(words.prefix { $0 != "--" }).contains { $0 == "--help" || $0 == "-h" }
    }

    /// Returns the words, except those in the place of an option's value.
    private static func withoutValues(_ words: some Sequence<String>) -> [String] {
        var isValue = false
        return words.filter { word in
            // The next word is the option's value, unless this word already contains the value (`--name=value`). A
            // value never equals an option's name, because `Arguments` rejects values that start with "--".
            defer { isValue = options.contains { $0.value != nil && $0.isNamed(word) } }
            return !isValue
        }
    }
}
