import Foundation
import PureBytes
import PureSHA2
import Testing

@testable import pure_attest

@Suite("cdhash")
struct CDHashTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ path: String, _ content: [UInt8]) throws -> String {
        let file = folder.url.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content).write(to: file)
        return file.path
    }

    private static func hash(_ file: SignedFile) -> String { hexEncodedString(SHA256.hash(data: file.blob(0).bytes)) }

    private static let resources = Array("resources".utf8)

    /// Returns the files of an app, keyed by their paths in the app folder.
    private static func app(
        isMac: Bool = false, _ change: (inout SignedFile) -> Void = { _ in }
    ) throws -> (files: [String: [UInt8]], hash: String) {
        let values = ["CFBundleExecutable": "Demo", "CFBundleIdentifier": "com.example.demo", "CFBundleVersion": "42"]
        let info = try AppBundleTests.info(values)
        var file = SignedFile()
        file.directories[0].files = [1: info, 3: resources]
        change(&file)
        let contents = isMac ? "Contents/" : ""
        return (
            [
                contents + "Info.plist": info, contents + "_CodeSignature/CodeResources": resources,
                (isMac ? "Contents/MacOS/" : "") + "Demo": file.bytes,
            ], hash(file)
        )
    }

    private func write(_ name: String, app files: [String: [UInt8]]) throws -> String {
        for (path, content) in files { _ = try write("\(name)/\(path)", content) }
        return folder.url.appending(path: name).path
    }

    private func reject(
        _ path: String, _ status: Int32, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try Tool.run("cdhash", path)
        #expect(result.status == status, sourceLocation: sourceLocation)
        #expect(result.isOneLineOfError, sourceLocation: sourceLocation)
        let start = status == 1 ? "refused: \(path): " : "pure-attest: \(path): "
        #expect(result.error == "\(start)\(reason)\n", sourceLocation: sourceLocation)
    }

    @Test func aLineForEachArchitecture() throws {
        var intel = SignedFile()
        (intel.cpuType, intel.cpuSubtype, intel.directories[0].flags) = (0x0100_0007, 3, 0x1_0000)
        var other = SignedFile()
        other.cpuSubtype = 0x8000_0002
        other.directories[0].team = nil
        other.directories[0].flags = 0x2_0002
        let result = try Tool.run("cdhash", write("fat", SignedFile.fat([intel, other])))
        #expect(result.status == 0)
        #expect(result.error.isEmpty)
        #expect(
            result.output == """
                x86_64  \(Self.hash(intel))  com.example.demo  TEAM123456  (hardened runtime)
                arm64e  \(Self.hash(other))  com.example.demo  no team  (signed ad hoc; signed by the linker)

                """)
    }

    @Test func remarksArePrinted() throws {
        var file = SignedFile()
        file.fileType = 6
        file.commands.append([0x2c, 24, 0, 0, 1, 0])
        file.directories[0].hashType = 4
        file.directories[0].files = [1: [1], 3: [2]]
        let result = try Tool.run("cdhash", write("file", file.bytes))
        #expect(
            result.output == """
                arm64  \(Self.hash(file))  com.example.demo  TEAM123456  (not an executable: devices attest the app's main executable; \
                encrypted by the store: the page hashes cover the encrypted pages and match; \
                the code directory uses SHA-384; devices attest SHA-256 (type 2); \
                not checked, because missing: Info.plist, CodeResources)

                """)
    }

    @Test func identifiersAreShownAndNotSent() throws {
        var file = SignedFile()
        file.directories[0].identifier = "a\u{1b}[31m\nb\u{202e}"
        let path = try write("file", file.bytes)
        let result = try Tool.run("cdhash", path)
        #expect(result.output.hasSuffix(#"  a\u{1b}[31m\u{a}b\u{202e}  TEAM123456"# + "\n"))
        #expect(try !Tool.run("cdhash", path, "--json").output.utf8.contains(0x1b))
    }

    /// Programs rely on the keys of the JSON output, so these keys must not change.
    @Test func jsonHasStableKeys() throws {
        let (files, hash) = try Self.app { $0.directories.append(TestDirectory(slot: 0x1000, hashType: 3)) }
        let result = try Tool.run("cdhash", "--json", write("Demo.app", app: files))
        #expect(result.status == 0)
        let json = try result.json()
        #expect(Set(json.keys) == ["file", "kind", "executable", "bundleIdentifier", "bundleVersion", "architectures"])
        #expect(json["kind"] as? String == "app")
        #expect(json["executable"] as? String == "Demo")
        #expect(json["bundleIdentifier"] as? String == "com.example.demo")
        #expect(json["bundleVersion"] as? String == "42")
        let architecture = try #require((json["architectures"] as? [[String: Any]])?.first)
        #expect(
            Set(architecture.keys) == [
                "architecture", "reason", "codeDirectoryHash", "truncatedHash", "identifier", "teamIdentifier",
                "hashType",
                "hashTypes", "version", "flags", "platformIdentifier", "platforms", "isExecutable", "isEncrypted",
                "codeLimit",
                "pageSize", "pageCount", "specialSlots",
            ])
        #expect(architecture["architecture"] as? String == "arm64")
        #expect(architecture["reason"] is NSNull)
        #expect(architecture["codeDirectoryHash"] as? String == hash)
        #expect(architecture["truncatedHash"] as? String == String(hash.prefix(40)))
        #expect(architecture["hashTypes"] as? [String] == ["SHA-256", "SHA-256 truncated to 20 bytes"])
        #expect(architecture["pageCount"] as? Int == 4)
        let slots = try #require(architecture["specialSlots"] as? [[String: Any]])
        #expect(slots.map { $0["slot"] as? Int } == [-1, -2, -3, -5, -7])
        #expect(slots.allSatisfy { $0["isChecked"] as? Bool == true })
        let platforms = try #require(architecture["platforms"] as? [[String: String]])
        #expect(platforms == [["platform": "iOS", "minimumVersion": "26.0"]])
    }

    /// codesign and the kernel hash a code directory with its own hash function, and keep 20 bytes.
    @Test func theTruncatedHashIsOfTheDirectorysOwnType() throws {
        for type: UInt8 in [2, 3, 4] {
            var file = SignedFile()
            file.directories[0].hashType = type
            let result = try Tool.run("cdhash", "--json", write("\(type)", file.bytes))
            #expect(result.status == 0)
            let json = try result.json()
            let architecture = try #require((json["architectures"] as? [[String: Any]])?.first)
            #expect(architecture["codeDirectoryHash"] as? String == Self.hash(file))
            let own = file.directories[0].hash(file.blob(0).bytes).prefix(20)
            #expect(architecture["truncatedHash"] as? String == hexEncodedString(own), "\(type)")
        }
    }

    @Test func appsAndArchivesAreRead() throws {
        for isMac in [false, true] {
            let (files, hash) = try Self.app(isMac: isMac)
            let line = "arm64  \(hash)  com.example.demo  TEAM123456\n"
            let app = try write("\(isMac).app", app: files)
            for path in [app, app + "/"] { #expect(try Tool.run("cdhash", path).output == line) }
            for isDeflated in [false, true] {
                let entries = files.sorted { $0.key < $1.key }.map { path, content in
                    TestArchive.File(
                        "Payload/Demo.app/\(path)", content,
                        deflated: isDeflated ? TestArchive.storedBlocks(content) : nil)
                }
                let ipa = try write("Demo.ipa", TestArchive(entries).bytes)
                let result = try Tool.run("cdhash", ipa)
                #expect(result.output == line)
                #expect(result.status == 0)
                #expect(try Tool.run("cdhash", "--json", ipa).output.contains(#""kind": "ipa""#))
            }
        }
    }

    /// Status 1 means that the file differs from the signed file, and status 2 that no comparison was possible.
    @Test func everyRejectionIsOneLineWithItsStatus() throws {
        let good = SignedFile()
        try reject(write("page", good.bytes.flipped(at: 130)), 1, "arm64: page 3 of 4 does not match its signed hash")
        try reject(
            write("blob", good.bytes.flipped(at: good.blob(5).offset + 8)), 1,
            "arm64: does not match its signed hash: entitlements")
        var file = good
        file.isSigned = false
        try reject(
            write("unsigned", file.bytes), 2, "arm64: it is not signed: there is no load command LC_CODE_SIGNATURE")
        try reject(write("text", Array("#!/bin/sh\n".utf8)), 2, "it is neither a Mach-O file nor an app")
        try reject(write("empty", []), 2, "it ends before the header of a Mach-O file does")
        try reject(write("cut", Array(good.bytes[..<300])), 2, "arm64: it ends before the signature does")
        file = good
        file.directories[0].hashType = 1
        try reject(
            write("old", file.bytes), 2,
            "arm64: its only code directory uses SHA-1, which is not supported: sign the file again with SHA-256 (codesign)"
        )
        try reject(folder.url.path, 2, "the folder is not an app: it has no Info.plist, nor has its folder Contents")
        try reject(folder.url.path + "/missing", 2, "it cannot be read: no such file or folder")
        let sparse = try write("sparse", [])
        try #require(unsafe truncate(sparse, 8 << 30 + 1) == 0)
        try reject(sparse, 2, "it cannot be read: larger than 8 GB")
        try reject("/dev/zero", 2, "it cannot be read: neither a file nor a folder")

        var (files, _) = try Self.app()
        files["Info.plist"]?.append(10)
        try reject(write("info.app", app: files), 1, "arm64: does not match its signed hash: Info.plist")
        files = try Self.app().files
        files["_CodeSignature/CodeResources"] = nil
        try reject(write("resources.app", app: files), 1, "arm64: signed but missing: CodeResources")
        try reject(
            write("Empty.ipa", TestArchive([TestArchive.File("a", [])]).bytes), 2,
            "the archive has no folder Payload with an .app in it")
        let entries = files.map { TestArchive.File("Payload/Demo.app/\($0)", $1) }
        let bytes = TestArchive(entries).bytes
        let page = try #require(bytes.firstRange(of: SignedFile().content)).lowerBound
        try reject(
            write("Damaged.ipa", bytes.flipped(at: page)), 2,
            "the checksum (CRC-32) of a file in the archive differs from its directory entry")
    }

    /// Every matching architecture is printed, even if another is rejected. The worst outcome gives the status.
    @Test func oneArchitectureOfSeveralIsRejected() throws {
        var unsigned = SignedFile()
        (unsigned.cpuType, unsigned.cpuSubtype, unsigned.isSigned) = (0x0100_0007, 3, false)
        let line = "arm64  \(Self.hash(SignedFile()))  com.example.demo  TEAM123456\n"
        let path = try write("fat", SignedFile.fat([unsigned, SignedFile()]))
        let result = try Tool.run("cdhash", path)
        #expect(result.status == 2)
        #expect(result.output == line)
        let reason = "it is not signed: there is no load command LC_CODE_SIGNATURE"
        #expect(result.error == "pure-attest: \(path): x86_64: \(reason)\n")
        let object = try Tool.run("cdhash", "--json", path).json()
        let first = try #require((object["architectures"] as? [[String: Any]])?.first)
        #expect(first["reason"] as? String == reason)
        #expect(first["codeDirectoryHash"] is NSNull && first["truncatedHash"] is NSNull)

        var other = SignedFile()
        other.cpuSubtype = 2
        let bytes = SignedFile.fat([SignedFile(), other, unsigned])
        let start = try #require(bytes.firstRange(of: other.bytes)).lowerBound
        let both = try Tool.run("cdhash", write("both", bytes.flipped(at: start + 200)))
        #expect(both.status == 1)
        #expect(both.output == line)
        #expect(both.error.split(separator: "\n").count == 2)
    }

    /// Property lists at the depth limit do not exhaust the stack of the process.
    @Test func aDeepInfoPlistIsReadOrRejected() throws {
        let deepest = AppBundle.maximumContainerCount - 2
        for (count, reason) in [
            (deepest, "the executable that Info.plist names is missing"),
            (deepest + 1, "Info.plist is not a binary or XML property list"),
        ] {
            let dictionaries = repeatElement("<dict><key>a</key>", count: count).joined() + "<true/>"
            let ends = repeatElement("</dict>", count: count).joined()
            let info =
                "<plist><dict><key>CFBundleExecutable</key><string>Demo</string><key>a</key>\(dictionaries)\(ends)</dict></plist>"
            try reject(write("Demo.app", app: ["Info.plist": Array(info.utf8)]), 2, reason)
        }
    }

    /// Opening a pipe that has no writer would block.
    @Test func aPipeInAnAppDoesNotBlock() throws {
        let files = try Self.app().files
        for name in ["Info.plist", "Demo"] {
            let path = try write("pipe-\(name).app", app: files)
            try FileManager.default.removeItem(atPath: path + "/" + name)
            try #require(unsafe mkfifo(path + "/" + name, 0o600) == 0)
            try reject(path, 2, "it cannot be read: neither a file nor a folder")
        }
    }
}
