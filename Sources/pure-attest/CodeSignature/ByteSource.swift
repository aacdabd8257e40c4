/// The bytes of a file on disk or in an archive, read in pieces because an app's executable is too large for memory.
protocol ByteSource: AnyObject {
    var byteCount: UInt64 { get }

    /// Reads the bytes at `range`, which must be inside the source. Reading an earlier range may take as long as
    /// reading from the start.
    func read(_ range: Range<UInt64>) throws(CodeFileError) -> [UInt8]

    /// Throws if the whole content, including bytes that were not read, does not match the size and the checksum in
    /// the container.
    func checkIntegrity() throws(CodeFileError)
}

/// A part of a source. Offsets are relative to the start of the part, and a read beyond its end throws.
struct ByteWindow {
    private let source: any ByteSource
    /// The offset of the part in the source.
    let offset: UInt64
    let byteCount: UInt64

    /// Returns the part of `count` bytes at `start`. `part` names the expected content, for error messages.
    func window(at start: UInt64, count: UInt64, _ part: CodeFileError.Part) throws(CodeFileError) -> ByteWindow {
        guard start <= byteCount, count <= byteCount - start else { throw .truncated(part) }
        return ByteWindow(source: source, offset: offset + start, byteCount: count)
    }

    func read(at start: UInt64, count: Int, _ part: CodeFileError.Part) throws(CodeFileError) -> [UInt8] {
        guard let count = UInt64(exactly: count) else { throw .truncated(part) }
        let range = try window(at: start, count: count, part)
        return try source.read(range.offset..<range.offset + count)
    }

    /// Passes all bytes to `body` in order, in pieces of at most 1 MiB.
    func forEachPiece(_ part: CodeFileError.Part, _ body: (ArraySlice<UInt8>) -> Void) throws(CodeFileError) {
        var position: UInt64 = 0
        while position < byteCount {
            let piece = try read(at: position, count: Int(min(byteCount - position, 1 << 20)), part)
            body(piece[...])
            position += UInt64(piece.count)
        }
    }

    /// Throws if there are more than `limit` bytes.
    func readAll(limit: Int, _ part: CodeFileError.Part) throws(CodeFileError) -> [UInt8] {
        guard byteCount <= limit else { throw .tooLarge(part, limit: limit) }
        return try read(at: 0, count: Int(byteCount), part)
    }
}

extension ByteWindow {
    init(_ source: any ByteSource) { self.init(source: source, offset: 0, byteCount: source.byteCount) }
}
