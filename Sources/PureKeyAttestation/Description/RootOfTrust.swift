import PureDER

/// `RootOfTrust`: the system that the bootloader started, and its boot state.
public struct RootOfTrust: Hashable, Sendable {
    /// The key that signed the system image, or a digest of this key. If the image is not signed, the value is empty or
    /// consists of zeros.
    public let verifiedBootKey: ArraySlice<UInt8>
    /// Whether the bootloader is locked. If the bootloader is unlocked, the boot state proves nothing.
    public let isDeviceLocked: Bool
    /// The bootloader's verdict on the system.
    public let verifiedBootState: VerifiedBootState
    /// The digest of the system that the bootloader started, or `nil` before schema version 3.
    public let verifiedBootHash: ArraySlice<UInt8>?

    /// Decodes the contents of the member, which must be a single SEQUENCE.
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
