import Foundation
import Testing

@testable import pure_attest

/// Tests the reader of .ipa files.
@Suite("ZIP archives")
struct ZipArchiveTests {
    private func archive(_ bytes: [UInt8]) throws(CodeFileError) -> ZipArchive { try ZipArchive(MemorySource(bytes)) }

    private func content(_ archive: TestArchive, _ name: String = "a") throws -> [UInt8] {
        let source = try #require(try self.archive(archive.bytes).file(Array(name.utf8)))
        let content = try source.read(0..<source.byteCount)
        try source.checkIntegrity()
        return content
    }

    private func expect(
        _ archive: TestArchive, _ error: ZipError, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: CodeFileError.archive(error), sourceLocation: sourceLocation) { try content(archive) }
    }

    private static let text = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) })

    private static func deflated() -> TestArchive.File {
        TestArchive.File("a", text, deflated: TestArchive.storedBlocks(text))
    }

    @Test func storedAndDeflatedFilesAreRead() throws {
        for file in [TestArchive.File("a", Self.text), Self.deflated()] {
            var archive = TestArchive([TestArchive.File("b", [1]), file, TestArchive.File("a/", [])])
            #expect(try content(archive) == Self.text)
            archive.comment = [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 65_531)
            #expect(try content(archive) == Self.text)
            #expect(try self.archive(archive.bytes).file(Array("c".utf8)) == nil)
        }
        // The check value of this CRC-32, computed over "123456789", in G. Cook's catalogue.
        var crc = CRC32()
        crc.update(Array("123456789".utf8))
        #expect(crc.value == 0xcbf4_3926)
    }

    /// Parts can be read in any order. Only reading at an earlier offset restarts the decompression.
    @Test func aFileCanBeReadInParts() throws {
        for file in [TestArchive.File("a", Self.text), Self.deflated()] {
            let source = try #require(
                try archive(TestArchive([file]).bytes).file(Array("a".utf8)) as? ZipEntrySource)
            for range: Range<UInt64> in [0..<4, 0..<28, 28..<70_000, 199_999..<200_000] {
                #expect(try source.read(range) == Array(Self.text[Int(range.lowerBound)..<Int(range.upperBound)]))
            }
            #expect(source.passCount == 1)
            #expect(try source.read(5..<7) == Array(Self.text[5..<7]))
            #expect(source.passCount == 2)
            try source.checkIntegrity()
            #expect(source.passCount == 2)
        }
    }

    /// A file is decompressed twice, whatever the number of its architectures and the size of each read.
    @Test func aFatFileIsDecompressedTwice() throws {
        let files = (0..<6).map { index in
            var file = SignedFile()
            file.cpuSubtype = UInt32(index)
            file.content = [UInt8](repeating: UInt8(index), count: 90_001 + 7 * index)
            file.directories[0].pageShift = 12
            return file
        }
        let bytes = SignedFile.fat(files)
        let archive = TestArchive([TestArchive.File("a", bytes, deflated: TestArchive.storedBlocks(bytes))]).bytes
        let source = try #require(try self.archive(archive).file(Array("a".utf8)) as? ZipEntrySource)
        let results = try SignedCode.results(of: source, nil)
        #expect(results.allSatisfy { (try? $0.outcome.get()) != nil } && results.count == 6)
        #expect(source.passCount == 2)
    }

    @Test func entriesMustMatchTheDirectory() throws {
        for file in [TestArchive.File("a", Self.text), Self.deflated()] {
            var wrong = file
            wrong.checksum = 7
            expect(TestArchive([wrong]), .checksumMismatch)
            for flags: UInt16 in [1, 0x40, 0x2000] {
                wrong = file
                wrong.flags = flags
                expect(TestArchive([wrong]), .encrypted)
            }
            wrong = file
            wrong.localName = "b"
            expect(TestArchive([wrong]), .malformedEntry)
            wrong.localName = "aa"
            expect(TestArchive([wrong]), .malformedEntry)
            wrong = file
            wrong.localMethod = 9
            expect(TestArchive([wrong]), .malformedEntry)
            wrong = file
            wrong.offset = 1
            expect(TestArchive([wrong]), .malformedEntry)
            wrong.disk = 1
            expect(TestArchive([wrong]), .severalDisks)
            expect(TestArchive([file, file]), .repeatedEntry)
        }
        var wrong = Self.deflated()
        wrong.deflated?[150_000] ^= 1
        expect(TestArchive([wrong]), .checksumMismatch)
        wrong = Self.deflated()
        for size: UInt32 in [0, 199_999, 200_001] {
            wrong.byteCount = size
            expect(TestArchive([wrong]), .sizeMismatch)
        }
        wrong.byteCount = UInt32(Inflater.maximumRatio) * UInt32(wrong.deflated?.count ?? 0) + 1
        expect(TestArchive([wrong]), .impossibleSize)
        wrong = TestArchive.File("a", Self.text)
        wrong.byteCount = 199_999
        expect(TestArchive([wrong]), .impossibleSize)
        for method: UInt16 in [1, 9, 12, 14, 93, 95, 99] {
            wrong = Self.deflated()
            wrong.method = method
            expect(TestArchive([wrong]), .unsupportedMethod(method))
        }
        wrong = Self.deflated()
        wrong.deflated?[0] = 7
        #expect(throws: CodeFileError.inflate(.reservedBlockType)) { try content(TestArchive([wrong])) }
        // An entry's content must end before the central directory, not only before the end of the archive.
        wrong = TestArchive.File("a", Self.text)
        (wrong.compressedByteCount, wrong.byteCount) = (200_001, 200_001)
        #expect(throws: CodeFileError.truncated(.archiveEntry)) { try content(TestArchive([wrong])) }
    }

    @Test func theDirectoryIsChecked() throws {
        let file = TestArchive.File("a", [1, 2, 3])
        let good = TestArchive([file]).bytes
        #expect(throws: CodeFileError.archive(.noEndOfDirectory)) { try archive(good + [0]) }
        for count in 0..<good.count {
            #expect(throws: CodeFileError.self, "\(count)") { try archive(Array(good[..<count])) }
        }
        var wrong = TestArchive([file])
        wrong.gap = [0]
        expect(wrong, .malformedDirectory)
        wrong.gap = [0x50, 0x4b, 6, 7] + [UInt8](repeating: 0, count: 16)
        expect(wrong, .zip64)
        wrong.gap = []
        wrong.disk = 1
        expect(wrong, .severalDisks)
        wrong.disk = .max
        expect(wrong, .zip64)
        wrong.disk = 0
        wrong.count = 0
        expect(wrong, .malformedDirectory)
        wrong.count = 2
        #expect(throws: CodeFileError.truncated(.archiveDirectory)) { try archive(wrong.bytes) }
        wrong.count = .max
        expect(wrong, .zip64)
        wrong = TestArchive([file])
        wrong.directoryByteCount = .max
        expect(wrong, .zip64)
        wrong.directoryByteCount = 3
        expect(wrong, .malformedDirectory)
        for change in [\TestArchive.File.byteCount, \.compressedByteCount, \.offset] {
            wrong = TestArchive([file])
            wrong.files[0][keyPath: change] = .max
            expect(wrong, .zip64)
        }
        #expect(throws: CodeFileError.archive(.noEndOfDirectory)) { try archive([]) }
    }

    /// With extreme numbers or flipped bits, reading gives an error or the same file, and never traps.
    @Test func mutatedArchivesDoNotTrap() throws {
        let content = Array("hello, hello, hello".utf8)
        let stream = [UInt8](try #require(Data(base64Encoded: "y0jNycnXUchAogA=")))
        let good = TestArchive([TestArchive.File("a", content, deflated: stream), TestArchive.File("b", [1])]).bytes
        for offset in good.indices {
            var mutants = (0..<8).map { good.replacing(at: offset, [good[offset] ^ 1 << UInt8($0)]) }
            for value: UInt32 in [0, 1, 0x7fff_ffff, 0x8000_0000, .max] where offset + 4 <= good.count {
                mutants.append(good.replacing(at: offset, littleEndian(value)))
            }
            for mutant in mutants {
                guard let source = try? archive(mutant).file([UInt8(ascii: "a")]),
                    let found = try? source.read(0..<source.byteCount), (try? source.checkIntegrity()) != nil
                else { continue }
                #expect(found == content, "\(offset)")
            }
        }
    }

    @Test func thereIsOneApp() throws {
        func folder(_ names: String...) throws -> String {
            String(
                decoding: try archive(TestArchive(names.map { TestArchive.File($0, []) }).bytes).appFolder(),
                as: UTF8.self)
        }
        #expect(try folder("Payload/", "Payload/A.app/", "Payload/A.app/A", "Symbols/B.app/B") == "Payload/A.app/")
        #expect(try folder("Payload/A.app/PlugIns/B.app/B") == "Payload/A.app/")
        for names in ["Payload/A.app", "A.app/A", "Payload/A.ap/A", "payload/A.app/A"] {
            #expect(throws: CodeFileError.archive(.noApp)) { try folder(names) }
        }
        #expect(throws: CodeFileError.archive(.severalApps)) { try folder("Payload/A.app/A", "Payload/B.app/B") }
    }
}
