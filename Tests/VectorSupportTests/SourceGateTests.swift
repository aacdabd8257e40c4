import Foundation
import Testing
import VectorSupport

struct SourceGateTests {
    private static func libraryFiles() throws -> [(path: String, text: String)] {
        let sources = VectorDirectory.committed.deletingLastPathComponent().appending(path: "Sources")
        let files = FileManager.default.enumerator(atPath: sources.path)
        return try (files?.allObjects ?? []).compactMap { $0 as? String }.sorted()
            .filter { $0.hasPrefix("Pure") && !$0.hasSuffix(".md") }
            .compactMap { path in
                var isFolder: ObjCBool = false
                let file = sources.appending(path: path).path
                let isThere = unsafe FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
                guard isThere, !isFolder.boolValue else { return nil }
                return (path, try String(contentsOfFile: file, encoding: .utf8))
            }
    }

    /// CVE-2026-28815, CVE-2026-43823: without C code in the libraries, no Swift value has a C buffer as its storage.
    @Test func noForeignCode() throws {
        let files = try Self.libraryFiles()
        #expect(files.count > 100)
        #expect(files.filter { !$0.path.hasSuffix(".swift") }.map(\.path) == [])
        let known: Set = [
            "PureBytes", "PureSHA2", "PureDER", "PureCBOR", "PureECDSA", "PureX509", "PureX509Paths",
            "PureSignedContent", "PureAttest",
            "PureAttestServerCore", "PureAttestServer", "PureAttestTesting", "Synchronization", "struct", "enum",
            "PureSHA2Hardware", "PureProcessor", "PureECDSALanes", "PureJSON",
        ]
        for file in files {
            let imports = file.text.matches(
                of: /(?m)^ *(?:@_exported )?(?:public |package |internal |private )?import (?:struct |enum )?(\w+)/)
            // The modules of the trait ProcessorExtensions may import the compiler's intrinsics.
            let known =
                if ["PureSHA2Hardware/", "PureProcessor/", "PureECDSALanes/"].contains(where: file.path.hasPrefix) {
                    ["_Builtin_intrinsics"] as Set
                } else if file.path.hasPrefix("PureAttestFoundation/") {
                    // Only PureAttestFoundation, on which no other module depends, may import Foundation.
                    known.union(["FoundationEssentials", "Foundation"])
                } else if file.path.hasPrefix("PureKeyAttestation/") {
                    // App Attest links neither PureRSA nor PureKeyAttestation.
                    known.union(["PureRSA"])
                } else if file.path.hasPrefix("PureKeyAttestationTesting/") {
                    known.union(["PureRSA", "PureKeyAttestation"])
                } else if file.path.hasPrefix("PureJWS/") || file.path.hasPrefix("PureAppStore") {
                    // App Attest does not link the modules for purchases.
                    known.union(["PureJWS", "PureAppStore"])
                } else if file.path.hasPrefix("PureAttestPurchases") {
                    known.union(["PureAppStore", "PureAttestPurchasesCore", "PureAttestServerMessages", "PureJWS"])
                } else if file.path.hasPrefix("PureAttestServer") || file.path.hasPrefix("PureAttestStoreTesting/") {
                    known.union(["PureKeyAttestation"])
                } else {
                    known
                }
            #expect(imports.filter { !known.contains(String($0.1)) }.map { "\(file.path): \($0.1)" } == [])
        }
    }

    /// Importing all of Foundation instead of FoundationEssentials adds 44 MB to a statically linked program.
    @Test func theToolNeedsFoundationEssentialsOnly() throws {
        let root = VectorDirectory.committed.deletingLastPathComponent()
        var counts: [String: Int] = [:]
        for folder in ["Sources/pure-attest", "Sources/VectorSupport"] {
            let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            for case let path as String in try #require(files) where path.hasSuffix(".swift") {
                let text = try String(
                    contentsOfFile: root.appending(path: "\(folder)/\(path)").path, encoding: .utf8)
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                for (index, line) in lines.enumerated() where line.hasSuffix("import Foundation") {
                    #expect(index > 1 && lines[index - 1] == "#else", "\(folder)/\(path)")
                    #expect(lines[max(0, index - 2)].hasSuffix("import FoundationEssentials"), "\(folder)/\(path)")
                    counts[folder, default: 0] += 1
                }
            }
        }
        #expect(counts == ["Sources/pure-attest": 1, "Sources/VectorSupport": 1])
    }

    /// Strict memory safety requires the mark `unsafe` on every unsafe expression. Only these files contain any, each
    /// for a stated reason.
    @Test func unsafeCodeStandsWhereItIsKnown() throws {
        let unsafe = try Self.libraryFiles().filter { file in
            guard file.text.contains("nsafe") || file.text.contains("withMemoryRebound") else { return false }
            // Ignores comments, and a string literal that contains the name of an unsafe compiler flag.
            return file.text.split(separator: "\n").contains { line in
                !line.drop { $0 == " " }.hasPrefix("//")
                    && line.contains(/\bunsafe\b|Unsafe|withMemoryRebound|unsafeBitCast/)
            }
        }.map(\.path)
        #expect(
            unsafe == [
                "PureBytes/ASCII.swift", "PureECDSA/Field/Limbs.swift", "PureProcessor/CPUID.swift",
                "PureProcessor/IFMA.swift",
                "PureRSA/MontgomeryKernel.swift", "PureSHA2/HashFunction.swift", "PureSHA2/SHA2Message.swift",
                "PureSHA2/SHA2State.swift",
                "PureSHA2/UnsafeBytes.swift",
                "PureSHA2Hardware/SHA256Blocks.swift",
            ])
    }
}
