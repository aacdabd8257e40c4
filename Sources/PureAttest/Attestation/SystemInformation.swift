/// The operating system at the time of a key's attestation, as Apple certified it in the key's leaf certificate.
///
/// The values come from extension 1.2.840.113635.100.8.7. The certificate's signature covers this extension. Older
/// leaves have fewer fields. If the leaf lacks a field, its value is `nil`, never guessed. A malformed version or build
/// is `nil` too.
public struct SystemInformation: Hashable, Sendable {
    /// The platform (field 1026). Leaves contain this field from iOS 18 on.
    public let platform: SystemPlatform?
    /// The version (field 1400), which every genuine leaf contains.
    public let version: SystemVersion?
    /// The build (field 1403).
    public let build: SystemBuild?
    /// The kind of prerelease (field 1029) in ASCII, such as "Beta". Apple's samples contain "Internal". If the field
    /// is unreadable, the kind is "?". The kind is `nil` for public releases, and in every leaf before iOS 18.
    public let releaseTypeASCII: [UInt8]?

    init(
        platform: SystemPlatform? = nil, version: SystemVersion? = nil, build: SystemBuild? = nil,
        releaseTypeASCII: [UInt8]? = nil
    ) {
        self.platform = platform
        self.version = version
        self.build = build
        self.releaseTypeASCII = releaseTypeASCII
    }

    /// The maximum length of a text field in bytes. Genuine text fields are up to 8 bytes long.
    static var maximumTextSize: Int { 32 }

    /// Returns `text` if it consists of 1 to 32 printable ASCII characters, otherwise `nil`.
    static func text(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard 1...maximumTextSize ~= text.count, text.allSatisfy({ 0x20...0x7e ~= $0 }) else { return nil }
        return [UInt8](text)
    }
}

/// A platform, identified by Apple's name in certificates.
public struct SystemPlatform: Hashable, Sendable {
    /// Apple's name in ASCII, such as "iphoneos" or "macosx".
    public let ascii: [UInt8]

    init?(ascii: some Collection<UInt8>) {
        guard let text = SystemInformation.text(ascii) else { return nil }
        self.ascii = text
    }

    /// The platform whose rules apply: macOS if the name begins with "mac" in upper or lower case, otherwise a device.
    package var appPlatform: AppID.Platform {
        // In ASCII, bit 5 distinguishes upper and lower case.
        ascii.prefix(3).lazy.map { $0 | 0x20 }.elementsEqual([0x6d, 0x61, 0x63]) ? .macOS : .device
    }
}

/// The build of an operating system.
public struct SystemBuild: Hashable, Sendable {
    /// The build's name in ASCII, such as "24B5089g".
    public let ascii: [UInt8]

    /// Creates a build from its name. Returns `nil` unless the name consists of 1 to 32 printable ASCII characters.
    public init?(ascii: some Collection<UInt8>) {
        guard let text = SystemInformation.text(ascii) else { return nil }
        self.ascii = text
    }
}

/// The version of an operating system: up to three numbers. Missing numbers are 0.
public struct SystemVersion: Hashable, Comparable, Sendable {
    /// The first number: 27 in 27.2.1.
    public let major: UInt16
    /// The second number: 2 in 27.2.1.
    public let minor: UInt16
    /// The third number: 1 in 27.2.1.
    public let patch: UInt16

    /// Creates a version from its numbers.
    public init(_ major: UInt16, _ minor: UInt16 = 0, _ patch: UInt16 = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Parses one to three decimal numbers below 65,536, without leading zeros, separated by dots.
    public init?(ascii: some Collection<UInt8>) {
        var numbers: [3 of UInt16] = [0, 0, 0]
        var index = 0
        var hasDigits = false
        for byte in ascii {
            if byte == 0x2e {
                guard hasDigits, index < 2 else { return nil }
                index += 1
                hasDigits = false
                continue
            }
            guard 0x30...0x39 ~= byte, !hasDigits || numbers[index] > 0 else { return nil }
            let (tens, overflow) = numbers[index].multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt16(byte - 0x30))
            guard !overflow, !carry else { return nil }
            numbers[index] = sum
            hasDigits = true
        }
        guard hasDigits else { return nil }
        self.init(numbers[0], numbers[1], numbers[2])
    }

    /// Compares the numbers in order.
    public static func < (a: SystemVersion, b: SystemVersion) -> Bool {
        (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
    }
}

#if !hasFeature(Embedded)
    extension SystemInformation {
        /// The kind of a prerelease, such as "Beta". `nil` for public releases.
        public var releaseType: String? { releaseTypeASCII.map { String(decoding: $0, as: UTF8.self) } }
    }

    extension SystemPlatform: CustomStringConvertible {
        /// Apple's name.
        public var description: String { String(decoding: ascii, as: UTF8.self) }
    }

    extension SystemBuild: CustomStringConvertible {
        /// The build's name.
        public var description: String { String(decoding: ascii, as: UTF8.self) }
    }

    extension SystemVersion: CustomStringConvertible {
        /// The numbers separated by dots, such as "27.2". The third number is omitted if it is 0.
        public var description: String { patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)" }
    }
#endif
