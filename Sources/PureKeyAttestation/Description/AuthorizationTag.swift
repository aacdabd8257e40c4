/// The tag numbers of members of `AuthorizationList`.
enum AuthorizationTag {
    static var purpose: UInt32 { 1 }
    static var algorithm: UInt32 { 2 }
    static var keySize: UInt32 { 3 }
    static var blockMode: UInt32 { 4 }
    static var digest: UInt32 { 5 }
    static var padding: UInt32 { 6 }
    static var callerNonce: UInt32 { 7 }
    static var leastMACLength: UInt32 { 8 }
    static var ecCurve: UInt32 { 10 }
    static var mlDsaVariant: UInt32 { 11 }
    static var rsaPublicExponent: UInt32 { 200 }
    static var mgfDigest: UInt32 { 203 }
    static var rollbackResistance: UInt32 { 303 }
    static var earlyBootOnly: UInt32 { 305 }
    static var activeDateTime: UInt32 { 400 }
    static var originationExpireDateTime: UInt32 { 401 }
    static var usageExpireDateTime: UInt32 { 402 }
    static var usageCountLimit: UInt32 { 405 }
    static var userSecureID: UInt32 { 502 }
    static var noAuthRequired: UInt32 { 503 }
    static var userAuthType: UInt32 { 504 }
    static var authTimeout: UInt32 { 505 }
    static var allowWhileOnBody: UInt32 { 506 }
    static var trustedUserPresenceRequired: UInt32 { 507 }
    static var trustedConfirmationRequired: UInt32 { 508 }
    static var unlockedDeviceRequired: UInt32 { 509 }
    static var allApplications: UInt32 { 600 }
    static var creationDateTime: UInt32 { 701 }
    static var origin: UInt32 { 702 }
    static var rollbackResistant: UInt32 { 703 }
    static var rootOfTrust: UInt32 { 704 }
    static var osVersion: UInt32 { 705 }
    static var osPatchLevel: UInt32 { 706 }
    static var attestationApplicationID: UInt32 { 709 }
    static var firstIdentifier: UInt32 { 710 }
    static var lastIdentifier: UInt32 { 717 }
    static var vendorPatchLevel: UInt32 { 718 }
    static var bootPatchLevel: UInt32 { 719 }
    static var deviceUniqueAttestation: UInt32 { 720 }
    static var secondIMEI: UInt32 { 723 }
    static var moduleHash: UInt32 { 724 }
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
