/// Writes a new package with the server of the tutorial *Your first server in ten minutes*, or with the sample Worker.
struct Init: Command {
    static let name = "init"
    static let summary = "Write a small server, or the sample Worker, with its test as a new package."
    static let operands = [Operand(value: Value(name: "DIR", kind: .newFolder), isRequired: true)]
    static let options: [Option] = [
        workerOption,
        .value(
            "--checkout", "DIR", .newFolder,
            "Where PureAttest's sources are, for a pure-attest that was built elsewhere."),
    ]
    private static let workerOption = Option.flag(
        "--worker", "Write the sample Worker (JavaScript, for Cloudflare Workers with D1).")
    static let discussion = """
        DIR must be empty or missing. The package depends on the checkout of PureAttest by its path. Its routes, its start and its
        test are the files of Sources/Apps/FirstServer, which the tutorial explains. Then:

          cd DIR && swift test

        With --worker, Worker and JavaScript in DIR are the files of Sources/Apps/Worker and Sources/Bindings/JavaScript. The
        WebAssembly modules come from the checkout, if Sources/Bindings/Wasm/wasm.sh has built them; else npm run modules
        builds them. The test needs Node and python3:

          cd DIR && npm test
        """

    private static let template = "Sources/Apps/FirstServer"
    private static let files = [
        "Package.swift", "Sources/Server/Routes.swift", "Sources/Server/Server.swift",
        "Tests/ServerTests/ServerTests.swift",
    ]

    private let isWorker: Bool
    private let folder: OutputFolder
    private let checkout: String

    init(_ arguments: Arguments) throws {
        isWorker = arguments.flag(Self.workerOption)
        folder = OutputFolder(path: arguments.operand ?? "")
        guard !folder.path.isEmpty else { throw UnusableInput("DIR is empty; name a folder to write to") }
        if let path = arguments.value("--checkout") {
            guard let found = Self.checkout(above: path) else {
                throw UnusableInput("--checkout: \(excerpt(path)) has no \(Self.template); name PureAttest's folder")
            }
            checkout = found
        } else {
            let manager = FileManager.default
            let starts = [CommandLine.arguments.first ?? "", manager.currentDirectoryPath]
            guard let found = starts.lazy.compactMap({ Self.checkout(above: $0) }).first else {
                throw UnusableInput("cannot find PureAttest's sources; name their folder with --checkout DIR")
            }
            checkout = found
        }
    }

    /// Returns the nearest folder at or above `path` that contains the template.
    private static func checkout(above path: String) -> String? {
        var url = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath()
        for _ in 0..<64 {
            if FileManager.default.fileExists(atPath: url.appending(path: template).appending(path: files[0]).path) {
                return url.path
            }
            let parent = url.deletingLastPathComponent()
            guard parent.path != url.path else { return nil }
            url = parent
        }
        return nil
    }

    func run() throws -> ExitStatus {
        let present = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard present.isEmpty, !FileManager.default.fileExists(atPath: folder.path) || isFolder else {
            throw UnusableInput("\(excerpt(folder.path)) is not an empty folder; name a new one")
        }
        // In a Swift string literal, these characters would need escapes, so such paths are rejected.
        guard checkout.utf8.allSatisfy({ $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20 }) else {
            throw UnusableInput("the checkout's path has a character that a manifest cannot hold; move it")
        }
        let place = folder.path.printable
        if isWorker {
            let template = WorkerTemplate(checkout: checkout)
            let count = try template.write(to: folder)
            let modules = template.hasModules ? "" : "npm run modules && "
            print("wrote \(count) files to \(place); next: cd \(place) && \(modules)npm test\n")
            return .success
        }
        for file in Self.files {
            var bytes = try fileBytes("\(checkout)/\(Self.template)/\(file)")
            if file == "Package.swift" {
                bytes = replacing("\"../../..\"", by: "\"\(checkout)\"", in: bytes)
                bytes = replacing("\"../Service\"", by: "\"\(checkout)/Sources/Apps/Service\"", in: bytes)
            }
            try folder.write(file, bytes)
        }
        try folder.write(".gitignore", Array(".build/\n*.sqlite*\n".utf8))
        print("wrote \(Self.files.count + 1) files to \(place); next: cd \(place) && swift test\n")
        return .success
    }

    private var isFolder: Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory) && isDirectory
    }
}

/// Returns the bytes with the first occurrence of `text` replaced.
func replacing(_ text: String, by other: String, in bytes: [UInt8]) -> [UInt8] {
    guard let range = bytes.firstRange(of: Array(text.utf8)) else { return bytes }
    return bytes[..<range.lowerBound] + Array(other.utf8) + bytes[range.upperBound...]
}
