import PureSHA2

/// The hash function of a CodeDirectory (xnu, `cs_blobs.h`, `CS_HASHTYPE_…`).
enum CodeHashType: UInt8 {
    case sha1 = 1
    case sha256 = 2
    /// SHA-256, truncated to the first 20 bytes.
    case sha256Truncated = 3
    case sha384 = 4

    /// The size of a hash in the directory. Like the kernel, this tool rejects any other size.
    var byteCount: Int {
        switch self {
        case .sha1, .sha256Truncated: 20
        case .sha256: 32
        case .sha384: 48
        }
    }

    /// The system and codesign use the CodeDirectory with the highest rank (xnu, `ubc_subr.c`, `hashPriorities`).
    var rank: Int {
        switch self {
        case .sha1: 1
        case .sha256Truncated: 2
        case .sha256: 3
        case .sha384: 4
        }
    }

    var name: String {
        switch self {
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha256Truncated: "SHA-256 truncated to 20 bytes"
        case .sha384: "SHA-384"
        }
    }
}

struct CodeHasher {
    private enum Function {
        case sha256(SHA256)
        case sha384(SHA384)
    }

    private var function: Function
    private let byteCount: Int

    /// Throws for SHA-1, which this project does not implement.
    init(_ type: CodeHashType) throws(CodeFileError) {
        switch type {
        case .sha1: throw .onlySHA1
        case .sha256, .sha256Truncated: function = .sha256(SHA256())
        case .sha384: function = .sha384(SHA384())
        }
        byteCount = type.byteCount
    }

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        switch function {
        case .sha256(var hash):
            hash.update(data: bytes)
            function = .sha256(hash)
        case .sha384(var hash):
            hash.update(data: bytes)
            function = .sha384(hash)
        }
    }

    func finalize() -> [UInt8] {
        switch function {
        case .sha256(let hash): Array(hash.finalize().prefix(byteCount))
        case .sha384(let hash): Array(hash.finalize().prefix(byteCount))
        }
    }

    static func hash(_ bytes: ArraySlice<UInt8>, _ type: CodeHashType) throws(CodeFileError) -> [UInt8] {
        var hasher = try CodeHasher(type)
        hasher.update(bytes)
        return hasher.finalize()
    }

    static func hash(
        _ file: ByteWindow, _ type: CodeHashType, _ part: CodeFileError.Part
    ) throws(CodeFileError) -> [UInt8] {
        var hasher = try CodeHasher(type)
        try file.forEachPiece(part) { hasher.update($0) }
        return hasher.finalize()
    }
}
