import DebugSampling
import Foundation
import Testing

@testable import pure_attest

/// Runs every command and option in the descriptions with wrong, empty, huge, binary and missing input.
@Suite("Hostile input")
struct HostileInputTests {
    static let names = PureAttestTool.allCommands.map { $0.name }

    private struct Files {
        let folder: TemporaryFolder
        let good: String
        let bad: [String]

        init() throws {
            folder = try TemporaryFolder()
            good = try folder.write("assertion.json", Self.simulated.get()).path
            let huge = try folder.write("huge", Data())
            let handle = try FileHandle(forWritingTo: huge)
            // Creates a sparse file that is larger than the amount that any command reads into memory.
            try handle.truncate(atOffset: 300 << 20)
            try handle.close()
            let empty = folder.url.appending(path: "folder")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
            bad = [
                try folder.write("empty", Data()).path, try folder.write("text", Data("certainly wrong\n".utf8)).path,
                try folder.write("binary", Data((0..<4_096).map { UInt8(truncatingIfNeeded: 0xff &- $0 &* 7) })).path,
                try folder.write("cut.json", Data(#"{"attestation":"#.utf8)).path,
                try folder.write("types.json", Data(#"{"attestation":[1],"verifyAt":{},"assertions":"x"}"#.utf8)).path,
                try folder.write("base64", Data("AAAA".utf8)).path, huge.path, empty.path,
                folder.url.appending(path: "missing").path, "/dev/zero", "", "a\nb", "\u{1b}[31m",
            ]
        }

        private static let simulated = Result {
            let folder = try TemporaryFolder()
            #expect(try Tool.run("simulate", "assert", "--seed", "1", "--out", folder.url.path).status == 0)
            return try Data(contentsOf: folder.url.appending(path: "assertion.json"))
        }

        func value(_ value: Value) -> String {
            switch value.kind {
            case .file, .fileOrFolder: good
            case .newFolder: folder.url.appending(path: "made").path
            case .bytes, .object: "text:good"
            // The last word is the kind of `simulate` that accepts every option.
            case .words(let words): words.last ?? ""
            case .number(let range): "\(range.lowerBound)"
            case .decimal(let range): "\(range.lowerBound)"
            case .time: "2026-09-15T12:00:00Z"
            case .text: "good"
            }
        }
    }

    /// Returns all inputs. In a debug build, returns a sample that depends on the command and the position.
    private func tried(_ inputs: [String], by command: any Command.Type, at index: Int) -> [String] {
        debugSample(
            inputs, every: 11, from: index + (Self.names.firstIndex(of: command.name) ?? 0),
            of: "bad inputs of \(command.name)")
    }

    /// Returns all options with their positions. In a debug build, returns a sample that depends on the command.
    private func tried(_ command: any Command.Type, every stride: Int) -> [(offset: Int, element: Option)] {
        debugSample(
            Array(command.options.enumerated()), every: stride, from: Self.names.firstIndex(of: command.name) ?? 0,
            of: "options of \(command.name)")
    }

    /// Returns valid arguments for the command with these operands, but without the option `name`.
    private func words(
        _ command: any Command.Type, _ files: Files, without name: String? = nil, operands: [String]? = nil
    ) -> [String] {
        var words = operands ?? command.operands.map { files.value($0.value) }
        for option in command.options where option.name != name {
            if option.isRequired, let value = option.value { words += ["\(option.name)=\(files.value(value))"] }
            if option.name == AttestationInputs.trustOption.name { words.append(option.name) }
        }
        return [command.name] + words
    }

    private func expectOneLine(_ arguments: [String], statuses: Set<Int32> = [1, 2]) throws {
        let result = try Tool.run(arguments)
        let comment = Comment(rawValue: "\(arguments.map { excerpt($0) }): \(result.status) \(result.error)")
        #expect(statuses.contains(result.status), comment)
        #expect(result.isOneLineOfError, comment)
        expectPlain(result, comment)
    }

    /// Expects an error message without type names, stack traces or terminal control characters.
    private func expectPlain(_ result: Tool.Result, _ comment: Comment) {
        for text in [
            "Swift", "Optional(", "Array<", "Dictionary<", "Int64", "UInt", "DecodingError", "Error(", "Fatal",
            "NSCocoa",
            "CodeFileError", "PureAttestError", "PureX509", " at 0x", "Unusable",
        ] {
            #expect(!result.error.contains(text), comment)
        }
        #expect(!result.error.utf8.contains(0x1b) && result.error.utf8.count < 2_000, comment)
    }

    /// Expects output or one line of error text, because some of the inputs are valid.
    private func expectOutcome(_ arguments: [String]) throws {
        let result = try Tool.run(arguments)
        let comment = Comment(rawValue: "\(arguments.map { excerpt($0) }): \(result.status) \(result.error)")
        #expect((0...2).contains(result.status), comment)
        #expect(result.isOneLineOfError || result.error.isEmpty && result.status < 2, comment)
        expectPlain(result, comment)
    }

    @Test(arguments: names)
    func filesToRead(_ name: String) throws {
        let (command, files) = (try PureAttestTool.command(name), try Files())
        for (index, operand) in command.operands.enumerated() {
            switch operand.value.kind {
            case .file, .fileOrFolder: break
            default: continue
            }
            for path in tried(files.bad, by: command, at: index) {
                var operands = command.operands.map { files.value($0.value) }
                operands[index] = path
                try expectOneLine(words(command, files, operands: operands))
            }
        }
        for (index, option) in tried(command, every: 3) {
            // Reading /dev/zero and the huge file is slow, so only the first option of each command reads them.
            let bad = index == 0 ? files.bad : files.bad.filter { $0 != "/dev/zero" && !$0.hasSuffix("/huge") }
            switch option.value?.kind {
            case .file, .fileOrFolder:
                for path in tried(bad, by: command, at: index) {
                    try expectOneLine(words(command, files, without: option.name) + ["\(option.name)=\(path)"])
                }
            case .bytes, .object:
                for path in tried(bad, by: command, at: index) {
                    try expectOutcome(words(command, files, without: option.name) + ["\(option.name)=@\(path)"])
                    // A path to an object needs no `@`.
                    guard case .object = option.value?.kind else { continue }
                    try expectOutcome(words(command, files, without: option.name) + ["\(option.name)=\(path)"])
                }
                let texts = ["", "%%%", "A", "hex:", "hex:0", "hex:zz", "text:", "AAAA", "-", "\u{1b}[31m"]
                for text in tried(texts, by: command, at: index) {
                    try expectOutcome(words(command, files, without: option.name) + ["\(option.name)=\(text)"])
                }
            default: break
            }
        }
    }

    /// The standard input is closed, a folder, endless, empty or a terminal.
    @Test(arguments: names)
    func standardInput(_ name: String) throws {
        let (command, files) = (try PureAttestTool.command(name), try Files())
        var lines: [[String]] = []
        for (index, operand) in command.operands.enumerated() {
            var operands = command.operands.map { files.value($0.value) }
            operands[index] = "-"
            if operand.value.isStandardInput("-") { lines.append(words(command, files, operands: operands)) }
        }
        for option in command.options {
            for word in ["-", "@-"] where option.value?.isStandardInput(word) ?? false {
                lines.append(words(command, files, without: option.name) + ["\(option.name)=\(word)"])
            }
        }
        var saysTerminal = false
        for line in debugSample(lines, every: 24, of: "ways to standard input of \(name)") {
            let quoted = line.map { "'\($0)'" }.joined(separator: " ")
            let isFirst = line == lines.first
            for input in ["<&-", "< '\(files.folder.url.path)'"] + (isFirst ? ["</dev/zero"] : []) {
                let result = try Tool.runInShell("exec \"$0\" \(quoted) \(input)")
                let comment = Comment(rawValue: "\(line) \(input): \(result.status) \(result.error)")
                #expect([1, 2].contains(result.status) && result.isOneLineOfError, comment)
                expectPlain(result, comment)
            }
            // Empty input is a valid challenge for a virtual device, but not a valid object.
            try expectOutcome(line)
            let terminal = try Tool.runAtTerminal(line)
            #expect(terminal.status == 2 && terminal.isOneLineOfError, "\(line): \(terminal)")
            saysTerminal = saysTerminal || terminal.error.contains("it is a terminal")
        }
        #expect(saysTerminal || lines.isEmpty)
    }

    @Test(arguments: names)
    func valuesOfOptions(_ name: String) throws {
        let (command, files) = (try PureAttestTool.command(name), try Files())
        for (index, option) in tried(command, every: 4) {
            let line = words(command, files, without: option.name)
            guard let value = option.value else {
                try expectOneLine(words(command, files) + ["\(option.name)=1"], statuses: [2])
                continue
            }
            try expectOneLine(line + [option.name], statuses: [2])
            let long = String(repeating: "9", count: 100_000)
            switch value.kind {
            case .number, .decimal, .time, .words:
                let texts = ["", "x", "-1", "1e400", "nan", "0x1", " 1", "\u{663}", "\u{1b}[31m", long, "a\nb"]
                for text in tried(texts, by: command, at: index) {
                    let result = try Tool.run(line + ["\(option.name)=\(text)"])
                    let comment = Comment(
                        rawValue: "\(name) \(option.name)=\(excerpt(text)): \(result.status) \(result.error)")
                    // A time in seconds since 1970 may be negative.
                    if case .time = value.kind, text == "-1" { continue }
                    #expect(result.status == 2 && result.isOneLineOfError, comment)
                    #expect(
                        result.error.contains(option.name) || result.error.contains("expected PEM certificates"),
                        comment)
                    expectPlain(result, comment)
                }
            case .text, .newFolder:
                for text in tried(["", long, "\u{1b}[31m", "a\nb", "a\u{301}"], by: command, at: index) {
                    // Skips names for which the command would create a folder.
                    if case .newFolder = value.kind, !text.isEmpty, text != long { continue }
                    try expectOutcome(line + ["\(option.name)=\(text)"])
                }
            default: break
            }
            if !option.isRepeatable {
                let good = "\(option.name)=\(files.value(value))"
                try expectOneLine(line + [good, good], statuses: [2])
            }
        }
    }

    @Test(arguments: names)
    func missingAndSuperfluousWords(_ name: String) throws {
        let (command, files) = (try PureAttestTool.command(name), try Files())
        for index in command.operands.indices where command.operands[index].isRequired {
            let operands = command.operands.prefix(index).map { files.value($0.value) }
            try expectOneLine(words(command, files, operands: operands), statuses: [2])
        }
        let required = command.options.filter(\.isRequired)
        for option in debugSample(required, every: 3, of: "required options of \(name)") {
            let result = try Tool.run(words(command, files, without: option.name))
            #expect(result.status == 2 && result.isOneLineOfError)
            #expect(result.error.contains("missing \(option.name); it takes"), "\(result.error)")
        }
        if !(command.operands.last?.isRepeatable ?? false) {
            try expectOneLine(words(command, files) + ["superfluous"], statuses: [2])
        }
    }

    /// If the user leaves out one letter of a word, the error suggests the right word.
    @Test(arguments: names)
    func misspeltWords(_ name: String) throws {
        let command = try PureAttestTool.command(name)
        let result = try Tool.run(String(name.dropLast()))
        #expect(result.status == 2 && result.isOneLineOfError)
        #expect(name.count < 4 || result.error.contains("did you mean \(name)?"), "\(result.error)")
        for option in debugSample(command.allOptions, every: 18, of: "options of \(name) misspelt") {
            let result = try Tool.run(name, String(option.name.dropLast()))
            #expect(result.status == 2 && result.isOneLineOfError)
            #expect(result.error.contains("did you mean --"), "\(result.error)")
        }
    }
}
