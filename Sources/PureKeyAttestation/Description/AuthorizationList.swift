import PureDER

/// `AuthorizationList`: what a key may do, and what of the system is known to who wrote the list.
///
/// A member counts only in the list that the hardware wrote: see ``KeyDescription``.
public struct AuthorizationList: Hashable, Sendable {
    /// The most members that are read: 64. The schema of version 500 has 45.
    public static var maximumMemberCount: Int { 64 }
    /// The most numbers in a SET: 16. The schema has fewer than 8 of each.
    public static var maximumSetCount: Int { 16 }

    /// What the key may do: numbers of ``KeyPurpose``.
    public private(set) var purposes: [UInt64]?
    /// What the key is: a number of ``KeyAlgorithm``.
    public private(set) var algorithm: UInt64?
    /// Its size in bits.
    public private(set) var keySize: UInt64?
    /// Modes of block ciphers.
    public private(set) var blockModes: [UInt64]?
    /// Digests: 4 is SHA-256.
    public private(set) var digests: [UInt64]?
    /// Paddings: 5 is that of RSASSA-PKCS1-v1_5.
    public private(set) var paddings: [UInt64]?
    /// The curve: 0 is P-224, 1 P-256, 2 P-384, 3 P-521, 4 Curve25519.
    public private(set) var ecCurve: UInt64?
    /// The parameters of ML-DSA: 1 is ML-DSA-65.
    public private(set) var mlDsaVariant: UInt64?
    /// The exponent of a key of RSA.
    public private(set) var rsaPublicExponent: UInt64?
    /// Digests of OAEP's mask.
    public private(set) var mgfDigests: [UInt64]?
    /// The key can be used from then, in milliseconds since 1970.
    public private(set) var activeDateTime: UInt64?
    /// The key signs until then.
    public private(set) var originationExpireDateTime: UInt64?
    /// The key verifies until then.
    public private(set) var usageExpireDateTime: UInt64?
    /// How often the key can be used.
    public private(set) var usageCountLimit: UInt64?
    /// Which user the key is bound to.
    public private(set) var userSecureID: UInt64?
    /// How the user is authenticated, as bits: 1 by knowledge, 2 by a fingerprint or the like.
    public private(set) var userAuthType: UInt64?
    /// For how many seconds that lasts.
    public private(set) var authTimeout: UInt64?
    /// When the key was made, in milliseconds since 1970, by the device's clock.
    public private(set) var creationDateTime: UInt64?
    /// Where the key comes from.
    public private(set) var origin: KeyOrigin?
    /// Which system was started, and how.
    public private(set) var rootOfTrust: RootOfTrust?
    /// The system's version: 160000 is Android 16.
    public private(set) var osVersion: UInt64?
    /// The month of the system's patches: YYYYMM.
    public private(set) var osPatchLevel: UInt64?
    /// The apps that share the user ID.
    public private(set) var attestationApplicationID: AttestationApplicationID?
    /// What the device says of its identity.
    public private(set) var identifiers = DeviceIdentifiers()
    /// The month or day of the vendor's patches: YYYYMM or YYYYMMDD.
    public private(set) var vendorPatchLevel: UInt64?
    /// The month or day of the patches of the boot image.
    public private(set) var bootPatchLevel: UInt64?
    /// The digest of the system's modules.
    public private(set) var moduleHash: ArraySlice<UInt8>?

    /// The members that are there or not, by their numbers, in the order of the encoding.
    private(set) var flags: [UInt32] = []
    /// The numbers of members that this version does not know. They are not believed: nothing looks at what they hold.
    public private(set) var unknownTags: [UInt32] = []
    /// Whether the members are in ascending order, as X.690 §11.6 has it for a SET and the schema for this SEQUENCE. Some devices write
    /// them otherwise.
    public private(set) var areTagsOrdered = true

    /// The key can be used without the user being authenticated (503).
    public var isNoAuthRequired: Bool { flags.contains(AuthorizationTag.noAuthRequired) }
    /// The key stays usable while the device is worn (506).
    public var isAllowedWhileOnBody: Bool { flags.contains(AuthorizationTag.allowWhileOnBody) }
    /// The user has to touch the device (507).
    public var isUserPresenceRequired: Bool { flags.contains(AuthorizationTag.trustedUserPresenceRequired) }
    /// The user has to confirm what is signed (508).
    public var isConfirmationRequired: Bool { flags.contains(AuthorizationTag.trustedConfirmationRequired) }
    /// The screen has to be unlocked (509).
    public var isUnlockedDeviceRequired: Bool { flags.contains(AuthorizationTag.unlockedDeviceRequired) }
    /// Every app of the device may use the key (600).
    public var isForAllApplications: Bool { flags.contains(AuthorizationTag.allApplications) }
    /// An older system can't bring back a deleted key (303).
    public var hasRollbackResistance: Bool { flags.contains(AuthorizationTag.rollbackResistance) }
    /// The same before version 3 (703).
    public var isRollbackResistant: Bool { flags.contains(AuthorizationTag.rollbackResistant) }
    /// The key is usable early in the boot alone (305).
    public var isEarlyBootOnly: Bool { flags.contains(AuthorizationTag.earlyBootOnly) }

    /// Rule K7: reads the members of a list. Each number occurs once at most.
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

    /// One INTEGER from 0 to 2⁶⁴ − 1.
    private static func number(_ contents: ArraySlice<UInt8>) throws(DERError) -> UInt64 {
        var reader = DERReader(contents)
        let value = try reader.readUInt64()
        try reader.finish()
        return value
    }

    /// A SET OF INTEGER. Deviation from X.690 §11.6: devices write them in any order.
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
    /// An INTEGER from 0 to 2⁶⁴ − 1.
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
