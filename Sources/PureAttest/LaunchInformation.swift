import PureBytes
import PureCBOR

/// The system's information about the running app.
///
/// From iOS 27 and macOS 27 on, every attestation and assertion contains this information, if the app was built with
/// the SDK for these systems.
public struct LaunchInformation: Hashable, Sendable {
    /// The category under which the system allowed the app to run; `nil` if the device did not report it.
    public let validationCategory: ValidationCategory?
    /// The app's bundle version; `nil` if the device did not report it.
    public let bundleVersion: BundleVersion?
    /// The hash of the running build; `nil` if the app does not request the hash or the device did not report it.
    public let codeDirectoryHash: CodeDirectoryHash?

    init() {
        validationCategory = nil
        bundleVersion = nil
        codeDirectoryHash = nil
    }

    /// Decodes an extensions map with text keys. Skips unknown entries, and rejects malformed known entries. Apple's
    /// samples and the text of Apple's documentation spell the keys differently. Accepts either spelling, but rejects a
    /// map that contains both spellings of a key, because two programs could then read different values.
    init(decoding bytes: ArraySlice<UInt8>) throws(PureAttestError) {
        // WebAuthn §9: extensions are identified by strings.
        guard let map = try CBORMap(decoding: bytes, limits: InputLimits.assertionCBOR),
            map.entries.allSatisfy({ $0.key.textString != nil })
        else { throw .malformedExtensions }
        let category = try LaunchInformation.member("apple_validation_category_01", "validationCategory", of: map)
        let version = try LaunchInformation.member("apple_bundle_version_01", "bundleVersion", of: map)
        validationCategory = if let category { try ValidationCategory(category) } else { nil }
        if let version {
            guard let text = version.textString, text.count <= InputLimits.bundleVersion else {
                throw .malformedExtensions
            }
            bundleVersion = BundleVersion(utf8: text)
        } else {
            bundleVersion = nil
        }
        codeDirectoryHash = try CodeDirectoryHash(
            in: map, hash: "apple_cd_hash_hash_01", type: "apple_cd_hash_type_01")
    }

    private static func member(
        _ name: StaticString, _ otherName: StaticString, of map: CBORMap
    ) throws(PureAttestError) -> CBORValue? {
        switch (map[text: name], map[text: otherName]) {
        case (_?, _?): throw .extensionSpelledTwice
        case (let value?, nil), (nil, let value?): return value
        case (nil, nil): return nil
        }
    }
}

extension CodeDirectoryHash {
    /// Reads a hash from two map members: its bytes, and its type in one byte. Returns `nil` if both members are
    /// missing, and throws if only one is missing. Also reads hashes of other types than SHA-256, although they match
    /// no SHA-256 hash in a policy's list.
    fileprivate init?(in map: CBORMap, hash: StaticString, type: StaticString) throws(PureAttestError) {
        let hash = map[text: hash]
        let type = map[text: type]
        if hash == nil, type == nil { return nil }
        guard let bytes = hash?.byteString, let types = type?.byteString, types.count == 1, let type = types.first,
            type == Self.sha256
                ? bytes.count == Self.wholeSize || bytes.count == Self.truncatedSize
                : 1...Self.maximumSize ~= bytes.count
        else { throw .malformedExtensions }
        self.init(type: type, bytes: [UInt8](bytes))
    }

    /// The maximum length of hashes of other types: 64 bytes, the length of SHA-512 hashes.
    static var maximumSize: Int { 64 }

    /// Rule A5: reads the unsigned member `cdHash` that iOS 18.5 to 26 add to attestations and assertions. The member
    /// is a map of `hash` (20 bytes) and `type` (one byte, 02). Returns `nil` if the member has any other form.
    init?(unsignedMember value: CBORValue) {
        guard let map = value.map, map.count == 2,
            let hash = try? CodeDirectoryHash(in: map, hash: "hash", type: "type"),
            hash.type == Self.sha256, hash.isTruncated
        else { return nil }
        self = hash
    }
}

/// The category of Apple's launch constraints under which an app was allowed to run. Unnamed numbers are preserved.
public struct ValidationCategory: RawRepresentable, Hashable, Sendable {
    /// Apple's number.
    public let rawValue: UInt32

    /// Creates a category from Apple's number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// 1: part of the operating system, as in Apple's published sample.
    public static let platform = ValidationCategory(rawValue: 1)
    /// 2: TestFlight.
    public static let testFlight = ValidationCategory(rawValue: 2)
    /// 3: signed for development.
    public static let development = ValidationCategory(rawValue: 3)
    /// 4: the App Store.
    public static let appStore = ValidationCategory(rawValue: 4)
    /// 5: enterprise or ad hoc distribution.
    public static let enterprise = ValidationCategory(rawValue: 5)
    /// 6: Developer ID, macOS only.
    public static let developerID = ValidationCategory(rawValue: 6)
    /// 10: no other category ("none" in Apple's header).
    public static let uncategorized = ValidationCategory(rawValue: 10)

    /// Reads a category. Genuine objects encode it as four little-endian bytes, although Apple documents an integer.
    init(_ value: CBORValue) throws(PureAttestError) {
        switch value {
        case .byteString(let bytes) where bytes.count == 4:
            var number: UInt32 = 0
            for byte in bytes.reversed() { number = number << 8 | UInt32(byte) }
            rawValue = number
        case .unsignedInteger(let number):
            guard let number = UInt32(exactly: number) else { throw .malformedExtensions }
            rawValue = number
        default: throw .malformedExtensions
        }
    }
}
