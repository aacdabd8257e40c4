/// The hash of a build's code directory: what names exactly this build of an app for one architecture.
///
/// From iOS 27 and macOS 27 on the system sends the hash of the code that runs, in attestations and in every assertion, if the app
/// asks for it by the entitlement `com.apple.developer.devicecheck.app-attest-opt-in` = [`CDhash`].
public struct CodeDirectoryHash: Hashable, Sendable {
    /// The hash function, as code directories number it.
    public let type: UInt8
    /// The hash: 32 bytes of SHA-256, or its first 20, as some Macs send it and as `codesign -d` prints it.
    public let bytes: [UInt8]

    /// SHA-256, type 2.
    public static var sha256: UInt8 { 2 }
    /// The length of a whole hash of SHA-256.
    static var wholeSize: Int { 32 }
    /// The length of a truncated hash.
    static var truncatedSize: Int { 20 }

    /// A hash of SHA-256, of 32 bytes or truncated to 20; `nil` for another length.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.wholeSize || bytes.count == Self.truncatedSize else { return nil }
        self.init(type: Self.sha256, bytes: [UInt8](bytes))
    }

    package init(type: UInt8, bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
    }

    /// Whether these are only the first 20 bytes.
    public var isTruncated: Bool { bytes.count < Self.wholeSize }

    /// Whether both are the hash of one code directory, as far as the shorter one says.
    func matches(_ other: CodeDirectoryHash, acceptsTruncated: Bool) -> Bool {
        guard acceptsTruncated, isTruncated || other.isTruncated else { return self == other && !isTruncated }
        return type == other.type && bytes.prefix(Self.truncatedSize) == other.bytes.prefix(Self.truncatedSize)
    }
}

#if !hasFeature(Embedded)
    import PureBytes

    extension CodeDirectoryHash {
        /// A hash of SHA-256 from 64 hexadecimal digits, as `pure-attest cdhash` prints them, or the first 40, as `codesign -d` does; `nil`
        /// for another text.
        public init?(hexEncoded text: String) {
            guard let bytes = try? Hex.decode(Array(text.utf8)) else { return nil }
            self.init(bytes)
        }
    }

    extension CodeDirectoryHash: CustomStringConvertible {
        /// The bytes in hexadecimal, the type in front where it is not SHA-256.
        public var description: String {
            let text = String(decoding: Hex.encode(bytes), as: UTF8.self)
            return type == Self.sha256 ? text : "type \(type): \(text)"
        }
    }
#endif
