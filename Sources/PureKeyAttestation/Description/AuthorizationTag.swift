/// The tag numbers of members of `AuthorizationList`.
enum AuthorizationTag: UInt32 {
    case purpose = 1, algorithm, keySize, blockMode, digest, padding, callerNonce, leastMACLength
    case ecCurve = 10, mlDsaVariant
    case rsaPublicExponent = 200
    case mgfDigest = 203
    case rollbackResistance = 303
    case earlyBootOnly = 305
    case activeDateTime = 400, originationExpireDateTime, usageExpireDateTime
    case usageCountLimit = 405
    case userSecureID = 502, noAuthRequired, userAuthType, authTimeout, allowWhileOnBody, trustedUserPresenceRequired,
        trustedConfirmationRequired, unlockedDeviceRequired
    case allApplications = 600
    case creationDateTime = 701, origin, rollbackResistant, rootOfTrust, osVersion, osPatchLevel
    case attestationApplicationID = 709, brand, device, product, serial, imei, meid, manufacturer, model,
        vendorPatchLevel, bootPatchLevel, deviceUniqueAttestation
    case secondIMEI = 723, moduleHash
}

/// The identifiers of a device (tags 710 to 717, and 723). They are present only if the app may request them.
public struct DeviceIdentifiers: Hashable, Sendable {
    /// The brand.
    public internal(set) var brand: ArraySlice<UInt8>?
    /// The design name.
    public internal(set) var device: ArraySlice<UInt8>?
    /// The product name.
    public internal(set) var product: ArraySlice<UInt8>?
    /// The serial number.
    public internal(set) var serial: ArraySlice<UInt8>?
    /// The IMEI.
    public internal(set) var imei: ArraySlice<UInt8>?
    /// The MEID.
    public internal(set) var meid: ArraySlice<UInt8>?
    /// The manufacturer.
    public internal(set) var manufacturer: ArraySlice<UInt8>?
    /// The model name that users see.
    public internal(set) var model: ArraySlice<UInt8>?
    /// The IMEI of the second modem.
    public internal(set) var secondIMEI: ArraySlice<UInt8>?
}
