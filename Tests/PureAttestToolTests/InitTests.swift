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
        // Both packages by their absolute paths, and no path relative to the template.
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

    /// The files that contain paths, and their adapted text.
    private static let adapted = [
        "Worker/wrangler.toml": "\(root.path)/Sources/Embedded/wasm.sh",
        "Test/worker-support.mjs": "new URL(\"../openapi.json\", import.meta.url)",
        "Test/worker-requests.mjs": "read(\"../SampleWorker.md\")",
    ]

    @Test func writesTheSampleWorker() throws {
        let folder = try TemporaryFolder()
        let package = folder.url.appending(path: "My Worker")
        let result = try Tool.run("init", "--worker", package.path)
        #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
        let template = Self.root.appending(path: "Sources/Embedded")
        let written = try FileManager.default.subpathsOfDirectory(atPath: package.path)
        for file in written where file.contains("/") && file.contains(".") && !file.hasSuffix(".wasm") {
            let text = try String(contentsOf: package.appending(path: file), encoding: .utf8)
            if let line = Self.adapted[file] {
                #expect(text.contains(line), "\(file)")
            } else {
                #expect(try text == String(contentsOf: template.appending(path: file), encoding: .utf8), "\(file)")
            }
        }
        // Every file of the Worker, and every file that a written file imports.
        for name in try FileManager.default.subpathsOfDirectory(atPath: template.appending(path: "Worker").path)
        where name.contains(".") && !name.hasSuffix(".wasm") { #expect(written.contains("Worker/\(name)")) }
        for file in written where file.hasSuffix(".mjs") {
            let text = try String(contentsOf: package.appending(path: file), encoding: .utf8)
            for match in text.matches(of: #/from "(\.[^"]+\.mjs)"|new URL\("(\.[^"]+)", import/#) {
                let path = String(match.1 ?? match.2 ?? "")
                let target = package.appending(path: file).deletingLastPathComponent().appending(path: path)
                #expect(FileManager.default.fileExists(atPath: target.path), "\(file) needs \(path)")
            }
        }
    }

    @Test func theWorkersTestRunsAtOnce() throws {
        let folder = try TemporaryFolder()
        let package = folder.url.appending(path: "Worker")
        let result = try Tool.run("init", package.path, "--worker")
        let data = try Data(contentsOf: package.appending(path: "package.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let scripts = try #require(json["scripts"] as? [String: String])
        let test = try #require(scripts["test"])
        #expect(test.contains("Test/PureAttestTestWasm.wasm '\(Tool.executable.resolvingSymlinksInPath().path)'"))
        let built = Self.root.appending(path: "Sources/Embedded/.build")
        let modules = ["Worker/PureAttestWasm.wasm", "Test/PureAttestTestWasm.wasm"]
        guard
            modules.allSatisfy({
                FileManager.default.fileExists(atPath: built.appending(path: URL(filePath: $0).lastPathComponent).path)
            })
        else {
            #expect(result.output.contains("&& npm run modules && npm test\n"))
            #expect(scripts["modules"]?.contains("Sources/Embedded/wasm.sh' && cp ") == true)
            return
        }
        for module in modules { #expect(FileManager.default.fileExists(atPath: package.appending(path: module).path)) }
        #expect(!result.output.contains("npm run modules") && result.output.hasSuffix("&& npm test\n"))
    }
}
