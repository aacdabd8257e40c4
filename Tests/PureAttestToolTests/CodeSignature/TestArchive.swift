import Foundation

@testable import pure_attest

/// Builds a ZIP archive in which a test can falsify every field.
struct TestArchive {
    struct File {
        var name: String
        var content: [UInt8]
        /// The deflate stream, or `nil` if the entry is stored uncompressed.
        var deflated: [UInt8]?
        var flags: UInt16 = 0
        var method: UInt16?
        var checksum: UInt32?
        var byteCount: UInt32?
        var compressedByteCount: UInt32?
        var disk: UInt16 = 0
        /// The name in the local header, or `nil` if it equals the name in the central directory.
        var localName: String?
        var localMethod: UInt16?
        var offset: UInt32?

        init(_ name: String, _ content: [UInt8], deflated: [UInt8]? = nil) {
            (self.name, self.content, self.deflated) = (name, content, deflated)
        }
    }

    var files: [File]
    var comment: [UInt8] = []
    /// Bytes between the central directory and its end record.
    var gap: [UInt8] = []
    var disk: UInt16 = 0
    var count: UInt16?
    var directoryByteCount: UInt32?

    init(_ files: [File]) { self.files = files }

    static func storedBlocks(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: 65_535) {
            let block = content[start..<min(start + 65_535, content.count)]
            stream += [0] + littleEndian(UInt16(block.count)) + littleEndian(~UInt16(block.count)) + block
        }
        return stream + [1, 0, 0, 0xff, 0xff]
    }

    var bytes: [UInt8] {
        var all: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let data = file.deflated ?? file.content
            var crc = CRC32()
            crc.update(file.content)
            let method = file.method ?? (file.deflated == nil ? 0 : 8)
            let sizes =
                littleEndian(file.checksum ?? crc.value)
                + littleEndian(file.compressedByteCount ?? UInt32(data.count))
                + littleEndian(file.byteCount ?? UInt32(file.content.count))
            let offset = UInt32(all.count)
            let localName = Array((file.localName ?? file.name).utf8)
            all += [0x50, 0x4b, 3, 4, 20, 0] + littleEndian(file.flags) + littleEndian(file.localMethod ?? method)
            // Checksum and sizes follow the data, as from a streaming writer. Only the central directory is read.
            all +=
                [UInt8](repeating: 0, count: 16) + littleEndian(UInt16(localName.count)) + [3, 0] + localName + [
                    1, 2, 3,
                ]
            all += data
            let name = Array(file.name.utf8)
            directory +=
                [0x50, 0x4b, 1, 2, 20, 3, 20, 0] + littleEndian(file.flags) + littleEndian(method) + [0, 0, 0, 0]
            directory += sizes + littleEndian(UInt16(name.count)) + [2, 0, 1, 0] + littleEndian(file.disk)
            directory += [0, 0, 0, 0, 0, 0] + littleEndian(file.offset ?? offset) + name + [9, 9, 8]
        }
        let count = littleEndian(count ?? UInt16(files.count))
        return all + directory + gap + [0x50, 0x4b, 5, 6] + littleEndian(disk) + littleEndian(disk) + count + count
            + littleEndian(directoryByteCount ?? UInt32(directory.count)) + littleEndian(UInt32(all.count))
            + littleEndian(UInt16(comment.count)) + comment
    }
}
