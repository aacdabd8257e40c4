import PureBytes

/// An embedded signature: an index of blobs by slot (xnu, `cs_blobs.h`, `CS_SuperBlob`). All numbers are big-endian.
struct CodeSignatureBlob {
    static let magic: UInt32 = 0xfade_0cc0

    /// The maximum total size of the signatures of all architectures. For the largest file (4 GiB in pages of 4 KiB),
    /// the SHA-256 hashes need 32 MiB and the SHA-1 hashes need 20 MiB.
    static let maximumByteCount = 64 << 20
    /// The maximum number of blobs. Apple defines 20 slots: 11 special slots, 6 for code directories, and 3 others.
    static let maximumBlobCount: UInt32 = 32

    static let alternateSlots: Range<UInt32> = 0x1000..<0x1005

    /// The magic numbers of the special slots' blobs (xnu, `cs_validate_csblob`; for requirements: codesign).
    static let specialSlotMagics: [UInt32: UInt32] = [
        2: 0xfade_0c01, 5: 0xfade_7171, 7: 0xfade_7172, 8: 0xfade_8181, 9: 0xfade_8181, 10: 0xfade_8181,
        11: 0xfade_8181,
    ]

    /// The blobs by slot, each including its header.
    let blobs: [UInt32: ArraySlice<UInt8>]

    /// Reads the index of blobs. Padding may follow the signature.
    init(_ bytes: [UInt8]) throws(CodeFileError) {
        var reader = ByteReader(bytes[...])
        guard try reader.number(UInt32.self, .codeSignature) == Self.magic else { throw .notEmbeddedSignature }
        let length = try reader.number(UInt32.self, .codeSignature)
        let count = try reader.number(UInt32.self, .codeSignature)
        guard length >= 12, length <= bytes.count else { throw .truncated(.codeSignature) }
        guard count <= Self.maximumBlobCount else {
            throw .tooMany(.blobs, count: count, limit: Int(Self.maximumBlobCount))
        }
        let all = bytes[..<Int(length)]
        reader = ByteReader(all.dropFirst(12))
        var blobs: [UInt32: ArraySlice<UInt8>] = [:]
        for _ in 0..<count {
            let slot = try reader.number(UInt32.self, .codeSignature)
            let offset = try reader.number(UInt32.self, .codeSignature)
            guard offset >= 12 + 8 * count, offset <= length else { throw .malformedBlob(slot: slot) }
            var blob = ByteReader(all.dropFirst(Int(offset)))
            guard let magic = try? blob.readBigEndian(UInt32.self), let size = try? blob.readBigEndian(UInt32.self),
                size >= 8, let content = try? blob.readBytes(Int(size) - 8)
            else { throw .malformedBlob(slot: slot) }
            guard Self.specialSlotMagics[slot].map({ $0 == magic }) ?? true else { throw .malformedBlob(slot: slot) }
            // If two blobs had the same slot, the kernel and codesign might read different blobs.
            guard blobs[slot] == nil else { throw .repeatedBlob(slot: slot) }
            blobs[slot] = all[content.startIndex - 8..<content.endIndex]
        }
        self.blobs = blobs
    }

    /// Returns the bytes that a special slot's hash covers (Security, `cdComponentIsBlob`). In general, the hash covers
    /// the whole blob, including its header. A slot for a file contains the file in a wrapper blob. The hash then
    /// covers only the file, without the header of the wrapper.
    func content(ofSlot slot: UInt32) -> ArraySlice<UInt8>? {
        guard let blob = blobs[slot] else { return nil }
        let isWrapper = blob.starts(with: [0xfa, 0xde, 0x0b, 0x01]) && Self.specialSlotMagics[slot] == nil
        return isWrapper ? blob.dropFirst(8) : blob
    }

    /// Returns the CodeDirectory that the system uses, and the hash types of all CodeDirectories.
    func directories() throws(CodeFileError) -> (best: CodeDirectory, types: [CodeHashType]) {
        guard let primary = blobs[0] else { throw .noCodeDirectory }
        var best = try CodeDirectory(primary)
        var types = [best.hashType]
        for slot in Self.alternateSlots {
            guard let blob = blobs[slot] else { continue }
            let directory = try CodeDirectory(blob)
            guard !types.contains(directory.hashType) else { throw .repeatedHashType(directory.hashType) }
            types.append(directory.hashType)
            if directory.hashType.rank > best.hashType.rank { best = directory }
        }
        guard best.hashType != .sha1 else { throw .onlySHA1 }
        return (best, types)
    }
}
