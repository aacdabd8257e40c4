import PureBytes

/// A CodeDirectory: the hashes of all signed content (xnu, `cs_blobs.h`, `CS_CodeDirectory`). The hash of this
/// directory is the code directory hash. The parsing rules follow `cs_validate_codedirectory` and codesign's
/// `CodeDirectory::checkIntegrity`.
struct CodeDirectory {
    static let magic: UInt32 = 0xfade_0c02

    /// The versions that codesign understands (`earliestVersion`, `compatibilityLimit`).
    static let versions: ClosedRange<UInt32> = 0x2_0001...0x2_f000
    /// The largest page size, as an exponent of two. codesign stores the page size in a signed 32-bit number. The
    /// kernel accepts only the exponents 12 and 14.
    static let maximumPageShift: UInt8 = 30
    /// The maximum number of special slots. Apple defines 11 special slots.
    static let maximumSpecialSlotCount: UInt32 = 64
    /// The maximum length of an identifier. A linker uses the file name, which is at most 255 bytes long.
    static let maximumTextByteCount = 1_024

    /// The whole blob, which the code directory hash covers.
    let bytes: ArraySlice<UInt8>
    let version: UInt32
    let flags: UInt32
    let hashType: CodeHashType
    /// The identifier that the signer chose. By default, it is the bundle ID.
    let identifier: String
    let teamIdentifier: String?
    /// Nonzero for code that is part of an operating system.
    let platformIdentifier: UInt8
    /// The number of signed bytes, from the start of the file.
    let codeLimit: UInt64
    /// The page size; `nil` if all content is a single page.
    let pageByteCount: UInt64?
    let pageHashCount: UInt32
    let specialSlotCount: UInt32
    private let hashOffset: Int

    init(_ bytes: ArraySlice<UInt8>) throws(CodeFileError) {
        self.bytes = bytes
        var reader = ByteReader(bytes)
        guard try reader.number(UInt32.self, .codeDirectory) == Self.magic else { throw .noCodeDirectory }
        // Skips the blob's length, which was checked when the blob was extracted.
        _ = try reader.number(UInt32.self, .codeDirectory)
        version = try reader.number(UInt32.self, .codeDirectory)
        guard Self.versions.contains(version) else { throw .unsupportedVersion(version) }
        flags = try reader.number(UInt32.self, .codeDirectory)
        let hashOffset = try reader.number(UInt32.self, .codeDirectory)
        let identifierOffset = try reader.number(UInt32.self, .codeDirectory)
        specialSlotCount = try reader.number(UInt32.self, .codeDirectory)
        pageHashCount = try reader.number(UInt32.self, .codeDirectory)
        let codeLimit32 = try reader.number(UInt32.self, .codeDirectory)
        let hashSize = try reader.number(UInt8.self, .codeDirectory)
        let hashTypeNumber = try reader.number(UInt8.self, .codeDirectory)
        platformIdentifier = try reader.number(UInt8.self, .codeDirectory)
        let pageShift = try reader.number(UInt8.self, .codeDirectory)
        _ = try reader.number(UInt32.self, .codeDirectory)  // spare2
        let scatterOffset = version < 0x2_0100 ? 0 : try reader.number(UInt32.self, .codeDirectory)
        let teamOffset = version < 0x2_0200 ? 0 : try reader.number(UInt32.self, .codeDirectory)
        var codeLimit64: UInt64 = 0
        if version >= 0x2_0300 {
            _ = try reader.number(UInt32.self, .codeDirectory)  // spare3
            codeLimit64 = try reader.number(UInt64.self, .codeDirectory)
        }

        guard let type = CodeHashType(rawValue: hashTypeNumber), hashSize == type.byteCount else {
            throw .unsupportedHash(type: hashTypeNumber, byteCount: hashSize)
        }
        hashType = type
        guard pageShift <= Self.maximumPageShift else { throw .unsupportedPageSize(shift: pageShift) }
        // Deviation: the kernel accepts lists of page ranges (scatter lists), and this reader rejects them. No known
        // file contains such a list.
        guard scatterOffset == 0 else { throw .scattered }
        guard specialSlotCount <= Self.maximumSpecialSlotCount else {
            throw .tooMany(.specialSlots, count: specialSlotCount, limit: Int(Self.maximumSpecialSlotCount))
        }
        // Each product is below 2³² · 48, so the 64-bit arithmetic does not overflow.
        let start = UInt64(hashOffset), size = UInt64(hashSize)
        guard UInt64(specialSlotCount) * size <= start, start + UInt64(pageHashCount) * size <= bytes.count else {
            throw .truncated(.codeDirectory)
        }
        self.hashOffset = Int(hashOffset)

        codeLimit = codeLimit64 != 0 ? codeLimit64 : UInt64(codeLimit32)
        let pages: UInt64
        if pageShift == 0 {
            pageByteCount = nil
            pages = codeLimit == 0 ? 0 : 1
        } else {
            pageByteCount = 1 << UInt64(pageShift)
            pages = codeLimit >> UInt64(pageShift) + (codeLimit & ((1 << UInt64(pageShift)) - 1) == 0 ? 0 : 1)
        }
        guard pages == UInt64(pageHashCount) else {
            throw .pageHashCount(pageHashCount, codeLimit: codeLimit, pageByteCount: pageByteCount)
        }
        identifier = try Self.text(at: identifierOffset, in: bytes)
        teamIdentifier = teamOffset == 0 ? nil : try Self.text(at: teamOffset, in: bytes)
    }

    private static func text(at offset: UInt32, in bytes: ArraySlice<UInt8>) throws(CodeFileError) -> String {
        guard offset < bytes.count else { throw .truncated(.codeDirectory) }
        let field = bytes.dropFirst(Int(offset))
        guard let end = field.prefix(maximumTextByteCount + 1).firstIndex(of: 0) else {
            throw .tooLarge(.identifier, limit: maximumTextByteCount)
        }
        guard let text = String(validating: field[..<end], as: UTF8.self), !text.isEmpty else { throw .malformedText }
        return text
    }

    /// Pages are numbered from 0.
    func pageHash(_ page: UInt32) -> ArraySlice<UInt8> {
        precondition(page < pageHashCount)
        let start = bytes.startIndex + hashOffset + Int(page) * hashType.byteCount
        return bytes[start..<start + hashType.byteCount]
    }

    /// Returns `nil` if the slot is absent or contains only zeros. Slots are numbered from 1.
    func specialHash(_ slot: UInt32) -> ArraySlice<UInt8>? {
        guard slot > 0, slot <= specialSlotCount else { return nil }
        let start = bytes.startIndex + hashOffset - Int(slot) * hashType.byteCount
        let hash = bytes[start..<start + hashType.byteCount]
        return hash.allSatisfy { $0 == 0 } ? nil : hash
    }

    /// The names that codesign uses for the set flags (`kSecCodeSignature…`).
    var flagNames: [String] {
        var names: [String] = []
        var rest = flags
        for (bit, name) in Self.flags where flags & bit != 0 {
            names.append(name)
            rest &= ~bit
        }
        if rest != 0 { names.append("0x" + String(rest, radix: 16)) }
        return names
    }

    private static let flags: [(UInt32, String)] = [
        (0x1, "host"), (0x2, "adhoc"), (0x100, "hard"), (0x200, "kill"), (0x400, "expires"), (0x800, "restrict"),
        (0x1000, "enforcement"), (0x2000, "library-validation"), (0x1_0000, "runtime"), (0x2_0000, "linker-signed"),
    ]
}
