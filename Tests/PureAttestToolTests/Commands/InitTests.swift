import Foundation
import Testing
import VectorSupport

@Suite("pure-attest init")
struct InitTests {
    private static let root = VectorDirectory.committed.deletingLastPathComponent()
    private static let files = [
        "Sources/Server/Routes.swift", "Sources/Server/Server.swift", "Tests/ServerTests/ServerTests.swift",
    ]

    @Test func writesTheTutorialsPackage() throws {
        let folder = try TemporaryFolder()
        let package = folder.url.appending(path: "My Server")
        let result = try Tool.run("init", package.path)
        #expect(result.status == 0 && result.error.isEmpty)
        let template = Self.root.appending(path: "Sources/Apps/FirstServer")
        for file in Self.files {
            #expect(
                try Data(contentsOf: package.appending(path: file)) == Data(contentsOf: template.appending(path: file)))
        }
        // The manifest contains the absolute paths of both packages, and no path that is relative to the template.
        let manifest = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains("path: \"\(Self.root.path)\"),"))
        #expect(manifest.contains("path: \"\(Self.root.path)/Sources/Apps/Service\"),"))
        #expect(!manifest.contains(".."))
    }

    @Test func writesOnlyIntoAnEmptyFolder() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("file", Data())
        for path in [folder.url.path, file.path, file.appending(path: "below").path] {
            let result = try Tool.run("init", path)
            #expect(result.status == 2 && result.isOneLineOfError, "\(path)")
        }
        #expect(try Data(contentsOf: file).isEmpty)
    }

    @Test func namesAMissingCheckout() throws {
        let folder = try TemporaryFolder()
        let result = try Tool.run("init", folder.url.appending(path: "new").path, "--checkout", "/")
        #expect(result.status == 2 && result.isOneLineOfError && result.error.contains("--checkout"))
    }

    // MARK: --worker

    /// The paths that change when a file is copied from the checkout (key) to the package (value).
    private static let adapted = [
        "../../Bindings/Wasm/wasm.sh": "\(root.path)/Sources/Bindings/Wasm/wasm.sh",
        "\"../../Bindings/JavaScript/": "\"../JavaScript/", "\"../../../Bindings/JavaScript/": "\"../../JavaScript/",
        "\"../../../Bindings/Wasm/Test/": "\"./",
        "new URL(\"../../Service/openapi.json\"": "new URL(\"../../openapi.json\"",
        "read(\"../../PureAttest/PureAttest.docc/SampleWorker.md\")": "read(\"../SampleWorker.md\")",
    ]

    @Test func writesTheSampleWorker() throws {
        let folder = try TemporaryFolder()
        let package = folder.url.appending(path: "My Worker")
        let result = try Tool.run("init", "--worker", package.path)
        #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
        let sources = Self.root.appending(path: "Sources")
        let written = try FileManager.default.subpathsOfDirectory(atPath: package.path)
        var used: Set<String> = []
        for file in written where file.contains("/") && file.contains(".") && !file.hasSuffix(".wasm") {
            let text = try String(contentsOf: package.appending(path: file), encoding: .utf8)
            var path = file.hasPrefix("Worker/") ? "Apps/\(file)" : "Bindings/\(file)"
            let helpers = ["support.mjs", "test-app-store.mjs", "test-roots.mjs"].map { "Worker/Test/\($0)" }
            if helpers.contains(file) {
                path = "Bindings/Wasm/Test/\(sources.appending(path: file).lastPathComponent)"
            }
            var expected = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            for (old, new) in Self.adapted where expected.contains(old) {
                expected = expected.replacing(old, with: new)
                used.insert(old)
            }
            #expect(text == expected, "\(file)")
        }
        #expect(used == Set(Self.adapted.keys))
        // The package contains every file of the Worker, and every file that a file in the package imports.
        for name in try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: "Apps/Worker").path)
        where name.contains(".") && !name.hasSuffix(".wasm") && !name.hasPrefix("Test/") {
            #expect(written.contains("Worker/\(name)"))
        }
        for file in written where file.hasSuffix(".mjs") {
            let text = try String(contentsOf: package.appending(path: file), encoding: .utf8)
            for match in text.matches(of: #/from "(\.[^"]+\.mjs)"|new URL\("(\.[^"]+)", import/#) {
                let path = String(match.1 ?? match.2 ?? "")
                let target = package.appending(path: file).deletingLastPathComponent().appending(path: path)
                #expect(FileManager.default.fileExists(atPath: target.path), "\(file) needs \(path)")
            }
        }
    }

    /// `init` copies the modules if wasm.sh has built them. It may build them while this test runs.
    @Test func theWorkersTestRunsAtOnce() throws {
        let built = Self.root.appending(path: "Sources/Bindings/Wasm/.build")
        let modules = [
            "Worker/PureAttestRelyingParty.wasm", "Worker/PureAttestPurchases.wasm",
            "Worker/Test/PureAttestRelyingPartyTest.wasm", "Worker/Test/PureAttestPurchasesTest.wasm",
        ]
        func exists(_ module: URL) -> Bool { FileManager.default.fileExists(atPath: module.path) }
        let wereBuilt = modules.allSatisfy { exists(built.appending(path: URL(filePath: $0).lastPathComponent)) }
        let folder = try TemporaryFolder()
        let package = folder.url.appending(path: "Worker")
        let result = try Tool.run("init", package.path, "--worker")
        let data = try Data(contentsOf: package.appending(path: "package.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let scripts = try #require(json["scripts"] as? [String: String])
        let test = try #require(scripts["test"])
        let tool = Tool.executable.resolvingSymlinksInPath().path
        #expect(test.contains("Worker/Test/PureAttestRelyingPartyTest.wasm '\(tool)'"))
        let areCopied = modules.allSatisfy { exists(package.appending(path: $0)) }
        #expect(areCopied || !wereBuilt)
        if areCopied {
            #expect(!result.output.contains("npm run modules") && result.output.hasSuffix("&& npm test\n"))
        } else {
            #expect(result.output.contains("&& npm run modules && npm test\n"))
            #expect(scripts["modules"]?.contains("Sources/Bindings/Wasm/wasm.sh' && cp ") == true)
        }
    }
}
