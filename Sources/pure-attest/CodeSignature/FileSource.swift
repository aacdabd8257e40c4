enum FileKind {
    case file(any ByteSource)
    case folder
    case missing

    /// Opens the file or folder at `path`. Throws for a pipe or a device, because neither supports offsets.
    static func find(_ path: String) throws(CodeFileError) -> FileKind {
        if path == "-" { return .file(try standardInput()) }
        // A NUL would end the C string, so the string would name a different file.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .unreadable("not a file name") }
        // An app's folder may contain a pipe. With O_NONBLOCK, `open` does not wait for the other end of the pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return .missing }
            throw .unreadable(systemError())
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let reason = systemError()
            _ = close(descriptor)
            throw .unreadable(reason)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let file = FileSource(descriptor: descriptor, byteCount: UInt64(clamping: status.st_size))
            guard file.byteCount <= FileSource.maximumByteCount else {
                throw .unreadable("larger than \(FileSource.maximumByteCount >> 30) GB")
            }
            return .file(file)
        case S_IFDIR:
            _ = close(descriptor)
            return .folder
        default:
            _ = close(descriptor)
            throw .unreadable("neither a file nor a folder")
        }
    }
}

/// Opens standard input. A regular file is read in pieces, and any other input is first read into memory as a whole.
private func standardInput() throws(CodeFileError) -> any ByteSource {
    var status = stat()
    if unsafe fstat(0, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
        let descriptor = dup(0)
        guard descriptor >= 0 else { throw .unreadable(systemError()) }
        return FileSource(descriptor: descriptor, byteCount: UInt64(clamping: status.st_size))
    }
    do { return MemorySource(try fileBytes("-", maximum: maximumVectorFileSize)) } catch {
        throw .unreadable(error.reason)
    }
}

final class MemorySource: ByteSource {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var byteCount: UInt64 { UInt64(bytes.count) }

    func read(_ range: Range<UInt64>) throws(CodeFileError) -> [UInt8] {
        Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    func checkIntegrity() throws(CodeFileError) {}
}

final class FileSource: ByteSource {
    /// The maximum file size, twice the range of a 32-bit number. 32-bit offsets limit archives and nearly all fat
    /// files. The file is never in memory as a whole.
    static let maximumByteCount: UInt64 = 8 << 30

    private let descriptor: Int32
    /// The size of the file when it was opened.
    let byteCount: UInt64

    fileprivate init(descriptor: Int32, byteCount: UInt64) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    deinit { _ = close(descriptor) }

    func read(_ range: Range<UInt64>) throws(CodeFileError) -> [UInt8] {
        guard let start = off_t(exactly: range.lowerBound) else { throw .unreadable("the offset is beyond any file") }
        var bytes = [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound))
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, start + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(systemError()) }
            guard count > 0 else { throw .unreadable("it was truncated while it was read") }
            done += count
        }
        return bytes
    }

    func checkIntegrity() throws(CodeFileError) {}
}
