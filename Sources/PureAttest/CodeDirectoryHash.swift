/// The hash of a code directory, which identifies one build of an app for one architecture.
///
/// From iOS 27 and macOS 27 on, the system sends the hash of the running code in attestations and in every assertion,
/// if the app has the entitlement `com.apple.developer.devicecheck.app-attest-opt-in` = [`CDhash`].
public struct CodeDirectoryHash: Hashable, Sendable {
    /// The hash function, by its number in code directories.
    public let type: UInt8
    /// The hash. For SHA-256, 32 bytes or only the first 20: some Macs send 20, and `codesign -d` prints 20.
    public let bytes: [UInt8]

    /// SHA-256, type 2.
    public static var sha256: UInt8 { 2 }
    static var wholeSize: Int { 32 }
    static var truncatedSize: Int { 20 }

    /// Creates a SHA-256 hash from 32 bytes, or from 20 if truncated. Returns `nil` for other lengths.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.wholeSize || bytes.count == Self.truncatedSize else { return nil }
        self.init(type: Self.sha256, bytes: [UInt8](bytes))
    }

    package init(type: UInt8, bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
    }

    /// Whether the hash has fewer than 32 bytes: the first 20 of SHA-256.
    public var isTruncated: Bool { bytes.count < Self.wholeSize }

    /// Whether both are hashes of the same code directory. Without `acceptsTruncated`, a truncated hash matches
    /// nothing. With it, only the first 20 bytes are compared if either hash is truncated.
    func matches(_ other: CodeDirectoryHash, acceptsTruncated: Bool) -> Bool {
        guard acceptsTruncated, isTruncated || other.isTruncated else { return self == other && !isTruncated }
        return type == other.type && bytes.prefix(Self.truncatedSize) == other.bytes.prefix(Self.truncatedSize)
    }
}

#if !hasFeature(Embedded)
    import PureBytes

    extension CodeDirectoryHash {
        /// Creates a SHA-256 hash from 64 hexadecimal digits, as `pure-attest cdhash` prints them, or from the first
        /// 40, as `codesign -d` prints them. Returns `nil` for other text.
        public init?(hexEncoded text: String) {
            guard let bytes = try? Hex.decode(Array(text.utf8)) else { return nil }
            self.init(bytes)
        }
    }

    extension CodeDirectoryHash: CustomStringConvertible {
        /// The bytes in hexadecimal, preceded by the type if it is not SHA-256.
        public var description: String {
            let text = String(decoding: Hex.encode(bytes), as: UTF8.self)
            return type == Self.sha256 ? text : "type \(type): \(text)"
        }
    }
#endif
