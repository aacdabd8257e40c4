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
        // Both packages by their place, and nothing relative to the template's.
        let manifest = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains("path: \"\(Self.root.path)\"),"))
        #expect(manifest.contains("path: \"\(Self.root.path)/Sources/Service\"),"))
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
}
