import PureBytes
import PureSHA2

/// A secret that signs session tokens. The key that authenticates challenges is derived from this secret. Each token
/// names its app and environment, so relying parties for different apps or environments may share a secret.
public struct SessionKey: Sendable {
    /// The minimum length of a secret in bytes: the output length of the hash function (RFC 7518 §3.2).
    public static let minimumSecretByteCount = 32
    /// The maximum length of an identifier in bytes. This bound keeps token headers short.
    public static let maximumIDByteCount = 64

    /// The first segment of every token that is signed with this key.
    let header: [UInt8]
    private let attested: HMAC<SHA256>
    private let unattested: HMAC<SHA256>
    private let challenges: HMAC<SHA256>

    /// Creates a key. The secret should come from a random generator.
    ///
    /// - Returns: `nil` unless `id` has 1 to 64 characters of `A-Z a-z 0-9 - _ .` and `secret` has at least 32 bytes.
    public init?(id: String, secret: some Collection<UInt8>) {
        self.init(idASCII: [UInt8](id.utf8), secret: secret)
    }

    /// Creates a key like ``init(id:secret:)``, from the bytes of its identifier.
    public init?(idASCII id: [UInt8], secret: some Collection<UInt8>) {
        guard 1...Self.maximumIDByteCount ~= id.count, id.allSatisfy(Self.isAllowed),
            secret.count >= Self.minimumSecretByteCount
        else { return nil }
        // This is the only accepted header; its members are in alphabetical order. No character of `id` needs an
        // escape.
        header = Base64.encode(
            ascii("{\"alg\":\"HS256\",\"kid\":\"") + id + ascii("\",\"typ\":\"JWT\"}"), as: .urlSafeUnpadded)
        attested = HMAC(key: secret)
        // The unattested tier has a separate MAC key. A defect in the handling of claims therefore cannot turn an
        // unattested-tier token into an attested one.
        unattested = HMAC(key: Self.derive(from: secret, for: "PureAttest unattested tier"))
        challenges = HMAC(key: Self.derive(from: secret, for: "PureAttest challenges"))
    }

    /// Returns the MAC of a token's first two segments with the dot between them (RFC 7515 §5.1).
    func code(of signingInput: some Collection<UInt8>, tier: SessionTier) -> HMAC<SHA256>.MAC {
        var code = tier == .unattested ? unattested : attested
        code.update(data: signingInput)
        return code.finalize()
    }

    /// Returns the MAC function of the challenges of an audience. Each audience has a separate key, which authenticates
    /// only its challenges. A challenge for a different audience is therefore not accepted, and a session token is not
    /// accepted as a challenge.
    func challengeFunction(for audience: SessionAudience) -> HMAC<SHA256> {
        var derivation = challenges
        derivation.update(data: audience.service)
        return HMAC(key: [UInt8](derivation.finalize()))
    }

    /// Returns an array, not a `MAC`, so that Embedded Swift compiles the initialiser of `HMAC` for one type only.
    private static func derive(from secret: some Collection<UInt8>, for purpose: StaticString) -> [UInt8] {
        [UInt8](HMAC<SHA256>.authenticationCode(for: ascii(purpose), using: secret))
    }

    private static func isAllowed(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// The keys of session tokens and challenges. The server signs with the current key, and verifies with the current and
/// the former keys.
///
/// To rotate without rejecting any client:
///
/// 1. In all processes, pass the new key as a former key in addition to the current key. Every process then accepts
///    tokens of the new key.
/// 2. In all processes, make the new key current and the old key former.
/// 3. Remove the old key when the last token of this key has expired.
public struct SessionKeys: Sendable {
    let current: SessionKey
    let all: [SessionKey]

    /// Creates a set of keys, whose identifiers should differ. If two keys have the same identifier, the first key is
    /// used.
    public init(current: SessionKey, former: [SessionKey] = []) {
        self.current = current
        all = [current] + former
    }
}
