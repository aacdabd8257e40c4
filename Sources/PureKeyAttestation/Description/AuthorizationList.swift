import PureDER

/// `AuthorizationList`: a key's permitted uses, and facts about the system that wrote the list. Trust only the list
/// that the hardware wrote: see ``KeyDescription``.
public struct AuthorizationList: Hashable, Sendable {
    /// The maximum number of members: 64. The schema of version 500 has 45.
    public static var maximumMemberCount: Int { 64 }
    /// The maximum number of elements in a SET: 16. The schema defines fewer than 8 for each SET.
    public static var maximumSetCount: Int { 16 }

    /// The permitted operations, as ``KeyPurpose`` numbers.
    public private(set) var purposes: [UInt64]?
    /// The kind of key, as a ``KeyAlgorithm`` number.
    public private(set) var algorithm: UInt64?
    /// The key size in bits.
    public private(set) var keySize: UInt64?
    /// Block cipher modes.
    public private(set) var blockModes: [UInt64]?
    /// Digests: 4 is SHA-256.
    public private(set) var digests: [UInt64]?
    /// Paddings: 5 is RSASSA-PKCS1-v1_5.
    public private(set) var paddings: [UInt64]?
    /// The curve: 0 is P-224, 1 P-256, 2 P-384, 3 P-521, 4 Curve25519.
    public private(set) var ecCurve: UInt64?
    /// The ML-DSA parameter set: 1 is ML-DSA-65.
    public private(set) var mlDsaVariant: UInt64?
    /// The public exponent of an RSA key.
    public private(set) var rsaPublicExponent: UInt64?
    /// Mask generation digests of OAEP.
    public private(set) var mgfDigests: [UInt64]?
    /// The start of use, in milliseconds since 1970.
    public private(set) var activeDateTime: UInt64?
    /// The end of signing.
    public private(set) var originationExpireDateTime: UInt64?
    /// The end of verification.
    public private(set) var usageExpireDateTime: UInt64?
    /// The maximum number of uses.
    public private(set) var usageCountLimit: UInt64?
    /// The user that the key is bound to.
    public private(set) var userSecureID: UInt64?
    /// The authentication methods of the user, as bits: 1 knowledge, 2 biometrics such as a fingerprint.
    public private(set) var userAuthType: UInt64?
    /// The number of seconds that an authentication remains valid.
    public private(set) var authTimeout: UInt64?
    /// The time of key generation in milliseconds since 1970, by the device's clock.
    public private(set) var creationDateTime: UInt64?
    /// The origin of the key.
    public private(set) var origin: KeyOrigin?
    /// The started system and its boot state.
    public private(set) var rootOfTrust: RootOfTrust?
    /// The system version: 160000 is Android 16.
    public private(set) var osVersion: UInt64?
    /// The system's patch month, as YYYYMM.
    public private(set) var osPatchLevel: UInt64?
    /// The apps that share the user ID.
    public private(set) var attestationApplicationID: AttestationApplicationID?
    /// The identity of the device.
    public private(set) var identifiers = DeviceIdentifiers()
    /// The vendor's patch month or day, as YYYYMM or YYYYMMDD.
    public private(set) var vendorPatchLevel: UInt64?
    /// The boot image's patch month or day.
    public private(set) var bootPatchLevel: UInt64?
    /// The digest of the system's modules.
    public private(set) var moduleHash: ArraySlice<UInt8>?

    /// The tag numbers of the NULL members that are present, in encoding order.
    private(set) var flags: [UInt32] = []
    /// The tag numbers of unknown members. Their contents are never read.
    public private(set) var unknownTags: [UInt32] = []
    /// Whether the members are in ascending order. X.690 §11.6 requires this order for a SET, and the schema requires
    /// it for this SEQUENCE. Some devices write another order.
    public private(set) var areTagsOrdered = true

    /// Whether the key can be used without user authentication (503).
    public var isNoAuthRequired: Bool { flags.contains(AuthorizationTag.noAuthRequired) }
    /// Whether the key remains usable while the device is worn (506).
    public var isAllowedWhileOnBody: Bool { flags.contains(AuthorizationTag.allowWhileOnBody) }
    /// Whether the user must touch the device (507).
    public var isUserPresenceRequired: Bool { flags.contains(AuthorizationTag.trustedUserPresenceRequired) }
    /// Whether the user must confirm the signed data (508).
    public var isConfirmationRequired: Bool { flags.contains(AuthorizationTag.trustedConfirmationRequired) }
    /// Whether the screen must be unlocked (509).
    public var isUnlockedDeviceRequired: Bool { flags.contains(AuthorizationTag.unlockedDeviceRequired) }
    /// Whether all apps on the device can use the key (600).
    public var isForAllApplications: Bool { flags.contains(AuthorizationTag.allApplications) }
    /// Whether an older system cannot restore a deleted key (303).
    public var hasRollbackResistance: Bool { flags.contains(AuthorizationTag.rollbackResistance) }
    /// Rollback resistance as stated before version 3 (703).
    public var isRollbackResistant: Bool { flags.contains(AuthorizationTag.rollbackResistant) }
    /// Whether the key is usable only early in the boot (305).
    public var isEarlyBootOnly: Bool { flags.contains(AuthorizationTag.earlyBootOnly) }

    /// Rule K7: decodes the members. Rejects duplicates.
    init(_ contents: DERReader) throws(KeyAttestationError) {
        var reader = contents
        var seen: [UInt32] = []
        while !reader.isAtEnd {
            let element: DERElement
            do { element = try reader.readElement() } catch { throw .malformedKeyDescription(error) }
            let number = element.tag.number
            guard element.tag == .context(number) else {
                throw .malformedKeyDescription(.unexpectedTag(expected: .context(number), found: element.tag))
            }
            guard seen.count < Self.maximumMemberCount else { throw .tooManyAuthorizations }
            guard !seen.contains(number) else { throw .duplicateAuthorization(number) }
            if let last = seen.last, last > number { areTagsOrdered = false }
            seen.append(number)
            do { try read(number, element.content) } catch { throw .malformedAuthorization(number, error) }
        }
    }

    private mutating func read(_ number: UInt32, _ contents: ArraySlice<UInt8>) throws(DERError) {
        typealias Tag = AuthorizationTag
        switch number {
        case Tag.purpose: purposes = try Self.numbers(contents)
        case Tag.algorithm: algorithm = try Self.number(contents)
        case Tag.keySize: keySize = try Self.number(contents)
        case Tag.blockMode: blockModes = try Self.numbers(contents)
        case Tag.digest: digests = try Self.numbers(contents)
        case Tag.padding: paddings = try Self.numbers(contents)
        case Tag.ecCurve: ecCurve = try Self.number(contents)
        case Tag.mlDsaVariant: mlDsaVariant = try Self.number(contents)
        case Tag.rsaPublicExponent: rsaPublicExponent = try Self.number(contents)
        case Tag.mgfDigest: mgfDigests = try Self.numbers(contents)
        case Tag.activeDateTime: activeDateTime = try Self.number(contents)
        case Tag.originationExpireDateTime: originationExpireDateTime = try Self.number(contents)
        case Tag.usageExpireDateTime: usageExpireDateTime = try Self.number(contents)
        case Tag.usageCountLimit: usageCountLimit = try Self.number(contents)
        case Tag.userSecureID: userSecureID = try Self.number(contents)
        case Tag.userAuthType: userAuthType = try Self.number(contents)
        case Tag.authTimeout: authTimeout = try Self.number(contents)
        case Tag.creationDateTime: creationDateTime = try Self.number(contents)
        case Tag.origin: origin = KeyOrigin(rawValue: try Self.number(contents))
        case Tag.rootOfTrust: rootOfTrust = try RootOfTrust(contents)
        case Tag.osVersion: osVersion = try Self.number(contents)
        case Tag.osPatchLevel: osPatchLevel = try Self.number(contents)
        case Tag.attestationApplicationID:
            attestationApplicationID = try AttestationApplicationID(try Self.octets(contents))
        case Tag.firstIdentifier...Tag.lastIdentifier, Tag.secondIMEI:
            identifiers.set(number, try Self.octets(contents))
        case Tag.vendorPatchLevel: vendorPatchLevel = try Self.number(contents)
        case Tag.bootPatchLevel: bootPatchLevel = try Self.number(contents)
        case Tag.moduleHash: moduleHash = try Self.octets(contents)
        case Tag.leastMACLength: _ = try Self.number(contents)
        case Tag.callerNonce, Tag.rollbackResistance, Tag.earlyBootOnly, Tag.noAuthRequired, Tag.allowWhileOnBody,
            Tag.trustedUserPresenceRequired, Tag.trustedConfirmationRequired, Tag.unlockedDeviceRequired,
            Tag.allApplications, Tag.rollbackResistant, Tag.deviceUniqueAttestation:
            var reader = DERReader(contents)
            try reader.readNull()
            try reader.finish()
            flags.append(number)
        default: unknownTags.append(number)
        }
    }

    /// Reads one INTEGER from 0 to 2⁶⁴ − 1.
    private static func number(_ contents: ArraySlice<UInt8>) throws(DERError) -> UInt64 {
        var reader = DERReader(contents)
        let value = try reader.readUInt64()
        try reader.finish()
        return value
    }

    /// Reads a SET OF INTEGER. Deviation from X.690 §11.6: devices write the elements in any order.
    private static func numbers(_ contents: ArraySlice<UInt8>) throws(DERError) -> [UInt64] {
        var outer = DERReader(contents)
        var reader = try outer.enter(.set)
        try outer.finish()
        var values: [UInt64] = []
        while !reader.isAtEnd {
            guard values.count < maximumSetCount else { throw .lengthTooLarge }
            values.append(try reader.readUInt64())
        }
        return values
    }

    private static func octets(_ contents: ArraySlice<UInt8>) throws(DERError) -> ArraySlice<UInt8> {
        var reader = DERReader(contents)
        let octets = try reader.readOctetString()
        try reader.finish()
        return octets
    }
}

extension DERReader {
    mutating func readUInt64() throws(DERError) -> UInt64 {
        let magnitude = try readUnsignedInteger()
        guard magnitude.count <= 8 else { throw .integerOutOfRange }
        var value: UInt64 = 0
        for octet in magnitude { value = value << 8 | UInt64(octet) }
        return value
    }
}

extension DeviceIdentifiers {
    fileprivate mutating func set(_ number: UInt32, _ value: ArraySlice<UInt8>) {
        switch number {
        case 710: brand = value
        case 711: device = value
        case 712: product = value
        case 713: serial = value
        case 714: imei = value
        case 715: meid = value
        case 716: manufacturer = value
        case 717: model = value
        default: secondIMEI = value
        }
    }
}
