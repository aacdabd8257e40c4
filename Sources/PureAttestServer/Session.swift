public import PureAttest
public import PureKeyAttestation

/// What an accepted session token says: a device with this key signed a challenge a short time ago.
public struct Session: Hashable, Sendable {
    /// The key that signed, 32 bytes.
    public let keyID: [UInt8]
    /// The app that the session is for, 32 bytes: `aud` of the token. Of an Apple app the SHA-256 of its App ID (`AppID.rpIDHash`); of an
    /// Android app a hash of its package name, its accepted signing digests and the environment.
    public let audience: [UInt8]
    /// Who vouched for the key: Apple in one of its environments, or an Android device's hardware. They do not vouch for the same: look
    /// here where a route is for one of them, or for a StrongBox, alone.
    public let platform: Platform
    /// Whose key it is; `nil` for a device that uses the app without an account.
    public let account: AccountID?
    /// How the app was allowed to run when the challenge was signed, as the device's system says it; `nil` if it does not (before iOS
    /// 27), or if the relying party's policy does not believe it.
    public let validationCategory: ValidationCategory?
    /// The app's bundle version at that time, as the system says it.
    public let bundleVersion: BundleVersion?
    /// The build that ran at that time, as the system says it.
    public let codeDirectoryHash: CodeDirectoryHash?
    /// When the challenge was signed.
    public let issuedAt: UnixTime
    /// The first second in which the token is refused.
    public let expiresAt: UnixTime
    /// Names the token: 16 random bytes, `jti` of RFC 7519 §4.1.7.
    public let tokenID: [UInt8]

    /// Who vouched for a session's key.
    public enum Platform: Hashable, Sendable {
        /// Apple: a genuine copy of the app on a genuine device. Each assertion counts once, also by its counter.
        case appAttest(Environment)
        /// The hardware of an Android device, with the least of the two levels at which it keeps the key and attests. Signatures have
        /// no counter.
        case android(SecurityLevel)
    }

    /// Apple's environment; `nil` of an Android device.
    public var environment: Environment? {
        if case .appAttest(let environment) = platform { environment } else { nil }
    }
}

/// A session token and its end.
public struct IssuedSession: Hashable, Sendable {
    /// The token: ASCII, for a header `Authorization: Bearer …` (RFC 6750 §2.1).
    public let token: [UInt8]
    /// The token as text.
    public var text: String { String(decoding: token, as: UTF8.self) }
    /// The first second in which the token is refused.
    public let expiresAt: UnixTime
}

/// What an accepted token of the unattested tier says: someone asked for it. A type of its own, so that no code takes it for a
/// ``Session``.
public struct UnattestedSession: Hashable, Sendable {
    /// SHA-256 of the client address that the caller named, 32 bytes.
    public let clientAddressDigest: [UInt8]
    /// When it was issued.
    public let issuedAt: UnixTime
    /// The first second in which the token is refused.
    public let expiresAt: UnixTime
    /// Names the token: 16 random bytes.
    public let tokenID: [UInt8]
}

/// How often a session token may be used, and what that costs.
public enum SessionUse: Hashable, Sendable {
    /// Until it expires. The store is not asked, so the sessions of a revoked key live on until then.
    case untilExpiry
    /// Until it expires, is ended or its key is revoked: two looks into the store per request, at the key and at the token.
    case untilRevoked
    /// Once: the second of them is a write.
    case once
}
