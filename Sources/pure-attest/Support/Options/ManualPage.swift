/// The manual page (groff_man(7)), which is generated from the declarations of the commands.
enum ManualPage {
    static var text: String {
        let tool = PureAttestTool.self
        var lines = [
            ".TH PURE\\-ATTEST 1 \(tool.versionDate) \"pure\\-attest \(tool.version)\" \"User Commands\"",
            ".SH NAME", "pure\\-attest \\- \(escaped(tool.summary))",
            ".SH SYNOPSIS", ".B pure\\-attest", ".I COMMAND", "[options]",
            ".SH DESCRIPTION", escaped(tool.exitStatusHelp),
            ".SH OPTIONS",
        ]
        for option in tool.ownOptions { lines += entry(option) }
        lines += [".SH ENVIRONMENT", escaped(tool.environmentHelp), ".SH COMMANDS"]
        for command in tool.allCommands {
            lines += [".SS \(escaped(command.usageLine))"] + paragraphs(command.summary)
            for option in command.allOptions { lines += entry(option) }
            if !command.fullDiscussion.isEmpty { lines += [".PP"] + paragraphs(command.fullDiscussion) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func entry(_ option: Option) -> [String] {
        let value = option.value.map { " \\fI\(escaped($0.name))\\fR" } ?? ""
        return [".TP", "\\fB\(escaped(option.name))\\fR\(value)"] + option.fullHelp.lines.map { line($0) }
    }

    /// Formats paragraphs. Lines with a leading space stay unchanged. groff may re-wrap all other lines.
    private static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isAsWritten = false
        for text in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let text = String(decoding: text, as: UTF8.self), staysAsWritten = text.utf8.first == 0x20
            if isAsWritten != staysAsWritten, !text.isEmpty || isAsWritten {
                lines.append(staysAsWritten ? ".nf" : ".fi")
                isAsWritten = staysAsWritten
            }
            if text.isEmpty {
                if !lines.isEmpty, lines.last != ".PP" { lines.append(".PP") }
            } else {
                lines.append(line(text))
            }
        }
        return lines + (isAsWritten ? [".fi"] : [])
    }

    /// Escapes a leading full stop or apostrophe, because groff would read the line as a request.
    private static func line(_ text: String) -> String {
        let start = text.utf8.first.map { ".'".utf8.contains($0) } ?? false
        return (start ? "\\&" : "") + escaped(text)
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case _ where scalar.isASCII: "\(scalar)"
            default:
                "\\[u\(String(repeating: "0", count: max(0, 4 - scalar.hexDigits.count)) + scalar.hexDigits.uppercased())]"
            }
        }.joined()
    }
}
