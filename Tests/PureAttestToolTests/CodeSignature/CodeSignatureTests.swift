import DebugSampling
import Foundation
import PureBytes
import PureSHA2
import Testing

@testable import pure_attest

@Suite("Code signatures")
struct CodeSignatureTests {
    @Test func hashesTheCodeDirectory() throws {
        let file = SignedFile()
        let code = try onlyCode(file.bytes)
        #expect(code.codeDirectoryHash == Array(SHA256.hash(data: file.blob(0).bytes)))
        #expect(code.directory.identifier == "com.example.demo")
        #expect(code.directory.teamIdentifier == "TEAM123456")
        #expect(code.directory.pageHashCount == 4)
        #expect(code.file.header.architecture.name == "arm64")
        #expect(code.file.header.isExecutable)
        #expect(code.file.platforms == [MachOFile.Platform(number: 2, minimumVersion: 0x001a_0000)])
        #expect(!code.file.isEncrypted)
    }

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func everyLayoutIsRead(isLittleEndian: Bool, is64: Bool) throws {
        var file = SignedFile()
        (file.isLittleEndian, file.is64) = (isLittleEndian, is64)
        (file.cpuType, file.cpuSubtype) = is64 ? (0x0100_0007, 0x8000_0003) : (18, 0)
        let code = try onlyCode(file.bytes)
        #expect(code.file.header.architecture.name == (is64 ? "x86_64" : "ppc"))
        #expect(code.directory.codeLimit == UInt64(file.codeLimit))
    }

    @Test func everyVersionIsRead() throws {
        for version: UInt32 in [0x2_0001, 0x2_0100, 0x2_0200, 0x2_0300, 0x2_0400, 0x2_0500, 0x2_f000] {
            var file = SignedFile()
            file.directories[0].version = version
            if version < 0x2_0200 { file.directories[0].team = nil }
            let code = try onlyCode(file.bytes)
            #expect(code.directory.version == version)
            #expect(code.directory.teamIdentifier == (version < 0x2_0200 ? nil : "TEAM123456"))
        }
        for version: UInt32 in [0, 0x2_0000, 0x2_f001, .max] {
            var file = SignedFile()
            file.directories[0].version = version
            expect(file.bytes, .unsupportedVersion(version))
        }
    }

    /// The kernel and codesign prefer SHA-384, then SHA-256, truncated SHA-256 and SHA-1, in any order of slots.
    @Test func theStrongestCodeDirectoryCounts() throws {
        let order: [UInt8] = [1, 3, 2, 4]
        for mask in 1..<16 {
            let types = order.filter { mask & 1 << Int($0 - 1) != 0 }
            for types in [types, types.reversed()] {
                var file = SignedFile()
                file.directories = types.enumerated().map { index, type in
                    TestDirectory(slot: index == 0 ? 0 : 0xfff + UInt32(index), hashType: type)
                }
                guard mask != 1 else {
                    expect(file.bytes, .onlySHA1)
                    continue
                }
                let strongest = try #require(order.last { types.contains($0) })
                let code = try onlyCode(file.bytes)
                #expect(code.directory.hashType.rawValue == strongest)
                #expect(code.hashTypes.map(\.rawValue) == types)
                let slot = try #require(file.directories.first { $0.hashType == strongest }).slot
                #expect(code.codeDirectoryHash == Array(SHA256.hash(data: file.blob(slot).bytes)))
            }
        }
    }

    /// The last slot for an alternate CodeDirectory is 0x1004. Operating systems ignore slot 0x1005.
    @Test func readsOnlyCodeDirectorySlots() throws {
        for slot: UInt32 in [0x1004, 0x1005, 0xfff] {
            var file = SignedFile()
            file.directories.append(TestDirectory(slot: slot, hashType: 4))
            if slot == 0xfff {
                // 0xfff is a special slot, so each CodeDirectory must contain the hash of the blob in this slot.
                expect(file.bytes, .unsignedContent(slot: 0xfff))
            } else {
                #expect(try onlyCode(file.bytes).directory.hashType == (slot == 0x1004 ? .sha384 : .sha256))
            }
        }
        var file = SignedFile()
        file.directories = [TestDirectory(slot: 0x1000)]
        expect(file.bytes, .noCodeDirectory)
    }

    @Test func twoCodeDirectoriesOfOneHashAreRejected() {
        var file = SignedFile()
        file.directories.append(TestDirectory(slot: 0x1000, flags: 2))
        expect(file.bytes, .repeatedHashType(.sha256))
    }

    @Test func pagesAreOfAnySizeAndTheLastMayBeShort() throws {
        for (shift, count): (UInt8, UInt32) in [(0, 1), (1, 127), (2, 64), (5, 8), (8, 1), (12, 1), (30, 1)] {
            var file = SignedFile()
            file.content = [UInt8](repeating: 7, count: 253 - file.codeLimit + file.content.count)
            file.directories[0].pageShift = shift
            let code = try onlyCode(file.bytes)
            #expect(code.directory.pageHashCount == count)
            #expect(code.directory.pageByteCount == (shift == 0 ? nil : 1 << UInt64(shift)))
            expect(file.bytes.flipped(at: file.codeLimit - 1), .pageMismatch(count - 1, of: count))
        }
        // The file is larger than one read, so some pages span two reads.
        var file = SignedFile()
        file.content = [UInt8](repeating: 5, count: 2_200_000)
        file.directories[0].pageShift = 15
        #expect(try onlyCode(file.bytes).directory.pageHashCount == 68)
        expect(file.bytes.flipped(at: 1 << 20), .pageMismatch(32, of: 68))
    }

    @Test func theWideLimitWins() throws {
        var file = SignedFile()
        file.directories[0].codeLimit64 = UInt64(file.codeLimit)
        #expect(try onlyCode(file.bytes).directory.codeLimit == UInt64(file.codeLimit))
        file.directories[0].codeLimit64 = .max
        expect(file.bytes, .pageHashCount(4, codeLimit: .max, pageByteCount: 64))
    }

    /// A flipped bit in signed bytes is detected. Any other flipped bit is detected or does not change the hash.
    @Test func everyFlippedByteShows() throws {
        let file = SignedFile()
        let bytes = file.bytes
        let original = try onlyCode(bytes).codeDirectoryHash
        for offset in bytes.indices {
            let outcome = Swift.Result { try onlyCode(bytes.flipped(at: offset)) }
            if offset < file.codeLimit {
                #expect(throws: CodeFileError.self, "\(offset)") { try outcome.get() }
            } else if let code = try? outcome.get(), code.codeDirectoryHash == original {
                // The CMS signature is not read, so its index entry, its blob and the padding may change.
                let cms = file.blob(0x1_0000)
                let entry = file.codeLimit + 12 + 8 * 4
                #expect(offset >= cms.offset || (entry..<entry + 8).contains(offset), "\(offset)")
            }
        }
    }

    @Test func everyFlippedPageIsNamed() {
        let file = SignedFile()
        let bytes = file.bytes
        for offset in file.codeLimit - file.content.count..<file.codeLimit {
            expect(bytes.flipped(at: offset), .pageMismatch(UInt32(offset / 64), of: 4))
        }
    }

    @Test func everyTruncationIsAnError() {
        for bytes in [SignedFile().bytes, SignedFile.fat([SignedFile()])] {
            // A fat file may contain bytes after its last architecture.
            let rest = bytes.count == SignedFile().bytes.count ? 0 : 4
            for count in 0..<bytes.count - rest {
                #expect(throws: CodeFileError.self, "\(count)") { try onlyCode(Array(bytes[..<count])) }
            }
        }
    }

    /// With extreme numbers in any position of a header, reading fails or gives a hash.
    @Test func extremeNumbersDoNotTrap() throws {
        var file = SignedFile()
        file.directories.append(TestDirectory(slot: 0x1000, hashType: 3))
        let extremes =
            [0, 1, 0x7fff_ffff, 0x8000_0000, .max].map { bigEndian($0 as UInt32) }
            + [0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, .max].map { bigEndian($0 as UInt64) }
        let sample = debugSample(extremes, every: 10, of: "extreme numbers")
        var runs = 0
        // In fat files, changes only the bytes before the first contained file, such as the list of architectures.
        for (bytes, start) in [
            (file.bytes, 0), (SignedFile.fat([file]), 40), (SignedFile.fat([file], is64: true), 52),
        ] {
            let signed = start..<start + file.codeLimit
            for extreme in sample {
                for offset in 0..<(start == 0 ? bytes.count - extreme.count : start) {
                    let changed = bytes.replacing(at: offset, extreme)
                    let code = try? onlyCode(changed)
                    if changed[signed] != bytes[signed] { #expect(code == nil, "\(extreme) at \(offset)") }
                    runs += 1
                }
            }
        }
        #expect(runs * extremes.count > 7_000 * sample.count)
    }

    @Test func specialSlotsAreChecked() throws {
        var file = SignedFile()
        file.blobs[8] = SignedFile.blob(0xfade_8181, [1, 2, 3])
        let checked = try results(file.bytes)[0].outcome.get().specialSlots
        #expect(checked.map(\.number) == [2, 5, 7, 8])
        #expect(checked.allSatisfy { $0.isChecked })
        for slot: UInt32 in [2, 5, 7, 8] {
            let blob = file.blob(slot)
            expect(file.bytes.flipped(at: blob.offset + 8), .contentMismatch(slot: slot))
            // The CodeDirectory contains the blob's hash, but the blob is missing.
            var without = file
            without.directories[0].files[slot] = without.blobs.removeValue(forKey: slot)
            expect(without.bytes, .missingContent(slot: slot))
            // The blob is present, but its hash in the CodeDirectory is all zeros.
            let directory = file.blob(0)
            let hash = TestDirectory().hash(blob.bytes)
            let at = try #require(directory.bytes.firstRange(of: hash)).lowerBound + directory.offset
            expect(file.bytes.replacing(at: at, [UInt8](repeating: 0, count: 32)), .unsignedContent(slot: slot))
            expect(file.bytes.replacing(at: blob.offset, [0xfa, 0xde, 0, 0]), .malformedBlob(slot: slot))
        }
    }

    /// Slot 6 contains a file in a wrapper, and the hash covers only this file.
    @Test func theContentOfAWrapperIsHashed() throws {
        var file = SignedFile()
        file.blobs[6] = SignedFile.blob(0xfade_0b01, [1, 2, 3])
        expect(file.bytes, .contentMismatch(slot: 6))
        let hash = TestDirectory().hash([1, 2, 3])
        let directory = file.blob(0)
        let wrong = TestDirectory().hash(file.blobs[6] ?? [])
        let at = try #require(directory.bytes.firstRange(of: wrong)).lowerBound + directory.offset
        _ = try onlyCode(file.bytes.replacing(at: at, hash))
    }

    @Test func filesBesideTheExecutableAreChecked() throws {
        let info: [UInt8] = [1, 2, 3], resources: [UInt8] = [4, 5]
        func surroundings(_ info: [UInt8], _ resources: [UInt8]?) -> SignedCode.Surroundings {
            SignedCode.Surroundings(infoPlist: MemorySource(info), codeResources: resources.map(MemorySource.init))
        }
        var file = SignedFile()
        for directories in [[TestDirectory()], [TestDirectory(hashType: 3), TestDirectory(slot: 0x1000, hashType: 4)]] {
            file.directories = directories
            for index in directories.indices { file.directories[index].files = [1: info, 3: resources] }
            let slots = try results(file.bytes, surroundings(info, resources))[0].outcome.get().specialSlots
            #expect(slots.map(\.number) == [1, 2, 3, 5, 7])
            #expect(slots.allSatisfy { $0.isChecked })
            let alone = try results(file.bytes)[0].outcome.get().specialSlots
            #expect(alone.filter { !$0.isChecked }.map(\.number) == [1, 3])
            expect(file.bytes, .contentMismatch(slot: 1), surroundings([1, 2], resources))
            expect(file.bytes, .contentMismatch(slot: 3), surroundings(info, []))
            expect(file.bytes, .missingContent(slot: 3), surroundings(info, nil))
        }
        file.directories = [TestDirectory(files: [1: info])]
        expect(file.bytes, .unsignedContent(slot: 3), surroundings(info, resources))
        _ = try onlyCode(file.bytes, surroundings(info, nil))
        expect(SignedFile().bytes, .unsignedContent(slot: 1), surroundings(info, resources))
    }

    @Test func encryptionAndFlagsAreReported() throws {
        var file = SignedFile()
        file.directories[0].flags = 0x3_0002 | 0x4000_0000
        #expect(try onlyCode(file.bytes).directory.flagNames == ["adhoc", "runtime", "linker-signed", "0x40000000"])
        for command: [UInt32] in [[0x2c, 24, 0, 0, 1, 0], [0x21, 20, 0, 0, 1]] {
            file.commands.append(command)
            #expect(try onlyCode(file.bytes).file.isEncrypted)
            file.commands[1][4] = 0
            #expect(try !onlyCode(file.bytes).file.isEncrypted)
            file.commands.removeLast()
        }
        file.commands = [[0x24, 16, 0x000a_0f01, 0], [0x25, 16, 0x0010_0000, 0], [0x2f, 16, 1, 0]]
        let platforms = try onlyCode(file.bytes).file.platforms
        #expect(platforms.map(\.name) == ["macOS", "iOS"])
        #expect(platforms.map(\.minimumVersionText) == ["10.15.1", "16.0"])
    }
}

func expect(
    _ bytes: [UInt8], _ error: CodeFileError, _ surroundings: SignedCode.Surroundings? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(throws: error, sourceLocation: sourceLocation) { try onlyCode(bytes, surroundings) }
}
