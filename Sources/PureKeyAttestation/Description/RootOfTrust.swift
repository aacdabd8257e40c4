import PureDER

/// `RootOfTrust`: which system the bootloader started, and how.
public struct RootOfTrust: Hashable, Sendable {
    /// The key that the system's image is signed with, or its digest; zeros or nothing where none was used.
    public let verifiedBootKey: ArraySlice<UInt8>
    /// Whether the bootloader is locked: only then is the boot state worth anything.
    public let isDeviceLocked: Bool
    /// What the bootloader found.
    public let verifiedBootState: VerifiedBootState
    /// The digest of what was started; `nil` before version 3.
    public let verifiedBootHash: ArraySlice<UInt8>?

    /// Reads the contents of the tag, which is one SEQUENCE.
    init(_ contents: ArraySlice<UInt8>) throws(DERError) {
        var outer = DERReader(contents)
        var reader = try outer.enter(.sequence)
        try outer.finish()
        verifiedBootKey = try reader.readOctetString()
        isDeviceLocked = try reader.readBoolean()
        let state = try reader.readInt64(.enumerated)
        verifiedBootHash = reader.isAtEnd ? nil : try reader.readOctetString()
        try reader.finish()
        guard let state = UInt8(exactly: state).flatMap({ VerifiedBootState(rawValue: $0) }) else {
            throw .integerOutOfRange
        }
        verifiedBootState = state
    }
}

extension DERTag {
    /// ENUMERATED, universal 10, whose contents are those of an INTEGER (X.690 §8.4).
    static var enumerated: DERTag { DERTag(.universal, 10, constructed: false) }
}
