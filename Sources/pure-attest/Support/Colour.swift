enum Colour: Int {
    // Select Graphic Rendition (ECMA-48 §8.3.117): foreground colours.
    case red = 31
    case green = 32
    case yellow = 33

    enum Stream: Int32 {
        case output = 1
        case error = 2
    }

    /// Returns whether to print colours. A nonempty NO_COLOR (no-color.org) disables colours. A missing TERM means no
    /// capabilities.
    static func isUsed(isTerminal: Bool, noColour: String?, term: String?, isJSON: Bool) -> Bool {
        isTerminal && !isJSON && (noColour ?? "").isEmpty && !(term ?? "dumb").isEmpty && term ?? "dumb" != "dumb"
    }

    private static let isUsedForOutput = isUsed(for: .output)
    private static let isUsedForError = isUsed(for: .error)

    private static func isUsed(for stream: Stream) -> Bool {
        isUsed(
            isTerminal: isatty(stream.rawValue) != 0, noColour: variable("NO_COLOR"), term: variable("TERM"),
            isJSON: CommandLine.arguments.contains("--json"))
    }

    private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    func text(_ text: String, on stream: Stream = .output) -> String {
        guard stream == .output ? Self.isUsedForOutput : Self.isUsedForError else { return text }
        return coloured(text)
    }

    func coloured(_ text: String) -> String { "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}
