import Foundation
import PureBytes
import Testing

@testable import pure_attest

/// Tests apps that are folders: the search for the executable, and the formats of Info.plist.
@Suite("App folders")
struct AppBundleTests {
    private struct Folder: AppFolder {
        var files: [String: [UInt8]]

        func file(_ path: String) throws(CodeFileError) -> (any ByteSource)? { files[path].map { MemorySource($0) } }
    }

    static func info(_ values: [String: Any], _ format: PropertyListSerialization.PropertyListFormat = .xml) throws
        -> [UInt8]
    {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0))
    }

    private func name(_ info: [UInt8]) throws(CodeFileError) -> String {
        try AppBundle(Folder(files: ["Info.plist": info, "Demo": []])).executablePath
    }

    @Test func everyLayoutIsFound() throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let info = try Self.info(
                [
                    "CFBundleExecutable": "Demo", "CFBundleIdentifier": "com.example.demo", "CFBundleVersion": "42",
                    "x": [1, 2.5],
                ],
                format)
            for (contents, executable) in [
                ("", "Demo"), ("Contents/", "Contents/MacOS/Demo"), ("WrappedBundle/", "WrappedBundle/Demo"),
            ] {
                let bundle = try AppBundle(Folder(files: [contents + "Info.plist": info, executable: [1]]))
                #expect(bundle.executablePath == executable)
                #expect(bundle.info.bundleIdentifier == "com.example.demo")
                #expect(bundle.info.bundleVersion == "42")
                #expect(throws: CodeFileError.missingExecutable) {
                    try AppBundle(Folder(files: [contents + "Info.plist": info]))
                }
            }
        }
        #expect(throws: CodeFileError.notApp) { try AppBundle(Folder(files: [:])) }
    }

    @Test func theExecutableIsAFileName() throws {
        for value in ["", ".", "..", "/bin/sh", "a/b", "../a", "a\u{0}"] {
            let info = try Self.info(["CFBundleExecutable": value], .binary)
            #expect(throws: CodeFileError.invalidExecutableName, "\(value)") { try name(info) }
        }
        for values: [String: Any] in [[:], ["CFBundleExecutable": 1], ["CFBundleExecutable": ["Demo"]]] {
            #expect(throws: CodeFileError.noExecutableName) { try name(Self.info(values)) }
        }
        // Entries of Info.plist that the tool does not use may have any type.
        #expect(try name(Self.info(["CFBundleExecutable": "Demo", "CFBundleVersion": 7])) == "Demo")
    }

    @Test func hostilePropertyListsAreAnError() throws {
        let good = try Self.info(["CFBundleExecutable": "Demo"])
        let head = Array(
            "<plist version=\"1.0\"><dict><key>CFBundleExecutable</key><string>Demo</string><key>a</key>".utf8)
        func nested(_ open: String, _ close: String, _ count: Int) -> [UInt8] {
            head
                + Array(
                    (String(repeating: open, count: count) + "<true/>" + String(repeating: close, count: count)
                        + "</dict></plist>")
                        .utf8)
        }
        for deep in [nested("<array>", "</array>", 30_000), nested("<dict><key>a</key>", "</dict>", 20_000)] {
            #expect(throws: CodeFileError.malformedInfoPlist) { try name(deep) }
        }
        #expect(try name(nested("<array>", "</array>", 400)) == "Demo")
        #expect(try name(nested("<dict><key>a</key>", "</dict>", 400)) == "Demo")
        let plists = Array((String(repeating: "<plist>", count: 60_000) + "<dict/>").utf8)
        #expect(throws: CodeFileError.malformedInfoPlist) { try name(plists) }
        #expect(try name([0xef, 0xbb, 0xbf, 10] + good) == "Demo")
        let wide: [UInt8] = good.flatMap { [$0, 0] as [UInt8] }
        let others: [[UInt8]] = [
            [], [0], Array("{CFBundleExecutable = Demo;}".utf8),
            Array("{CFBundleExecutable = Demo; a = \"<\";}".utf8), Array("bplist00".utf8), wide, [0xff, 0xfe] + wide,
            Array("<plist><dict>".utf8), Array("<array/>".utf8),
        ]
        for bytes in others {
            #expect(throws: CodeFileError.malformedInfoPlist) { try name(bytes) }
        }
        #expect(throws: CodeFileError.tooLarge(.infoPlist, limit: 1 << 20)) {
            try name(good + [UInt8](repeating: 32, count: 1 << 20))
        }
        // The binary property lists have nested arrays, a dictionary that contains itself, missing bytes or flipped
        // bits.
        func binary(_ objects: [[UInt8]]) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var offsets: [UInt8] = []
            for object in objects {
                offsets += bigEndian(UInt32(bytes.count))
                bytes += object
            }
            return bytes + offsets + [0, 0, 0, 0, 0, 0, 4, 4] + bigEndian(UInt64(objects.count)) + bigEndian(UInt64(0))
                + bigEndian(UInt64(bytes.count))
        }
        func reference(_ index: Int) -> [UInt8] { bigEndian(UInt32(index)) }
        let key: [UInt8] = [0x5f, 0x10, 18] + Array("CFBundleExecutable".utf8)
        let deep =
            [[0xd1] + reference(1) + reference(2), key] + (2..<60_000).map { [0xa1] + reference($0 + 1) } + [[0x09]]
        #expect(throws: CodeFileError.noExecutableName) { try name(binary(deep)) }
        #expect(throws: CodeFileError.noExecutableName) {
            try name(binary([[0xd1] + reference(1) + reference(0), key]))
        }
        // A count exceeds the file. First, it belongs to the outer dictionary. Then, it belongs to the value of
        // CFBundleExecutable, which is data, a string, an array, a set or a dictionary.
        let name0 = [0xd1] + reference(1) + reference(2)
        let huge: [UInt8] = [0x13] + bigEndian(UInt64(1) << 62)
        #expect(throws: CodeFileError.malformedInfoPlist) { try name(binary([[0xdf] + huge])) }
        for kind: UInt8 in [0x4f, 0x5f, 0x6f, 0xaf, 0xcf, 0xdf] {
            for count in [
                huge, [0x13] + bigEndian(UInt64.max), [0x10, 0x64] + [UInt8](repeating: 65, count: 20), [0x14],
            ] {
                #expect(throws: CodeFileError.malformedInfoPlist) { try name(binary([name0, key, [kind] + count])) }
            }
        }
        // The name has 100 bytes, but as UTF-16 it would need 200.
        let text: [UInt8] = [0x10, 100] + [UInt8](repeating: 65, count: 100)
        #expect(throws: CodeFileError.malformedInfoPlist) { try name(binary([name0, key, [0x6f] + text])) }
        #expect(throws: CodeFileError.missingExecutable) { try name(binary([name0, key, [0x5f] + text])) }
        let bytes = try Self.info(["CFBundleExecutable": "Demo", "a": ["b": [1, 2]]], .binary)
        for offset in bytes.indices {
            #expect(throws: CodeFileError.self) { try name(Array(bytes[..<offset])) }
            for bit in 0..<8 { _ = try? name(bytes.replacing(at: offset, [bytes[offset] ^ 1 << UInt8(bit)])) }
        }
    }
}
