import PureDER

/// `KeyDescription`, in extension 1.3.6.1.4.1.11129.2.1.17 of the leaf: the device's statements about an attested key.
///
/// The hardware writes ``hardwareEnforced``. The verifier reads facts about the system, the boot state and the key only
/// from this list. The operating system writes ``softwareEnforced``. From that list, the verifier reads only the app
/// and `allApplications`. The root of trust in ``hardwareEnforced`` shows whether the operating system is genuine.
public struct KeyDescription: Hashable, Sendable {
    /// The schema version: 1 to 4 for Keymaster, 100 and above for KeyMint. The latest version that this library knows
    /// is 500. Members that later versions add are listed in ``AuthorizationList/unknownTags``.
    public let attestationVersion: UInt32
    /// The security level of the attestation.
    public let attestationSecurityLevel: SecurityLevel
    /// The version of the Keymaster or KeyMint that stores the key.
    public let keyMintVersion: UInt32
    /// The security level of the key.
    public let keyMintSecurityLevel: SecurityLevel
    /// The challenge that the app passed. It should be the challenge that the server issued.
    public let attestationChallenge: ArraySlice<UInt8>
    /// An identifier of the device, which only system apps can request. Otherwise empty.
    public let uniqueID: ArraySlice<UInt8>
    /// The list that the operating system wrote.
    public let softwareEnforced: AuthorizationList
    /// The list that the hardware wrote.
    public let hardwareEnforced: AuthorizationList

    /// Decodes the extension value.
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
