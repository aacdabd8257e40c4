#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The sample Worker with its tests, from the checkout.
struct WorkerTemplate {
    let checkout: String

    /// The modules that `wasm.sh` builds, with their folders. They are too large to be part of this program.
    private static let modules = [("PureAttestWasm.wasm", "Worker"), ("PureAttestTestWasm.wasm", "Test")]
    /// Files of the checkout that the tests compare with the Worker, and their names in the package.
    private static let documents = [
        ("Service/openapi.json", "openapi.json"), ("PureAttest/PureAttest.docc/SampleWorker.md", "SampleWorker.md"),
    ]
    /// Test files besides `worker*.mjs`.
    private static let testHelpers = ["d1.mjs", "sqlite.py", "support.mjs", "test-roots.mjs"]

    private var source: String { "\(checkout)/Sources/Embedded" }

    private func built(_ module: String) -> String { "\(source)/.build/\(module)" }

    var hasModules: Bool { Self.modules.allSatisfy { FileManager.default.fileExists(atPath: built($0.0)) } }

    /// Writes the files and returns their number.
    func write(to folder: OutputFolder) throws(UnusableInput) -> Int {
        var count = 0
        func write(_ name: String, _ bytes: [UInt8]) throws(UnusableInput) {
            try folder.write(name, bytes)
            count += 1
        }
        for part in ["Worker", "JavaScript", "Test"] {
            for name in try names(in: part) {
                var bytes = try fileBytes("\(source)/\(part)/\(name)")
                if name == "wrangler.toml" { bytes = replacing("../wasm.sh", by: "\(source)/wasm.sh", in: bytes) }
                for (path, file) in Self.documents {
                    bytes = replacing("\"../../\(path)\"", by: "\"../\(file)\"", in: bytes)
                }
                try write("\(part)/\(name)", bytes)
            }
        }
        for (path, file) in Self.documents { try write(file, fileBytes("\(checkout)/Sources/\(path)")) }
        if hasModules {
            for (module, part) in Self.modules { try write("\(part)/\(module)", fileBytes(built(module))) }
        }
        try write("package.json", Array((package.text + "\n").utf8))
        try write(".gitignore", Array("node_modules/\n.wrangler/\n*.wasm\n".utf8))
        return count
    }

    /// Returns the names of a part's files below its folder, in order.
    private func names(in part: String) throws(UnusableInput) -> [String] {
        let folder = "\(source)/\(part)"
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
            throw UnusableInput("cannot read \(excerpt(folder)); name PureAttest's folder with --checkout DIR")
        }
        return names.sorted().filter { name in
            let isTest = name.utf8.starts(with: "worker".utf8) || Self.testHelpers.contains(name)
            // worker-schema.mjs compares the statements with an article of the checkout.
            guard part != "Test" || isTest && name != "worker-schema.mjs" else { return false }
            return [".mjs", ".mts", ".sql", ".toml", ".py"].contains {
                name.utf8.reversed().starts(with: $0.utf8.reversed())
            }
        }
    }

    private var package: JSON {
        let copies = Self.modules.map { "cp \(quoted(built($0.0))) \($0.1)" }.joined(separator: " && ")
        let tool = CommandLine.arguments.first ?? ""
        let path =
            tool.utf8.contains(UInt8(ascii: "/"))
            ? URL(filePath: tool).standardizedFileURL.resolvingSymlinksInPath().path : "pure-attest"
        let test =
            "for part in Test/worker*.mjs; do test $part = Test/worker-support.mjs || "
            + "node $part Test/PureAttestTestWasm.wasm \(quoted(path)) || exit 1; done"
        return .object([
            ("name", .string("pure-attest-worker")), ("private", .bool(true)), ("type", .string("module")),
            (
                "scripts",
                .object([
                    ("modules", .string("\(quoted("\(source)/wasm.sh")) && \(copies)")), ("test", .string(test)),
                ])
            ),
        ])
    }

    private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
}
