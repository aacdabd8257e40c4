import Foundation
import PureBytes
import Testing

@testable import pure_attest

@Suite("Malformed signed files")
struct CodeFileErrorTests {
    private func expect(
        _ bytes: [UInt8], _ sentence: String, isMismatch: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            _ = try onlyCode(bytes)
            Issue.record("accepted", sourceLocation: sourceLocation)
        } catch let error as CodeFileError {
            #expect(describe(error) == sentence, sourceLocation: sourceLocation)
            #expect(error.isMismatch == isMismatch, sourceLocation: sourceLocation)
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
        }
    }

    @Test func filesThatAreNotMachO() {
        expect([], "it ends before the header of a Mach-O file does")
        expect([1, 2, 3], "it ends before the header of a Mach-O file does")
        expect([UInt8](repeating: 7, count: 100), "it is neither a Mach-O file nor an app")
        expect(SignedFile().bytes.replacing(at: 0, [0xce]), "it ends before the list of load commands does")
        expect(Array(SignedFile().bytes[..<27]), "it ends before the header of a Mach-O file does")
        expect(Array(SignedFile().bytes[..<60]), "it ends before the list of load commands does")
        let java: [UInt8] = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52] + [UInt8](repeating: 1, count: 2_000)
        expect(java, "it has 52 architectures (is it a Java class file?); the limit is 42")
    }

    @Test func loadCommands() throws {
        let unsigned = "it is not signed: there is no load command LC_CODE_SIGNATURE"
        var file = SignedFile()
        file.isSigned = false
        expect(file.bytes, unsigned)
        file.commands = []
        expect(file.bytes, unsigned)

        let bytes = SignedFile().bytes
        // Changes the number of load commands, their total length, and the size of the first command.
        expect(
            bytes.replacing(at: 16, littleEndian(UInt32(1))), "the number and the length of its load commands disagree")
        expect(bytes.replacing(at: 16, littleEndian(UInt32(3))), "it ends before the list of load commands does")
        expect(bytes.replacing(at: 16, littleEndian(UInt32.max)), "it ends before the list of load commands does")
        expect(
            bytes.replacing(at: 20, littleEndian(UInt32(1 << 20 + 1))),
            "the list of load commands is larger than the limit of 1048576 bytes")
        expect(bytes.replacing(at: 20, littleEndian(UInt32(1 << 20))), "it ends before the list of load commands does")
        for size: UInt32 in [0, 7] {
            expect(bytes.replacing(at: 36, littleEndian(size)), "its load command 0x32 is malformed")
        }
        expect(bytes.replacing(at: 36, littleEndian(UInt32.max)), "it ends before the list of load commands does")

        for (command, size) in [(0x32, 12), (0x24, 8), (0x21, 16), (0x2c, 16), (0x1d, 12), (0x1d, 20)]
            as [(UInt32, UInt32)]
        {
            file.commands = [[command, size] + [UInt32](repeating: 0, count: Int(size / 4 - 2))]
            expect(file.bytes, "its load command 0x\(String(command, radix: 16)) is malformed")
        }
        file = SignedFile()
        file.commands.append([0x1d, 16, 0, 0])
        expect(file.bytes, "its load command 0x1d is duplicated")

        // LC_CODE_SIGNATURE starts at byte 56. The command contains the offset and length of the signature.
        expect(bytes.replacing(at: 64, littleEndian(UInt32(71))), "its load command 0x1d is malformed")
        expect(bytes.replacing(at: 64, littleEndian(UInt32.max)), "it ends before the signature does")
        expect(bytes.replacing(at: 68, littleEndian(UInt32.max)), "it ends before the signature does")
        var large = SignedFile()
        let limit = CodeSignatureBlob.maximumByteCount
        large.padding = [UInt8](repeating: 0, count: limit)
        expect(large.bytes, "the signature is larger than the limit of 67108864 bytes")
        // The limit applies to the total size of both architectures.
        large.padding = [UInt8](repeating: 0, count: limit / 2)
        var other = large
        other.cpuSubtype = 2
        let both = try results(SignedFile.fat([large, other]))
        #expect(throws: Never.self) { try both[0].outcome.get() }
        #expect(throws: CodeFileError.tooLarge(.codeSignature, limit: limit)) { try both[1].outcome.get() }
    }

    @Test func fatFiles() throws {
        var intel = SignedFile()
        (intel.cpuType, intel.cpuSubtype) = (0x0100_0007, 3)
        let fat = SignedFile.fat([SignedFile(), intel])
        for bytes in [fat, SignedFile.fat([SignedFile(), intel], is64: true)] {
            #expect(try results(bytes).map { $0.architecture?.name } == ["arm64", "x86_64"])
            #expect(try results(bytes).allSatisfy { (try? $0.outcome.get()) != nil })
        }
        expect(SignedFile.fat([]), "it is a fat file without architectures")
        expect(SignedFile.fat([intel, intel]), "it has x86_64 twice")
        var flagged = intel
        flagged.cpuSubtype = 0x8000_0003
        expect(SignedFile.fat([intel, flagged]), "it has x86_64 twice")
        expect(Array(fat[..<47]), "it ends before the list of architectures does")
        expect(fat.replacing(at: 16, bigEndian(UInt32.max)), "it ends before the part for arm64 does")
        expect(fat.replacing(at: 20, bigEndian(UInt32.max)), "it ends before the part for arm64 does")
        expect(fat.replacing(at: 16, bigEndian(UInt32(47))), "its part for arm64 overlaps another part")
        expect(fat.replacing(at: 36, bigEndian(UInt32(61))), "its part for x86_64 overlaps another part")
        let wide = SignedFile.fat([SignedFile()], is64: true)
        expect(wide.replacing(at: 16, bigEndian(UInt64.max)), "it ends before the part for arm64 does")
        expect(wide.replacing(at: 24, bigEndian(UInt64.max)), "it ends before the part for arm64 does")
        // The list of architectures names a different processor than the contained file. The highest byte of the
        // processor subtype consists of flags, which do not matter.
        expect(
            SignedFile.fat([intel]).replacing(at: 12, bigEndian(UInt32(8))), "the part listed as x86_64h is for x86_64")
        _ = try onlyCode(SignedFile.fat([intel]).replacing(at: 12, [0x80]))
        expect(
            SignedFile.fat([SignedFile()]).replacing(at: 40, [0, 0, 0, 0]), "it is neither a Mach-O file nor an app")
    }

    @Test func architecturesFailSeparately() throws {
        var unsigned = SignedFile()
        (unsigned.cpuType, unsigned.cpuSubtype, unsigned.isSigned) = (0x0100_0007, 3, false)
        var other = SignedFile()
        other.cpuSubtype = 2
        let bytes = SignedFile.fat([unsigned, SignedFile(), other])
        let all = try results(bytes.flipped(at: bytes.count - 500))
        #expect(all.map { $0.architecture?.name } == ["x86_64", "arm64", "arm64e"])
        #expect(throws: CodeFileError.unsigned) { try all[0].outcome.get() }
        #expect(try all[1].outcome.get().code.codeDirectoryHash == onlyCode(SignedFile().bytes).codeDirectoryHash)
        #expect(throws: CodeFileError.self) { try all[2].outcome.get() }
    }

    @Test func signatures() {
        let file = SignedFile()
        let bytes = file.bytes, start = file.codeLimit
        expect(bytes.flipped(at: start), "its signature is not an embedded signature (CSMAGIC_EMBEDDED_SIGNATURE)")
        for length in [0, 11, UInt32.max] {
            expect(bytes.replacing(at: start + 4, bigEndian(length)), "it ends before the signature does")
        }
        expect(
            bytes.replacing(at: start + 8, bigEndian(UInt32(33))), "it has 33 blobs in its signature; the limit is 32")
        // Changes the slot and the offset in the first entry of the blob index.
        expect(
            bytes.replacing(at: start + 12, bigEndian(UInt32(5))), "the blob of slot 0x5 in its signature is malformed")
        expect(bytes.replacing(at: start + 12, bigEndian(UInt32(99))), "its signature has no code directory in slot 0")
        expect(bytes.replacing(at: start + 20, bigEndian(UInt32(0))), "its signature has slot 0x0 twice")
        for offset in [0, 51, UInt32(bytes.count - start - 7), .max] {
            expect(
                bytes.replacing(at: start + 16, bigEndian(offset)), "the blob of slot 0x0 in its signature is malformed"
            )
        }
        let directory = file.blob(0).offset
        for length in [0, 7, UInt32.max] {
            expect(
                bytes.replacing(at: directory + 4, bigEndian(length)),
                "the blob of slot 0x0 in its signature is malformed")
        }
        expect(bytes.flipped(at: directory), "its signature has no code directory in slot 0")
    }

    @Test func codeDirectories() {
        let file = SignedFile()
        let at = file.blob(0).offset
        func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] { file.bytes.replacing(at: at + offset, bytes) }
        let cut = "it ends before the code directory does"
        for length: UInt32 in [8, 43, 63, 300] { expect(changed(4, bigEndian(length)), cut) }
        expect(changed(8, bigEndian(UInt32(0x3_0000))), "its code directory has the unknown version 0x30000")
        for offset: UInt32 in [0, 223, 10_000, .max] { expect(changed(16, bigEndian(offset)), cut) }
        for offset: UInt32 in [10_000, .max] {
            expect(changed(20, bigEndian(offset)), cut)
            expect(changed(48, bigEndian(offset)), cut)
        }
        let text = "the identifier or the team identifier in its code directory is empty or not UTF-8"
        expect(changed(20, bigEndian(UInt32(0))), text)
        expect(changed(48, bigEndian(UInt32(1))), text)
        expect(changed(88, [0]), text)
        expect(changed(88, [0xff]), text)
        expect(
            changed(24, bigEndian(UInt32(65))), "it has 65 special slots; the limit is 64")
        expect(changed(24, bigEndian(UInt32(64))), cut)
        expect(changed(28, bigEndian(UInt32.max)), cut)
        expect(
            changed(28, bigEndian(UInt32(3))), "its code directory has 3 page hashes for 222 bytes in pages of 64 bytes"
        )
        expect(
            changed(32, bigEndian(UInt32(0))), "its code directory has 4 page hashes for 0 bytes in pages of 64 bytes")
        for (size, type): (UInt8, UInt8) in [(20, 2), (32, 1), (32, 0), (32, 3), (32, 5), (0, 2), (255, 255)] {
            expect(
                changed(36, [size, type]),
                "its code directory has an unknown hash: type \(type), \(size) bytes")
        }
        expect(changed(39, [31]), "its code directory has pages of 2^31 bytes")
        expect(changed(39, [0]), "its code directory has 4 page hashes for 222 bytes in one page")
        expect(
            changed(44, bigEndian(UInt32(88))),
            "its code directory is scattered (it has a list of page ranges), which is not supported")
        var long = file
        long.directories[0].identifier = String(repeating: "a", count: 1_025)
        expect(long.bytes, "an identifier in the code directory is larger than the limit of 1024 bytes")
        var repeated = file
        repeated.directories.append(TestDirectory(slot: 0x1000))
        expect(repeated.bytes, "its signature has two code directories with SHA-256")
        var old = file
        old.directories[0].hashType = 1
        expect(
            old.bytes,
            "its only code directory uses SHA-1, which is not supported: sign the file again with SHA-256 (codesign)"
        )
    }

    /// The exit status for a mismatch differs from the exit status for a malformed file.
    @Test func mismatches() {
        var file = SignedFile()
        expect(file.bytes.flipped(at: 100), "page 2 of 4 does not match its signed hash", isMismatch: true)
        expect(file.bytes + [0], "1 unsigned bytes follow the signature", isMismatch: true)
        let entitlements = file.bytes.flipped(at: file.blob(5).offset + 9)
        expect(entitlements, "does not match its signed hash: entitlements", isMismatch: true)
        file.directories[0].codeLimit = UInt64(file.codeLimit - 1)
        expect(file.bytes, "only the first 221 of the 222 bytes before the signature are signed", isMismatch: true)
    }

    @Test func everyReasonHasASentenceOfItsOwn() {
        let arm = Architecture(type: 0x0100_000c, subtype: 0)
        let parts: [CodeFileError.Part] = [
            .machHeader, .loadCommands, .fatHeader, .codeSignature, .codeDirectory, .identifier, .pages, .infoPlist,
            .slice(arm), .specialSlot(4), .archiveDirectory, .archiveEntry,
        ]
        let items: [CodeFileError.Items] = [.architectures, .blobs, .specialSlots]
        let errors: [CodeFileError] =
            parts.map { .truncated($0) } + parts.map { .tooLarge($0, limit: 7) }
            + items.map { .tooMany($0, count: 8, limit: 7) } + (1...12).map { .contentMismatch(slot: $0) } + [
                .unreadable("x"), .notMachO, .noArchitecture, .repeatedArchitecture(arm), .overlappingSlices(arm),
                .otherArchitecture(arm, listed: arm), .malformedLoadCommand(1), .repeatedLoadCommand(1),
                .commandCountMismatch, .unsigned, .notEmbeddedSignature, .malformedBlob(slot: 1),
                .repeatedBlob(slot: 1), .noCodeDirectory, .unsupportedVersion(1),
                .unsupportedHash(type: 1, byteCount: 1), .repeatedHashType(.sha1), .onlySHA1,
                .unsupportedPageSize(shift: 31), .scattered, .malformedText,
                .pageHashCount(1, codeLimit: 1, pageByteCount: 1), .codeLimit(1, signatureOffset: 2),
                .bytesAfterSignature(1), .pageMismatch(0, of: 1), .missingContent(slot: 1), .unsignedContent(slot: 1),
                .notApp, .malformedInfoPlist, .noExecutableName, .invalidExecutableName, .missingExecutable,
            ]
        let zip: [ZipError] = [
            .noEndOfDirectory, .severalDisks, .zip64, .malformedDirectory, .malformedEntry, .repeatedEntry, .encrypted,
            .unsupportedMethod(1), .impossibleSize, .sizeMismatch, .checksumMismatch, .noApp, .severalApps,
        ]
        let inflate: [InflateError] = [
            .unexpectedEnd, .reservedBlockType, .storedLength, .tooManyCodes, .malformedCode, .noEndOfBlock,
            .invalidSymbol, .distanceTooFar, .bytesAfterEnd,
        ]
        let sentences = (errors + zip.map { .archive($0) } + inflate.map { .inflate($0) }).map { describe($0) }
        #expect(Set(sentences).count == sentences.count)
        #expect(sentences.allSatisfy { $0.count > 10 && $0.count < 200 && !$0.contains("\n") })
    }
}
