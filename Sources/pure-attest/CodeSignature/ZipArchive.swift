import PureBytes

/// The directory of a ZIP archive (PKWARE APPNOTE.TXT 6.3). Supports the features that .ipa files use: one disk, no
/// ZIP64, stored and deflated files. Nothing is written to disk, so a name in the archive cannot cause path traversal.
struct ZipArchive {
    /// The maximum size of the directory. Without ZIP64, an archive contains at most 65,535 files, and this limit
    /// allows 400 bytes for each.
    static let maximumDirectoryByteCount = 32 << 20

    /// A file in the archive, according to the directory (§4.3.12).
    struct Entry {
        var name: ArraySlice<UInt8>
        var flags: UInt16
        var method: UInt16
        var checksum: UInt32
        var compressedByteCount: UInt32
        var byteCount: UInt32
        var offset: UInt32
    }

    private let bytes: ByteWindow
    private let entries: [Entry]
    private let directoryOffset: UInt64

    init(_ source: any ByteSource) throws(CodeFileError) {
        bytes = ByteWindow(source)
        let end = try Self.endOfDirectory(bytes)
        var reader = ByteReader(end.record.dropFirst(4))
        let disk = try reader.little(UInt16.self), directoryDisk = try reader.little(UInt16.self)
        let countHere = try reader.little(UInt16.self), count = try reader.little(UInt16.self)
        let byteCount = try reader.little(UInt32.self), offset = try reader.little(UInt32.self)
        guard !end.isZIP64, disk != .max, countHere != .max, count != .max, byteCount != .max, offset != .max else {
            throw .archive(.zip64)
        }
        guard disk == 0, directoryDisk == 0, count == countHere else { throw .archive(.severalDisks) }
        // The directory must end where the end record begins. Extra bytes before the archive, or between the directory
        // and the end record, would shift the offsets.
        guard UInt64(offset) + UInt64(byteCount) == end.offset else { throw .archive(.malformedDirectory) }
        directoryOffset = UInt64(offset)
        entries = try Self.entries(
            bytes.window(at: directoryOffset, count: UInt64(byteCount), .archiveDirectory)
                .readAll(limit: Self.maximumDirectoryByteCount, .archiveDirectory), count: count)
    }

    /// Returns the end record (§4.3.16), its offset, and whether a ZIP64 locator precedes it (§4.3.15).
    private static func endOfDirectory(
        _ bytes: ByteWindow
    ) throws(CodeFileError) -> (record: ArraySlice<UInt8>, offset: UInt64, isZIP64: Bool) {
        // The maximum total size of the record, a comment of at most 65,535 bytes, and the locator.
        let count = min(bytes.byteCount, 22 + 65_535 + 20)
        let start = bytes.byteCount - count
        let tail = try bytes.read(at: start, count: Int(count), .archiveDirectory)
        for position in stride(from: tail.count - 22, through: 0, by: -1)
        where tail[position...].starts(with: [0x50, 0x4b, 5, 6]) {
            let commentCount = Int(tail[position + 20]) | Int(tail[position + 21]) << 8
            guard position + 22 + commentCount == tail.count else { continue }
            let isZIP64 = position >= 20 && tail[(position - 20)...].starts(with: [0x50, 0x4b, 6, 7])
            return (tail[position..<position + 22], start + UInt64(position), isZIP64)
        }
        throw .archive(.noEndOfDirectory)
    }

    private static func entries(_ directory: [UInt8], count: UInt16) throws(CodeFileError) -> [Entry] {
        var reader = ByteReader(directory[...])
        var entries: [Entry] = []
        for _ in 0..<count {
            guard try reader.little(UInt32.self) == 0x0201_4b50 else { throw .archive(.malformedDirectory) }
            _ = try reader.bytes(4, .archiveDirectory)  // versions
            let flags = try reader.little(UInt16.self), method = try reader.little(UInt16.self)
            _ = try reader.bytes(4, .archiveDirectory)  // time and date
            let checksum = try reader.little(UInt32.self)
            let compressedByteCount = try reader.little(UInt32.self), byteCount = try reader.little(UInt32.self)
            let nameCount = try reader.little(UInt16.self), extraCount = try reader.little(UInt16.self)
            let commentCount = try reader.little(UInt16.self), disk = try reader.little(UInt16.self)
            _ = try reader.bytes(6, .archiveDirectory)  // attributes
            let offset = try reader.little(UInt32.self)
            let name = try reader.bytes(Int(nameCount), .archiveDirectory)
            _ = try reader.bytes(Int(extraCount) + Int(commentCount), .archiveDirectory)
            guard compressedByteCount != .max, byteCount != .max, offset != .max else { throw .archive(.zip64) }
            guard disk == 0 else { throw .archive(.severalDisks) }
            entries.append(
                Entry(
                    name: name, flags: flags, method: method, checksum: checksum,
                    compressedByteCount: compressedByteCount, byteCount: byteCount, offset: offset))
        }
        guard reader.isAtEnd else { throw .archive(.malformedDirectory) }
        return entries
    }

    /// Returns the path of the only app folder in Payload, including the final slash.
    func appFolder() throws(CodeFileError) -> [UInt8] {
        let payload = Array("Payload/".utf8), suffix = Array(".app".utf8)
        var found: ArraySlice<UInt8>?
        for entry in entries where entry.name.starts(with: payload) {
            let rest = entry.name.dropFirst(payload.count)
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { continue }
            let folder = rest[..<slash]
            guard folder.suffix(suffix.count).elementsEqual(suffix), !folder.elementsEqual(found ?? []) else {
                continue
            }
            guard found == nil else { throw .archive(.severalApps) }
            found = folder
        }
        guard let found else { throw .archive(.noApp) }
        return payload + found + [UInt8(ascii: "/")]
    }

    func file(_ name: [UInt8]) throws(CodeFileError) -> (any ByteSource)? {
        let named = entries.filter { $0.name.elementsEqual(name) }
        guard let entry = named.first else { return nil }
        // If two entries have the same name, it is undefined which file would be installed.
        guard named.count == 1 else { throw .archive(.repeatedEntry) }
        // Rejects encrypted files. Bit 0: password; bit 6: strong encryption; bit 13: encrypted directory (§4.4.4).
        guard entry.flags & 0x2041 == 0 else { throw .archive(.encrypted) }
        let size = UInt64(entry.byteCount), compressedSize = UInt64(entry.compressedByteCount)
        switch entry.method {
        case 0: guard size == compressedSize else { throw .archive(.impossibleSize) }
        case 8: guard size <= compressedSize * Inflater.maximumRatio else { throw .archive(.impossibleSize) }
        default: throw .archive(.unsupportedMethod(entry.method))
        }
        // Reads the file's local header (§4.3.7). This header must repeat the name and the method. Only this header
        // states the lengths of the fields after it.
        let files = try bytes.window(at: 0, count: directoryOffset, .archiveEntry)
        var reader = ByteReader(try files.read(at: UInt64(entry.offset), count: 30, .archiveEntry)[...])
        let signature = try reader.little(UInt32.self)
        _ = try reader.bytes(4, .archiveEntry)  // version, flags
        let method = try reader.little(UInt16.self)
        _ = try reader.bytes(16, .archiveEntry)  // time, date, checksum, sizes
        let nameCount = try reader.little(UInt16.self), extraCount = try reader.little(UInt16.self)
        let nameOffset = UInt64(entry.offset) + 30
        guard signature == 0x0403_4b50, method == entry.method, Int(nameCount) == name.count,
            try files.read(at: nameOffset, count: name.count, .archiveEntry) == name
        else { throw .archive(.malformedEntry) }
        let content = try files.window(
            at: nameOffset + UInt64(nameCount) + UInt64(extraCount), count: compressedSize, .archiveEntry)
        return ZipEntrySource(
            content, isDeflated: entry.method == 8, byteCount: size, checksum: entry.checksum)
    }
}

extension ByteReader {
    /// All numbers of a ZIP archive are little-endian.
    fileprivate mutating func little<T: FixedWidthInteger & UnsignedInteger>(
        _ type: T.Type
    ) throws(CodeFileError) -> T {
        try number(type, .archiveDirectory).byteSwapped
    }
}

/// A file in an archive, decompressed while it is read. Reading an earlier range restarts the decompression.
final class ZipEntrySource: ByteSource {
    private static let pieceSize: UInt64 = 65_536

    private let compressed: ByteWindow
    private let isDeflated: Bool
    let byteCount: UInt64
    private let checksum: UInt32

    /// The piece that was decompressed last, and its offset in the file.
    private var piece: [UInt8] = []
    private var pieceOffset: UInt64 = 0
    private var nextPiece: () throws(CodeFileError) -> [UInt8]
    private var crc = CRC32()
    private var isChecked = false
    /// The number of decompression passes over the file. Hostile input can increase this number.
    private(set) var passCount = 1

    init(_ compressed: ByteWindow, isDeflated: Bool, byteCount: UInt64, checksum: UInt32) {
        self.compressed = compressed
        self.isDeflated = isDeflated
        self.byteCount = byteCount
        self.checksum = checksum
        nextPiece = Self.pieces(of: compressed, isDeflated: isDeflated)
    }

    private static func pieces(
        of compressed: ByteWindow, isDeflated: Bool
    ) -> () throws(CodeFileError) -> [UInt8] {
        var position: UInt64 = 0
        let stored = { () throws(CodeFileError) -> [UInt8] in
            let piece = try compressed.read(
                at: position, count: Int(min(compressed.byteCount - position, Self.pieceSize)), .archiveEntry)
            position += UInt64(piece.count)
            return piece
        }
        guard isDeflated else { return stored }
        var inflater = Inflater(next: stored)
        return { () throws(CodeFileError) -> [UInt8] in try inflater.next() }
    }

    func read(_ range: Range<UInt64>) throws(CodeFileError) -> [UInt8] {
        if range.lowerBound < pieceOffset {
            (piece, pieceOffset, crc) = ([], 0, CRC32())
            nextPiece = Self.pieces(of: compressed, isDeflated: isDeflated)
            passCount += 1
        }
        var bytes: [UInt8] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let end = pieceOffset + UInt64(piece.count)
            if position < end {
                let upper = min(range.upperBound, end)
                bytes += piece[Int(position - pieceOffset)..<Int(upper - pieceOffset)]
                position = upper
            } else {
                guard try advance() else { throw .archive(.sizeMismatch) }
            }
        }
        return bytes
    }

    /// Reads the rest of the file, and compares the size and the checksum.
    func checkIntegrity() throws(CodeFileError) {
        while !isChecked { if try !advance() { isChecked = true } }
    }

    /// Decompresses the next piece. At the end of the file, compares the size and the checksum, and returns `false`.
    private func advance() throws(CodeFileError) -> Bool {
        let next = try nextPiece()
        let end = pieceOffset + UInt64(piece.count)
        guard !next.isEmpty else {
            guard end == byteCount else { throw .archive(.sizeMismatch) }
            guard crc.value == checksum else { throw .archive(.checksumMismatch) }
            return false
        }
        guard UInt64(next.count) <= byteCount - end else { throw .archive(.sizeMismatch) }
        crc.update(next)
        (piece, pieceOffset) = (next, end)
        return true
    }
}
