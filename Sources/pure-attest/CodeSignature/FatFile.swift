import PureBytes

/// A fat file: a list of Mach-O files, one for each architecture (mach-o/fat.h). All numbers are big-endian.
enum FatFile {
    static let magic: UInt32 = 0xcafe_babe
    static let magic64: UInt32 = 0xcafe_babf

    /// The maximum number of architectures. A Java class file begins with the same magic number, but contains a version
    /// of at least 43 instead of the count (LLVM, `identify_magic`). codesign allows 100 architectures.
    static let maximumArchitectureCount = 42

    struct Slice {
        var architecture: Architecture
        var bytes: ByteWindow
    }

    static func slices(of file: ByteWindow, is64: Bool) throws(CodeFileError) -> [Slice] {
        var reader = ByteReader(try file.read(at: 4, count: 4, .fatHeader)[...])
        let count = try reader.number(UInt32.self, .fatHeader)
        guard count > 0 else { throw .noArchitecture }
        guard count <= maximumArchitectureCount else {
            throw .tooMany(.architectures, count: count, limit: maximumArchitectureCount)
        }
        let entrySize = is64 ? 32 : 20
        reader = ByteReader(try file.read(at: 8, count: Int(count) * entrySize, .fatHeader)[...])
        var slices: [Slice] = []
        for _ in 0..<count {
            let architecture = Architecture(
                type: try reader.number(UInt32.self, .fatHeader), subtype: try reader.number(UInt32.self, .fatHeader))
            let offset: UInt64, size: UInt64
            if is64 {
                offset = try reader.number(UInt64.self, .fatHeader)
                size = try reader.number(UInt64.self, .fatHeader)
                _ = try reader.number(UInt64.self, .fatHeader)  // align, reserved
            } else {
                offset = UInt64(try reader.number(UInt32.self, .fatHeader))
                size = UInt64(try reader.number(UInt32.self, .fatHeader))
                _ = try reader.number(UInt32.self, .fatHeader)  // align
            }
            guard !slices.contains(where: { $0.architecture.isSameProcessor(as: architecture) }) else {
                throw .repeatedArchitecture(architecture)
            }
            slices.append(
                Slice(architecture: architecture, bytes: try file.window(at: offset, count: size, .slice(architecture)))
            )
        }
        slices.sort { $0.bytes.offset < $1.bytes.offset }
        // Slices must not overlap: bytes in two slices would be read twice, and could have two meanings.
        var end = 8 + UInt64(entrySize) * UInt64(count)
        for slice in slices {
            let start = slice.bytes.offset - file.offset
            guard start >= end else { throw .overlappingSlices(slice.architecture) }
            end = start + slice.bytes.byteCount
        }
        return slices
    }
}

extension ByteReader {
    /// Reads a big-endian number. At the end of the input, throws an error that `part` is truncated.
    mutating func number<T: FixedWidthInteger & UnsignedInteger>(
        _ type: T.Type, _ part: CodeFileError.Part
    ) throws(CodeFileError) -> T {
        do { return try readBigEndian(type) } catch { throw .truncated(part) }
    }

    mutating func bytes(_ count: Int, _ part: CodeFileError.Part) throws(CodeFileError) -> ArraySlice<UInt8> {
        do { return try readBytes(count) } catch { throw .truncated(part) }
    }
}
