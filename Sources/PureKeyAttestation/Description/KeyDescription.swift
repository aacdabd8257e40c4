import PureDER

/// `KeyDescription`, the extension 1.3.6.1.4.1.11129.2.1.17 of a leaf: what a device's hardware says of a key.
///
/// The hardware wrote ``hardwareEnforced``, and what it says of the system, the boot and the key counts there alone. The system, whose
/// integrity the root of trust in that list shows, wrote ``softwareEnforced``: of it only the app and the time of creation are used.
public struct KeyDescription: Hashable, Sendable {
    /// The version of the schema: 1 to 4 of Keymaster, from 100 of KeyMint. 500 is the latest that was seen; members of later ones are
    /// ``AuthorizationList/unknownTags``.
    public let attestationVersion: UInt32
    /// Where the attestation was made.
    public let attestationSecurityLevel: SecurityLevel
    /// The version of what keeps the key.
    public let keyMintVersion: UInt32
    /// Where the key is kept.
    public let keyMintSecurityLevel: SecurityLevel
    /// What the app gave: the server's challenge.
    public let attestationChallenge: ArraySlice<UInt8>
    /// A number of the device, for apps of the system alone; otherwise empty.
    public let uniqueID: ArraySlice<UInt8>
    /// What the system says.
    public let softwareEnforced: AuthorizationList
    /// What the hardware says.
    public let hardwareEnforced: AuthorizationList

    /// Reads the value of the extension.
    public init(decoding value: ArraySlice<UInt8>) throws(KeyAttestationError) {
        let software, hardware: DERReader
        do throws(DERError) {
            var outer = DERReader(value)
            var reader = try outer.enter(.sequence)
            try outer.finish()
            attestationVersion = try reader.readVersion()
            attestationSecurityLevel = try reader.readSecurityLevel()
            keyMintVersion = try reader.readVersion()
            keyMintSecurityLevel = try reader.readSecurityLevel()
            attestationChallenge = try reader.readOctetString()
            uniqueID = try reader.readOctetString()
            software = try reader.enter(.sequence)
            hardware = try reader.enter(.sequence)
            try reader.finish()
        } catch {
            throw .malformedKeyDescription(error)
        }
        softwareEnforced = try AuthorizationList(software)
        hardwareEnforced = try AuthorizationList(hardware)
    }
}

extension DERReader {
    fileprivate mutating func readVersion() throws(DERError) -> UInt32 {
        guard let version = UInt32(exactly: try readInt64()) else { throw .integerOutOfRange }
        return version
    }

    fileprivate mutating func readSecurityLevel() throws(DERError) -> SecurityLevel {
        let number = try readInt64(.enumerated)
        guard let level = UInt8(exactly: number).flatMap({ SecurityLevel(rawValue: $0) }) else {
            throw .integerOutOfRange
        }
        return level
    }
}
