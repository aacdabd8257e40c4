public import PureAttest
public import PureKeyAttestation

/// The content of an accepted session token, which proves that a device with this key recently signed a challenge.
public struct Session: Hashable, Sendable {
    /// The identifier of the key that signed, 32 bytes.
    public let keyID: [UInt8]
    /// The app of the session, 32 bytes: the token's `aud`. For an Apple app, the SHA-256 of its App ID
    /// (`AppID.rpIDHash`). For Android, a hash of the package name, the accepted signing digests and the environment.
    public let audience: [UInt8]
    /// The platform that attested the key. Guarantees differ between platforms, so check this property if a route
    /// accepts only one platform or only StrongBox keys.
    public let platform: Platform
    /// The key's account; `nil` for a device that uses the app without an account.
    public let account: AccountID?
    /// The app's validation category that the device's system reported when the challenge was signed. `nil` if the
    /// system does not report a category (before iOS 27), or if the relying party's policy does not trust the report.
    public let validationCategory: ValidationCategory?
    /// The app's bundle version that the system reported when the challenge was signed.
    public let bundleVersion: BundleVersion?
    /// The running build that the system reported when the challenge was signed.
    public let codeDirectoryHash: CodeDirectoryHash?
    /// When the challenge was signed.
    public let issuedAt: UnixTime
    /// The first second in which the token is rejected.
    public let expiresAt: UnixTime
    /// The token's identifier: 16 random bytes, `jti` of RFC 7519 §4.1.7.
    public let tokenID: [UInt8]

    /// The platform that attested a session's key.
    public enum Platform: Hashable, Sendable {
        /// Apple attested a genuine copy of the app on a genuine device. The counter prevents replays of an assertion,
        /// in addition to the challenge.
        case appAttest(Environment)
        /// An Android device attested the key. The associated value is the lower of two security levels: the key's
        /// level and the attestation's level. Signatures have no counter.
        case android(SecurityLevel)
    }
}

/// A session token and its expiry.
public struct IssuedSession: Hashable, Sendable {
    /// The token: ASCII, for a header `Authorization: Bearer …` (RFC 6750 §2.1).
    public let token: [UInt8]
    /// The token as text.
    public var text: String { String(decoding: token, as: UTF8.self) }
    /// The first second in which the token is rejected.
    public let expiresAt: UnixTime
}

/// The content of an accepted unattested-tier token. Such a token proves only that a client requested it. The content
/// has its own type, so that no code accepts it as a ``Session``.
public struct UnattestedSession: Hashable, Sendable {
    /// SHA-256 of the client address that the caller named, 32 bytes.
    public let clientAddressDigest: [UInt8]
    /// When the token was issued.
    public let issuedAt: UnixTime
    /// The first second in which the token is rejected.
    public let expiresAt: UnixTime
    /// The token's identifier: 16 random bytes.
    public let tokenID: [UInt8]
}

/// How often a session token may be used, which determines the store accesses per request.
public enum SessionUse: Hashable, Sendable, CaseIterable {
    /// Any number of times until the token expires. The store is not read, so sessions of a revoked key stay valid
    /// until they expire.
    case untilExpiry
    /// Any number of times until the token expires or is ended, or its key is revoked. Each request reads the key and
    /// the token from the store.
    case untilRevoked
    /// Once. Each request reads the key from the store and then consumes the token, which is a write.
    case once
}
