/// Where a key, or what attests it, is kept (`SecurityLevel` of the schema).
public enum SecurityLevel: UInt8, Hashable, Sendable, Comparable {
    /// By the operating system alone.
    case software = 0
    /// In a trusted execution environment beside the operating system.
    case trustedEnvironment = 1
    /// In a chip of its own.
    case strongBox = 2

    /// A StrongBox is above a trusted environment, and that above software.
    public static func < (a: SecurityLevel, b: SecurityLevel) -> Bool { a.rawValue < b.rawValue }
}

/// What the bootloader found of the system that it started (`VerifiedBootState` of the schema).
public enum VerifiedBootState: UInt8, Hashable, Sendable {
    /// Signed with the key of the device's maker.
    case verified = 0
    /// Signed with a key that the owner installed.
    case selfSigned = 1
    /// Not checked: the bootloader is unlocked.
    case unverified = 2
    /// Checked, and not as it was signed.
    case failed = 3
}

/// Where the key comes from (`origin`, tag 702).
public struct KeyOrigin: RawRepresentable, Hashable, Sendable {
    /// The number in the list.
    public let rawValue: UInt64

    /// The origin with that number, known or not.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Made where it is kept.
    public static var generated: KeyOrigin { KeyOrigin(rawValue: 0) }
    /// Put there by the app, which had it.
    public static var imported: KeyOrigin { KeyOrigin(rawValue: 2) }
    /// Put there by a server, encrypted for the device.
    public static var securelyImported: KeyOrigin { KeyOrigin(rawValue: 4) }
}

/// What a key may do (`purpose`, tag 1).
public enum KeyPurpose {
    /// Sign data that the app gives.
    public static var sign: UInt64 { 2 }
    /// Sign the attestations of other keys, and nothing else.
    public static var attestKey: UInt64 { 7 }
}

/// What a key is (`algorithm`, tag 2).
public enum KeyAlgorithm {
    /// RSA.
    public static var rsa: UInt64 { 1 }
    /// On an elliptic curve.
    public static var ellipticCurve: UInt64 { 3 }
}
