/// The environment that protects a key or creates its attestation (`SecurityLevel` in the schema).
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

/// The bootloader's verdict on the system that it started (`VerifiedBootState` in the schema).
public enum VerifiedBootState: UInt8, Hashable, Sendable {
    /// The system is signed with the key of the device's manufacturer.
    case verified = 0
    /// The system is signed with a key that the owner installed.
    case selfSigned = 1
    /// The system was not checked, because the bootloader is unlocked.
    case unverified = 2
    /// The system was checked, and the check failed.
    case failed = 3
}

/// The origin of a key (`origin`, tag 702).
public struct KeyOrigin: RawRepresentable, Hashable, Sendable {
    /// The number of the origin, as in the authorization list.
    public let rawValue: UInt64

    /// Creates an origin from its number, which may be unknown.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The key was generated in the environment that stores it.
    public static var generated: KeyOrigin { KeyOrigin(rawValue: 0) }
    /// The key was imported by the app, so the app had a copy of the key.
    public static var imported: KeyOrigin { KeyOrigin(rawValue: 2) }
    /// The key was imported from a server, encrypted for the device.
    public static var securelyImported: KeyOrigin { KeyOrigin(rawValue: 4) }
}

/// The permitted operations of a key (`purpose`, tag 1).
enum KeyPurpose {
    /// The key may sign data from the app.
    static var sign: UInt64 { 2 }
    /// The key may only sign attestations of other keys.
    static var attestKey: UInt64 { 7 }
}

/// The kind of a key (`algorithm`, tag 2).
enum KeyAlgorithm {
    /// RSA.
    static var rsa: UInt64 { 1 }
    /// Elliptic curve.
    static var ellipticCurve: UInt64 { 3 }
}
