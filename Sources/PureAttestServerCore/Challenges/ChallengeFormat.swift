import PureAttest
import PureBytes
import PureSHA2

/// The encoding of challenges. A challenge carries all of its state, so the server stores none. The fields and their
/// lengths in bytes:
///
///     version 1 · purpose 1 · issued at 8 · lifetime 2 · random 16 · of key 16 · of account 16 · tag 32
///
/// Numbers are big-endian. The tag is the HMAC-SHA-256 of all bytes before it. The server compares the tag before it
/// uses any other byte. A challenge contains no key and no account, but a commitment to each: 16 bytes of an
/// HMAC-SHA-256 whose input includes the random bytes. The server can therefore distinguish a challenge for a different
/// key or account from a forged challenge. Nobody can tell whether two challenges belong to the same account.
///
/// The first input byte of the HMAC separates its three uses. An input part of variable length always comes last. The
/// HMAC key is derived from a session secret for this purpose and for one audience. Therefore no relying party with a
/// different audience accepts the challenge, and no relying party accepts a session token as a challenge.
package struct ChallengeFormat: Sendable {
    static let randomByteCount = 16
    private static let commitmentByteCount = 16
    private static let tagByteCount = 32
    private static let carriedByteCount = 12 + randomByteCount + 2 * commitmentByteCount
    /// The length of a challenge. Android accepts attestation challenges of at most 128 bytes.
    static let byteCount = carriedByteCount + tagByteCount
    private static let version: UInt8 = 1

    private enum Domain: UInt8 { case tag, key, account }

    struct Opened: Hashable, Sendable {
        let issuedAt: UnixTime
        let expiresAt: UnixTime
        let token: ConsumedToken
    }

    /// The HMAC functions of all keys, with the current key first.
    private let functions: [HMAC<SHA256>]

    init(keys: SessionKeys, audience: SessionAudience) {
        functions = keys.all.map { $0.challengeFunction(for: audience) }
    }

    /// `lifetime` is in seconds, at most ``RelyingPartyConfiguration/maximumChallengeLifetime``.
    func seal(
        purpose: Challenge.Purpose, keyID: [UInt8], account: AccountID?, issuedAt: UnixTime, lifetime: UInt16,
        random: [UInt8]
    ) -> [UInt8] {
        var value: [UInt8] = [Self.version, purpose.rawValue]
        value.reserveCapacity(Self.byteCount)
        value += bigEndian(issuedAt.secondsSince1970)
        value += bigEndian(lifetime)
        value += random
        value += Self.commitment(to: keyID, random: random[...], by: functions[0])
        value += Self.commitment(to: account, random: random[...], by: functions[0])
        value += Self.code(.tag, of: value[...], by: functions[0])
        return value
    }

    /// Verifies that these keys issued the challenge for this purpose, key and account, and that it has not expired.
    func open(
        _ value: [UInt8], purpose: Challenge.Purpose, keyID: [UInt8], account: AccountID?, at time: UnixTime
    ) throws(Refusal) -> Opened {
        guard value.count == Self.byteCount else { throw .malformedRequest }
        let carried = value[..<Self.carriedByteCount]
        let tag = value[Self.carriedByteCount...]
        guard let function = functions.first(where: { constantTimeEquals(Self.code(.tag, of: carried, by: $0), tag) })
        else { throw .challengeNotIssued }
        // The tag is valid, so this server created every byte.
        var reader = carried
        func take(_ count: Int) -> ArraySlice<UInt8> {
            defer { reader = reader.dropFirst(count) }
            return reader.prefix(count)
        }
        let (version, issuedFor) = (take(1), take(1))
        let issuedAt = UnixTime(secondsSince1970: Int64(truncatingIfNeeded: Self.number(take(8))))
        let expiresAt = issuedAt.adding(Int64(truncatingIfNeeded: Self.number(take(2))))
        let random = take(Self.randomByteCount)
        let (ofKey, ofAccount) = (take(Self.commitmentByteCount), take(Self.commitmentByteCount))
        guard version.first == Self.version else { throw .challengeNotIssued }
        guard time < expiresAt else { throw .challengeExpired }
        guard issuedFor.first == purpose.rawValue else { throw .challengeOfOtherPurpose }
        guard constantTimeEquals(Self.commitment(to: keyID, random: random, by: function), ofKey) else {
            throw .challengeOfOtherKey
        }
        guard constantTimeEquals(Self.commitment(to: account, random: random, by: function), ofAccount) else {
            throw .challengeOfOtherAccount
        }
        return Opened(
            issuedAt: issuedAt, expiresAt: expiresAt, token: ConsumedToken(challenge: random, expiresAt: expiresAt))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func commitment(
        to keyID: [UInt8], random: ArraySlice<UInt8>, by function: HMAC<SHA256>
    ) -> ArraySlice<UInt8> {
        // Sums of arrays only, so that Embedded Swift compiles `+` for one pair of types.
        code(.key, of: (Array(random) + keyID)[...], by: function).prefix(commitmentByteCount)
    }

    /// `nil` never equals an account, not even an account with an empty name.
    private static func commitment(
        to account: AccountID?, random: ArraySlice<UInt8>, by function: HMAC<SHA256>
    ) -> ArraySlice<UInt8> {
        let name = account.map { [1] + $0.bytes } ?? [0]
        return code(.account, of: (Array(random) + name)[...], by: function).prefix(commitmentByteCount)
    }

    private static func code(
        _ domain: Domain, of bytes: ArraySlice<UInt8>, by function: HMAC<SHA256>
    ) -> [UInt8] {
        var function = function
        function.update(data: [domain.rawValue])
        function.update(data: bytes)
        return [UInt8](function.finalize())
    }
}
