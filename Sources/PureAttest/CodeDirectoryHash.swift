/// The hash of a code directory. It identifies one build of an app for one architecture.
///
/// From iOS 27 and macOS 27 on, attestations and all assertions can contain the hash of the running code. The system
/// includes the hash if the app has the entitlement `com.apple.developer.devicecheck.app-attest-opt-in` = [`CDhash`].
public struct CodeDirectoryHash: Hashable, Sendable {
    /// The number that identifies the hash function in code directories: 2 is SHA-256.
    public let type: UInt8
    /// The hash. A SHA-256 hash has 32 bytes, or 20 if it is truncated. Some Macs send only the 20 bytes that
    /// `codesign -d` prints. If the code directory's own hash type is SHA-384, these bytes are from its SHA-384 hash.
    public let bytes: [UInt8]

    static var sha256: UInt8 { 2 }
    static var wholeSize: Int { 32 }
    static var truncatedSize: Int { 20 }

    /// Creates a SHA-256 hash from 32 bytes, or from 20 bytes if truncated. Returns `nil` for other lengths.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.wholeSize || bytes.count == Self.truncatedSize else { return nil }
        self.init(type: Self.sha256, bytes: [UInt8](bytes))
    }

    package init(type: UInt8, bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
    }

    /// Whether the hash is shorter than 32 bytes.
    public var isTruncated: Bool { bytes.count < Self.wholeSize }

    /// Whether both hashes identify the same code directory. If `acceptsTruncated` is `false`, a truncated hash matches
    /// nothing. If it is `true` and either hash is truncated, only the first 20 bytes are compared.
    func matches(_ other: CodeDirectoryHash, acceptsTruncated: Bool) -> Bool {
        guard acceptsTruncated, isTruncated || other.isTruncated else { return self == other && !isTruncated }
        return type == other.type && bytes.prefix(Self.truncatedSize) == other.bytes.prefix(Self.truncatedSize)
    }
}

#if !hasFeature(Embedded)
    import PureBytes

    extension CodeDirectoryHash {
        /// Creates a SHA-256 hash from 64 hexadecimal digits, as `pure-attest cdhash` prints them. From 40 digits, as
        /// `codesign -d` prints them, creates a truncated hash. Returns `nil` if the text has any other form.
        public init?(hexEncoded text: String) {
            guard let bytes = try? [UInt8](hexEncoded: text) else { return nil }
            self.init(bytes)
        }
    }

    extension CodeDirectoryHash: CustomStringConvertible {
        /// The bytes in hexadecimal, preceded by the type if it is not SHA-256.
        public var description: String {
            let text = hexEncodedString(bytes)
            return type == Self.sha256 ? text : "type \(type): \(text)"
        }
    }
#endif
