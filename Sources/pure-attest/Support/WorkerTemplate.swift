/// Copies the sample Worker and its tests from the checkout to a new package.
struct WorkerTemplate {
    let checkout: String

    /// The modules that `wasm.sh` builds, and their folders in the package. They are too large to embed.
    private static let modules = [
        ("PureAttestRelyingParty.wasm", "Worker"), ("PureAttestPurchases.wasm", "Worker"),
        ("PureAttestRelyingPartyTest.wasm", "Worker/Test"), ("PureAttestPurchasesTest.wasm", "Worker/Test"),
    ]
    /// The files of the checkout with which the tests compare the Worker, and the names of these files in the package.
    private static let documents = [
        ("Apps/Service/openapi.json", "openapi.json"),
        ("PureAttest/PureAttest.docc/SampleWorker.md", "SampleWorker.md"),
    ]
    /// The source folders in the checkout, and the matching folders in the package.
    private static let parts = [
        ("Apps/Worker", "Worker"), ("Apps/Worker/migrations", "Worker/migrations"), ("Apps/Worker/Test", "Worker/Test"),
        ("Bindings/JavaScript/Generated", "JavaScript/Generated"),
        ("Bindings/JavaScript/RelyingParty", "JavaScript/RelyingParty"),
        ("Bindings/JavaScript/Verifier", "JavaScript/Verifier"), (sharedHelpers, "Worker/Test"),
    ]
    private static let sharedHelpers = "Bindings/Wasm/Test"
    /// Tests that the template omits. They compare the Worker with files that only the checkout contains.
    private static let comparisons = ["worker-schema.mjs"]
    /// Replacements for paths inside the copied files: the path in the checkout, and the matching path in the package.
    private static let paths = [
        ("\"../../Bindings/JavaScript/", "\"../JavaScript/"),
        ("\"../../../Bindings/JavaScript/", "\"../../JavaScript/"),
        ("\"../../../Bindings/Wasm/Test/", "\"./"),
        ("\"../../Service/openapi.json\"", "\"../../openapi.json\""),
        ("\"../../PureAttest/PureAttest.docc/SampleWorker.md\"", "\"../SampleWorker.md\""),
    ]

    private var source: String { "\(checkout)/Sources" }
    private var script: String { "\(source)/Bindings/Wasm/wasm.sh" }

    private func built(_ module: String) -> String { "\(source)/Bindings/Wasm/.build/\(module)" }

    var hasModules: Bool { Self.modules.allSatisfy { FileManager.default.fileExists(atPath: built($0.0)) } }

    /// Writes the package, and returns the number of written files.
    func write(to folder: OutputFolder) throws(UnusableInput) -> Int {
        var count = 0
        func write(_ name: String, _ bytes: [UInt8]) throws(UnusableInput) {
            try folder.write(name, bytes)
            count += 1
        }
        for (place, part) in Self.parts {
            for name in try names(in: place) {
                var bytes = try fileBytes("\(source)/\(place)/\(name)")
                if name == "wrangler.toml" {
                    bytes = replacing("../../Bindings/Wasm/wasm.sh", by: script, in: bytes)
                }
                for (path, other) in Self.paths {
                    while bytes.firstRange(of: Array(path.utf8)) != nil {
                        bytes = replacing(path, by: other, in: bytes)
                    }
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

    private func names(in place: String) throws(UnusableInput) -> [String] {
        let folder = "\(source)/\(place)"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw UnusableInput("cannot read \(excerpt(folder)); name PureAttest's folder with --checkout DIR")
        }
        return names.sorted().filter { name in
            if place == Self.sharedHelpers {
                return ["support.mjs", "test-app-store.mjs", "test-roots.mjs"].contains(name)
            }
            guard place != "Apps/Worker/Test" || !Self.comparisons.contains(name) else { return false }
            return [".mjs", ".mts", ".sql", ".toml", ".py"].contains {
                name.utf8.reversed().starts(with: $0.utf8.reversed())
            }
        }
    }

    private var package: JSON {
        let copies = Self.modules.map { "cp \(shellQuoted(built($0.0))) \($0.1)" }.joined(separator: " && ")
        let tool = CommandLine.arguments.first ?? ""
        let path =
            tool.utf8.contains(UInt8(ascii: "/"))
            ? URL(filePath: tool).standardizedFileURL.resolvingSymlinksInPath().path : "pure-attest"
        let test =
            "for part in Worker/Test/worker*.mjs; do test $part = Worker/Test/worker-support.mjs || "
            + "node $part Worker/Test/PureAttestRelyingPartyTest.wasm \(shellQuoted(path)) "
            + "Worker/Test/PureAttestPurchasesTest.wasm || exit 1; done"
        return .object([
            ("name", .string("pure-attest-worker")), ("private", .bool(true)), ("type", .string("module")),
            (
                "scripts",
                .object([
                    ("modules", .string("\(shellQuoted(script)) && \(copies)")), ("test", .string(test)),
                ])
            ),
        ])
    }
}
