import PureDER

/// `AuthorizationList`: the permitted uses of a key, and facts about the device. Trust only the list that the hardware
/// wrote (see ``KeyDescription``).
public struct AuthorizationList: Hashable, Sendable {
    /// The maximum number of members: 64. Version 500 of the schema defines 45 members.
    public static var maximumMemberCount: Int { 64 }
    /// The maximum number of elements in a SET: 16. The schema defines fewer than 8 values for each SET.
    public static var maximumSetCount: Int { 16 }

    /// The permitted operations. For example, 2 signs data from the app, and 7 signs attestations of other keys.
    public private(set) var purposes: [UInt64]?
    /// The kind of key: 1 is RSA, 3 is elliptic curve.
    public private(set) var algorithm: UInt64?
    /// The key size in bits.
    public private(set) var keySize: UInt64?
    /// The permitted block cipher modes.
    public private(set) var blockModes: [UInt64]?
    /// The permitted digests. For example, 4 is SHA-256.
    public private(set) var digests: [UInt64]?
    /// The permitted paddings. For example, 5 is RSASSA-PKCS1-v1_5.
    public private(set) var paddings: [UInt64]?
    /// The curve: 0 is P-224, 1 P-256, 2 P-384, 3 P-521, 4 Curve25519.
    public private(set) var ecCurve: UInt64?
    /// The ML-DSA parameter set. For example, 1 is ML-DSA-65.
    public private(set) var mlDsaVariant: UInt64?
    /// The public exponent of an RSA key.
    public private(set) var rsaPublicExponent: UInt64?
    /// The permitted digests for the mask generation function of OAEP.
    public private(set) var mgfDigests: [UInt64]?
    /// The time from which the key may be used, in milliseconds since 1970.
    public private(set) var activeDateTime: UInt64?
    /// The time until which the key may sign, in milliseconds since 1970.
    public private(set) var originationExpireDateTime: UInt64?
    /// The time until which the key may verify, in milliseconds since 1970.
    public private(set) var usageExpireDateTime: UInt64?
    /// The maximum number of times that the key may be used.
    public private(set) var usageCountLimit: UInt64?
    /// The identifier of the user to whom the key is bound.
    public private(set) var userSecureID: UInt64?
    /// The accepted authentication methods, as a bit mask: 1 is knowledge (such as a PIN), 2 is biometrics (such as a
    /// fingerprint).
    public private(set) var userAuthType: UInt64?
    /// How long a user authentication remains valid, in seconds.
    public private(set) var authTimeout: UInt64?
    /// The time of key generation according to the device's clock, in milliseconds since 1970.
    public private(set) var creationDateTime: UInt64?
    /// The origin of the key.
    public private(set) var origin: KeyOrigin?
    /// The system that the bootloader started, and its boot state.
    public private(set) var rootOfTrust: RootOfTrust?
    /// The system version. For example, 160000 is Android 16.
    public private(set) var osVersion: UInt64?
    /// The patch level of the system, as YYYYMM.
    public private(set) var osPatchLevel: UInt64?
    /// The apps whose user ID owns the key.
    public private(set) var attestationApplicationID: AttestationApplicationID?
    /// The identity of the device.
    public private(set) var identifiers = DeviceIdentifiers()
    /// The patch level of the vendor image, as YYYYMM or YYYYMMDD.
    public private(set) var vendorPatchLevel: UInt64?
    /// The patch level of the boot image, as YYYYMM or YYYYMMDD.
    public private(set) var bootPatchLevel: UInt64?
    /// The digest of the system's modules.
    public private(set) var moduleHash: ArraySlice<UInt8>?

    /// The members of type NULL, in encoding order. The presence of such a member sets a flag.
    private var flags: [AuthorizationTag] = []
    /// The tag numbers of unknown members. The contents of these members are ignored.
    public private(set) var unknownTags: [UInt32] = []
    /// Whether the tag numbers ascend, as the schema's SEQUENCE requires. Some devices order the members differently.
    public private(set) var areTagsOrdered = true

    /// Whether the key can be used without user authentication (503).
    public var isNoAuthRequired: Bool { flags.contains(.noAuthRequired) }
    /// Whether the key remains usable while the device is worn on the body (506).
    public var isAllowedWhileOnBody: Bool { flags.contains(.allowWhileOnBody) }
    /// Whether the user must touch the device (507).
    public var isUserPresenceRequired: Bool { flags.contains(.trustedUserPresenceRequired) }
    /// Whether the user must confirm the signed data (508).
    public var isConfirmationRequired: Bool { flags.contains(.trustedConfirmationRequired) }
    /// Whether the screen must be unlocked (509).
    public var isUnlockedDeviceRequired: Bool { flags.contains(.unlockedDeviceRequired) }
    /// Whether all apps on the device can use the key (600).
    public var isForAllApplications: Bool { flags.contains(.allApplications) }
    /// Whether a deleted key stays deleted if an older system is installed (303).
    public var hasRollbackResistance: Bool { flags.contains(.rollbackResistance) }
    /// Whether the key has rollback resistance, as stated before schema version 3 (703).
    public var isRollbackResistant: Bool { flags.contains(.rollbackResistant) }
    /// Whether the key can be used only during early boot (305).
    public var isEarlyBootOnly: Bool { flags.contains(.earlyBootOnly) }

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
        guard let tag = AuthorizationTag(rawValue: number) else {
            unknownTags.append(number)
            return
        }
        switch tag {
        case .purpose: purposes = try Self.numbers(contents)
        case .algorithm: algorithm = try Self.number(contents)
        case .keySize: keySize = try Self.number(contents)
        case .blockMode: blockModes = try Self.numbers(contents)
        case .digest: digests = try Self.numbers(contents)
        case .padding: paddings = try Self.numbers(contents)
        case .ecCurve: ecCurve = try Self.number(contents)
        case .mlDsaVariant: mlDsaVariant = try Self.number(contents)
        case .rsaPublicExponent: rsaPublicExponent = try Self.number(contents)
        case .mgfDigest: mgfDigests = try Self.numbers(contents)
        case .activeDateTime: activeDateTime = try Self.number(contents)
        case .originationExpireDateTime: originationExpireDateTime = try Self.number(contents)
        case .usageExpireDateTime: usageExpireDateTime = try Self.number(contents)
        case .usageCountLimit: usageCountLimit = try Self.number(contents)
        case .userSecureID: userSecureID = try Self.number(contents)
        case .userAuthType: userAuthType = try Self.number(contents)
        case .authTimeout: authTimeout = try Self.number(contents)
        case .creationDateTime: creationDateTime = try Self.number(contents)
        case .origin: origin = KeyOrigin(rawValue: try Self.number(contents))
        case .rootOfTrust: rootOfTrust = try RootOfTrust(contents)
        case .osVersion: osVersion = try Self.number(contents)
        case .osPatchLevel: osPatchLevel = try Self.number(contents)
        case .attestationApplicationID:
            attestationApplicationID = try AttestationApplicationID(try Self.octets(contents))
        case .brand: identifiers.brand = try Self.octets(contents)
        case .device: identifiers.device = try Self.octets(contents)
        case .product: identifiers.product = try Self.octets(contents)
        case .serial: identifiers.serial = try Self.octets(contents)
        case .imei: identifiers.imei = try Self.octets(contents)
        case .meid: identifiers.meid = try Self.octets(contents)
        case .manufacturer: identifiers.manufacturer = try Self.octets(contents)
        case .model: identifiers.model = try Self.octets(contents)
        case .secondIMEI: identifiers.secondIMEI = try Self.octets(contents)
        case .vendorPatchLevel: vendorPatchLevel = try Self.number(contents)
        case .bootPatchLevel: bootPatchLevel = try Self.number(contents)
        case .moduleHash: moduleHash = try Self.octets(contents)
        case .leastMACLength: _ = try Self.number(contents)
        case .callerNonce, .rollbackResistance, .earlyBootOnly, .noAuthRequired, .allowWhileOnBody,
            .trustedUserPresenceRequired, .trustedConfirmationRequired, .unlockedDeviceRequired,
            .allApplications, .rollbackResistant, .deviceUniqueAttestation:
            var reader = DERReader(contents)
            try reader.readNull()
            try reader.finish()
            flags.append(tag)
        }
    }

    /// Reads a single INTEGER from 0 to 2⁶⁴ − 1.
    private static func number(_ contents: ArraySlice<UInt8>) throws(DERError) -> UInt64 {
        var reader = DERReader(contents)
        let value = try reader.readUInt64()
        try reader.finish()
        return value
    }

    /// Reads a SET OF INTEGER. Deviation from X.690 §11.6: accepts any order, because devices do not sort elements.
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
