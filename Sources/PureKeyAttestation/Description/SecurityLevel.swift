/// The environment that protects a key or its attestation (`SecurityLevel` of the schema).
public enum SecurityLevel: UInt8, Hashable, Sendable, Comparable {
    /// The operating system only.
    case software = 0
    /// A trusted execution environment on the main processor, separate from the operating system.
    case trustedEnvironment = 1
    /// A separate chip.
    case strongBox = 2

    /// Orders software below a trusted environment, and a trusted environment below a StrongBox.
    public static func < (a: SecurityLevel, b: SecurityLevel) -> Bool { a.rawValue < b.rawValue }
}

/// The bootloader's verdict on the system that it started (`VerifiedBootState` of the schema).
public enum VerifiedBootState: UInt8, Hashable, Sendable {
    /// Signed with the key of the device's maker.
    case verified = 0
    /// Signed with a key that the owner installed.
    case selfSigned = 1
    /// Not checked: the bootloader is unlocked.
    case unverified = 2
    /// Checked, and the check failed.
    case failed = 3
}

/// The origin of a key (`origin`, tag 702).
public struct KeyOrigin: RawRepresentable, Hashable, Sendable {
    /// The number in the list.
    public let rawValue: UInt64

    /// Creates an origin from its number, known or not.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Generated in the environment that stores it.
    public static var generated: KeyOrigin { KeyOrigin(rawValue: 0) }
    /// Generated elsewhere and imported by the app, so the app had a copy.
    public static var imported: KeyOrigin { KeyOrigin(rawValue: 2) }
    /// Imported from a server, encrypted for the device.
    public static var securelyImported: KeyOrigin { KeyOrigin(rawValue: 4) }
}

/// The permitted operations of a key (`purpose`, tag 1).
public enum KeyPurpose {
    /// Signing data from the app.
    public static var sign: UInt64 { 2 }
    /// Signing attestations of other keys, and nothing else.
    public static var attestKey: UInt64 { 7 }
}

/// The kind of a key (`algorithm`, tag 2).
public enum KeyAlgorithm {
    /// RSA.
    public static var rsa: UInt64 { 1 }
    /// Elliptic curve.
    public static var ellipticCurve: UInt64 { 3 }
}
