import PureBytes

/// The parts of a Mach-O file's header and load commands that concern its signature (mach-o/loader.h).
struct MachOFile {
    static let magic: UInt32 = 0xfeed_face
    static let magic64: UInt32 = 0xfeed_facf

    /// The maximum total size of the load commands. Among 77 genuine files, the maximum was 6,560 bytes in 51 commands.
    /// The kernel accepts any 32-bit size.
    static let maximumCommandByteCount: UInt32 = 1 << 20

    /// The maximum number of platforms in a report. A library for two platforms has two entries.
    static let maximumPlatformCount = 2

    /// The bytes of the file: the signed part, then the signature up to the end of the file.
    let bytes: ByteWindow
    let header: Header
    let signatureOffset: UInt64
    let signatureByteCount: UInt64
    /// True if the App Store encrypted pages of the file.
    private(set) var isEncrypted = false
    private(set) var platforms: [Platform] = []

    struct Platform: Equatable {
        var number: UInt32
        /// The version: 16 bits for the major, 8 for the minor and 8 for the patch number.
        var minimumVersion: UInt32
    }

    /// The first 28 bytes of the file.
    struct Header {
        let architecture: Architecture
        private let fileType: UInt32
        let is64: Bool
        fileprivate let isLittleEndian: Bool
        fileprivate let commandCount: UInt32
        fileprivate let commandByteCount: UInt32

        init(_ bytes: ByteWindow) throws(CodeFileError) {
            var reader = ByteReader(try bytes.read(at: 0, count: 4, .machHeader)[...])
            switch try reader.number(UInt32.self, .machHeader) {
            case magic: (isLittleEndian, is64) = (false, false)
            case magic64: (isLittleEndian, is64) = (false, true)
            case magic.byteSwapped: (isLittleEndian, is64) = (true, false)
            case magic64.byteSwapped: (isLittleEndian, is64) = (true, true)
            default: throw .notMachO
            }
            reader = ByteReader(try bytes.read(at: 4, count: 24, .machHeader)[...])
            let isLittleEndian = isLittleEndian
            func number() throws(CodeFileError) -> UInt32 {
                let number = try reader.number(UInt32.self, .machHeader)
                return isLittleEndian ? number.byteSwapped : number
            }
            architecture = Architecture(type: try number(), subtype: try number())
            fileType = try number()
            commandCount = try number()
            commandByteCount = try number()
        }

        /// True for the main executable of a process (`MH_EXECUTE`). Devices attest only the hash of this file.
        var isExecutable: Bool { fileType == 2 }

        fileprivate func number(_ reader: inout ByteReader) throws(CodeFileError) -> UInt32 {
            let number = try reader.number(UInt32.self, .loadCommands)
            return isLittleEndian ? number.byteSwapped : number
        }
    }

    /// Reads each load command only once, and in order, because the file may be in a compressed archive.
    init(_ bytes: ByteWindow, _ header: Header) throws(CodeFileError) {
        self.bytes = bytes
        self.header = header
        let commandByteCount = header.commandByteCount
        guard commandByteCount <= Self.maximumCommandByteCount else {
            throw .tooLarge(.loadCommands, limit: Int(Self.maximumCommandByteCount))
        }
        let start: UInt64 = header.is64 ? 32 : 28
        var reader = ByteReader(try bytes.read(at: start, count: Int(commandByteCount), .loadCommands)[...])

        var signature: (offset: UInt32, byteCount: UInt32)?
        for _ in 0..<header.commandCount {
            let command = try header.number(&reader)
            let size = try header.number(&reader)
            guard size >= 8 else { throw .malformedLoadCommand(command) }
            var body = ByteReader(try reader.bytes(Int(size) - 8, .loadCommands))
            switch command {
            case 0x1d:  // LC_CODE_SIGNATURE
                guard size == 16 else { throw .malformedLoadCommand(command) }
                guard signature == nil else { throw .repeatedLoadCommand(command) }
                signature = (try header.number(&body), try header.number(&body))
            case 0x21, 0x2c:  // LC_ENCRYPTION_INFO, LC_ENCRYPTION_INFO_64: cryptoff, cryptsize, cryptid
                guard size >= 20 else { throw .malformedLoadCommand(command) }
                _ = try body.bytes(8, .loadCommands)
                if try header.number(&body) != 0 { isEncrypted = true }
            case 0x24, 0x25, 0x2f, 0x30:  // LC_VERSION_MIN_MACOSX, …_IPHONEOS, …_TVOS, …_WATCHOS
                guard size >= 12 else { throw .malformedLoadCommand(command) }
                let number: UInt32 = command == 0x24 ? 1 : command == 0x25 ? 2 : command == 0x2f ? 3 : 4
                platforms.append(Platform(number: number, minimumVersion: try header.number(&body)))
            case 0x32:  // LC_BUILD_VERSION: platform, minos
                guard size >= 16 else { throw .malformedLoadCommand(command) }
                platforms.append(
                    Platform(number: try header.number(&body), minimumVersion: try header.number(&body)))
            default: break
            }
        }
        // The kernel stops at the number of commands in the header, and codesign stops at the number of bytes. This
        // check ensures that both read the same commands.
        guard reader.isAtEnd else { throw .commandCountMismatch }
        platforms = Array(platforms.prefix(Self.maximumPlatformCount))

        guard let signature else { throw .unsigned }
        signatureOffset = UInt64(signature.offset)
        signatureByteCount = UInt64(signature.byteCount)
        // Both numbers are 32-bit numbers, so the 64-bit sum does not overflow.
        let end = signatureOffset + signatureByteCount
        guard end <= bytes.byteCount else { throw .truncated(.codeSignature) }
        guard signatureOffset >= start + UInt64(commandByteCount) else { throw .malformedLoadCommand(0x1d) }
        // Rejects trailing bytes, because the signature does not cover them. codesign also rejects them, because
        // __LINKEDIT must end the file.
        guard end == bytes.byteCount else { throw .bytesAfterSignature(bytes.byteCount - end) }
    }
}

extension MachOFile.Platform {
    /// The name of `PLATFORM_…` in mach-o/loader.h.
    var name: String {
        switch number {
        case 1: "macOS"
        case 2: "iOS"
        case 3: "tvOS"
        case 4: "watchOS"
        case 5: "bridgeOS"
        case 6: "Mac Catalyst"
        case 7: "iOS simulator"
        case 8: "tvOS simulator"
        case 9: "watchOS simulator"
        case 10: "DriverKit"
        case 11: "visionOS"
        case 12: "visionOS simulator"
        default: "platform \(number)"
        }
    }

    var minimumVersionText: String {
        let (major, minor, patch) = (minimumVersion >> 16, minimumVersion >> 8 & 0xff, minimumVersion & 0xff)
        return "\(major).\(minor)" + (patch == 0 ? "" : ".\(patch)")
    }
}
