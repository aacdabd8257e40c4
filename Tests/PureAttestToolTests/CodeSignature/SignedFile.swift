import Foundation
import PureBytes
import PureSHA2

@testable import pure_attest

func littleEndian<T: FixedWidthInteger>(_ number: T) -> [UInt8] { bigEndian(number).reversed() }

extension [UInt8] {
    func replacing(at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        var copy = self
        copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return copy
    }

    func flipped(at offset: Int) -> [UInt8] { replacing(at: offset, [self[offset] ^ 0x10]) }
}

/// Builds a CodeDirectory.
struct TestDirectory {
    var slot: UInt32 = 0
    var version: UInt32 = 0x2_0400
    var flags: UInt32 = 0
    /// The hash type. SHA-1 (type 1) is not available here, so SHA-1 hashes are all ones.
    var hashType: UInt8 = 2
    var pageShift: UInt8 = 6
    var identifier = "com.example.demo"
    var team: String? = "TEAM123456"
    /// The contents of the special slots that represent files outside the signature.
    var files: [UInt32: [UInt8]] = [:]
    /// The number of signed bytes. Defaults to the number of bytes before the signature.
    var codeLimit: UInt64?
    /// If not 0, replaces `codeLimit` and is written to the 64-bit field.
    var codeLimit64: UInt64 = 0

    func hash(_ content: [UInt8]) -> [UInt8] {
        switch hashType {
        case 2: Array(SHA256.hash(data: content))
        case 3: Array(SHA256.hash(data: content).prefix(20))
        case 4: Array(SHA384.hash(data: content))
        default: [UInt8](repeating: 0xff, count: 20)
        }
    }

    /// The offset after the last field that this version of the CodeDirectory has.
    private var headSize: Int {
        version >= 0x2_0400 ? 88 : version >= 0x2_0300 ? 64 : version >= 0x2_0200 ? 52 : version >= 0x2_0100 ? 48 : 44
    }

    func bytes(code: [UInt8], blobs: [UInt32: [UInt8]]) -> [UInt8] {
        var contents = files
        // If a special slot contains a blob, its hash covers the whole blob including the header.
        contents.merge(blobs.filter { 1..<0x1000 ~= $0.key }) { $1 }
        let size = hash([]).count
        let specialCount = contents.keys.max() ?? 0
        let pageSize = pageShift == 0 ? code.count : 1 << Int(pageShift)
        let pages = stride(from: 0, to: code.count, by: pageSize).map {
            Array(code[$0..<min($0 + pageSize, code.count)])
        }
        let texts = Array(identifier.utf8) + [0] + (team.map { Array($0.utf8) + [0] } ?? [])
        let hashOffset = headSize + texts.count + Int(specialCount) * size
        let limit = codeLimit ?? UInt64(code.count)

        var head = [
            0xfade_0c02, UInt32(hashOffset + pages.count * size), version, flags, UInt32(hashOffset), UInt32(headSize),
        ]
        .flatMap(bigEndian)
        head += [specialCount, UInt32(pages.count), codeLimit64 == 0 ? UInt32(limit) : 7].flatMap(bigEndian)
        head += [UInt8(size), hashType, 0, pageShift] + bigEndian(UInt32(0))
        head += bigEndian(UInt32(0)) + bigEndian(UInt32(team == nil ? 0 : headSize + identifier.utf8.count + 1))
        head += bigEndian(UInt32(0)) + bigEndian(codeLimit64)
        head += [UInt8](repeating: 0, count: 24)
        let special: [UInt8] = (0..<specialCount).flatMap { index in
            contents[specialCount - index].map(hash) ?? [UInt8](repeating: 0, count: size)
        }
        return Array(head[..<headSize]) + texts + special + pages.flatMap(hash)
    }
}

/// Builds and signs a Mach-O file.
struct SignedFile {
    var cpuType: UInt32 = 0x0100_000c
    var cpuSubtype: UInt32 = 0
    var isLittleEndian = true
    var is64 = true
    var fileType: UInt32 = 2
    /// The load commands before LC_CODE_SIGNATURE, each as a list of 32-bit numbers.
    var commands: [[UInt32]] = [[0x32, 24, 2, 0x001a_0000, 0x001b_0000, 0]]
    /// The bytes after the load commands.
    var content = [UInt8]((0..<150).map { UInt8($0) })
    var directories = [TestDirectory()]
    /// The blobs of the signature other than CodeDirectories, including their headers.
    var blobs = SignedFile.usualBlobs
    var isSigned = true
    /// Bytes of the signature after the SuperBlob.
    var padding = [UInt8](repeating: 0, count: 16)

    static func blob(_ magic: UInt32, _ content: [UInt8]) -> [UInt8] {
        bigEndian(magic) + bigEndian(UInt32(8 + content.count)) + content
    }

    static let usualBlobs: [UInt32: [UInt8]] = [
        2: blob(0xfade_0c01, [0, 0, 0, 0]), 5: blob(0xfade_7171, Array("<plist/>".utf8)),
        7: blob(0xfade_7172, [0x70, 0]), 0x1_0000: blob(0xfade_0b01, []),
    ]

    func number(_ value: UInt32) -> [UInt8] { isLittleEndian ? littleEndian(value) : bigEndian(value) }

    /// Returns the signed part, which is everything before the signature.
    func code(signatureSize: Int) -> [UInt8] {
        var all = commands
        let size = commands.reduce(0) { $0 + 4 * $1.count } + (isSigned ? 16 : 0)
        let start = (is64 ? 32 : 28) + size
        if isSigned { all.append([0x1d, 16, UInt32(start + content.count), UInt32(signatureSize)]) }
        let head = [
            is64 ? 0xfeed_facf : 0xfeed_face, cpuType, cpuSubtype, fileType, UInt32(all.count), UInt32(size), 0,
        ]
        return (head + (is64 ? [0] : []) + all.joined()).flatMap(number) + content
    }

    func signature(of code: [UInt8]) -> [UInt8] {
        var all = blobs
        for directory in directories { all[directory.slot] = directory.bytes(code: code, blobs: blobs) }
        var index: [UInt8] = []
        var content: [UInt8] = []
        let start = 12 + 8 * all.count
        for (slot, blob) in all.sorted(by: { $0.key < $1.key }) {
            index += bigEndian(slot) + bigEndian(UInt32(start + content.count))
            content += blob
        }
        return [0xfade_0cc0, UInt32(start + content.count), UInt32(all.count)].flatMap(bigEndian) + index + content
            + padding
    }

    var codeLimit: Int { code(signatureSize: 0).count }

    var bytes: [UInt8] {
        let size = signature(of: code(signatureSize: 0)).count
        let code = code(signatureSize: size)
        return isSigned ? code + signature(of: code) : code
    }

    /// Returns the blob in `slot` and its offset in ``bytes``.
    func blob(_ slot: UInt32) -> (offset: Int, bytes: [UInt8]) {
        let all = bytes
        let start = codeLimit
        func number(_ offset: Int) -> Int { all[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        for entry in 0..<number(start + 8) where number(start + 12 + 8 * entry) == Int(slot) {
            let offset = start + number(start + 16 + 8 * entry)
            return (offset, Array(all[offset..<offset + number(offset + 4)]))
        }
        preconditionFailure("the signature has no slot \(slot)")
    }

    static func fat(_ files: [SignedFile], is64: Bool = false) -> [UInt8] {
        var head = bigEndian(is64 ? FatFile.magic64 : FatFile.magic) + bigEndian(UInt32(files.count))
        var content: [UInt8] = []
        let start = 8 + (is64 ? 32 : 20) * files.count + 12
        for file in files {
            let bytes = file.bytes
            head += bigEndian(file.cpuType) + bigEndian(file.cpuSubtype)
            if is64 {
                head += bigEndian(UInt64(start + content.count)) + bigEndian(UInt64(bytes.count)) + bigEndian(UInt64(4))
            } else {
                head += [UInt32(start + content.count), UInt32(bytes.count), 2].flatMap(bigEndian)
            }
            content += bytes + [0, 0, 0, 0]
        }
        return head + [UInt8](repeating: 0, count: 12) + content
    }
}

func results(
    _ bytes: [UInt8], _ surroundings: SignedCode.Surroundings? = nil
) throws(CodeFileError) -> [SignedCode.Result] {
    try SignedCode.results(of: MemorySource(bytes), surroundings)
}

func onlyCode(_ bytes: [UInt8], _ surroundings: SignedCode.Surroundings? = nil) throws -> SignedCode {
    let results = try results(bytes, surroundings)
    guard results.count == 1 else { throw CodeFileError.noArchitecture }
    return try results[0].outcome.get().code
}
