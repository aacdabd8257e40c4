package import PureAttest
import PureBytes
package import PureKeyAttestation

/// The kind of device that a token was issued to.
package enum SessionTier: Hashable, Sendable {
    case attested(Environment)
    case android(SecurityLevel)
    case unattested
}

/// A session token: a JWT (RFC 7519) in compact serialisation with HS256 (RFC 7515, RFC 7518 §3.2). The header and the
/// layout of the claims are fixed byte for byte (shown here with an added line break):
///
///     {"alg":"HS256","kid":"…","typ":"JWT"}
///     {"sub":"…","aud":"…","env":"production","acc":"…","cat":4,"ver":"…","cdh":"…",
///     "iat":1789473600,"exp":1789474500,"jti":"…"}
///
/// The claims (in this list, "base64" means base64url):
///
/// - `sub`: the key identifier, or in the unattested tier the SHA-256 of the client address, base64.
/// - `aud`: the audience (``SessionAudience``), base64.
/// - `env`: `production`, `development` or `unattested`; for an Android key, `android-` followed by its security level.
/// - `acc`: the account, base64, or `null`.
/// - `cat`: the validation category, or `null`.
/// - `ver`: the UTF-8 bytes of the bundle version, base64, or `null`.
/// - `cdh`: the type of the code directory hash in one byte, followed by the hash, together in base64; or `null`.
/// - `iat`, `exp`: times in seconds since 1970.
/// - `jti`: the token's identifier, base64.
///
/// Base64url needs no escapes. A token with any other header or layout is rejected, even if its MAC is valid. The code
/// that reads tokens therefore never chooses an algorithm and never parses JSON.
package struct SessionToken: Hashable, Sendable {
    static let subjectByteCount = 32
    static let audienceByteCount = 32
    /// The maximum length of a token. This bound exceeds the length of a token even with a 64-byte `kid`, an account
    /// and a version of 256 bytes each, and 20-digit times.
    package static let maximumByteCount = 2_048

    let subject: [UInt8]
    let audience: [UInt8]
    let tier: SessionTier
    let holder: SessionHolder
    let issuedAt: UnixTime
    let expiresAt: UnixTime
    let id: [UInt8]

    func signed(with keys: SessionKeys) -> [UInt8] {
        var token = keys.current.header
        token.append(Self.dot)
        token += Base64.encode(claims, as: .urlSafeUnpadded)
        let code = keys.current.code(of: token, tier: tier)
        token.append(Self.dot)
        token += Base64.encode(code, as: .urlSafeUnpadded)
        return token
    }

    private static let dot = UInt8(ascii: ".")

    private var claims: [UInt8] {
        var text = ascii("{\"sub\":\"")
        text += Base64.encode(subject, as: .urlSafeUnpadded)
        text += ascii("\",\"aud\":\"")
        text += Base64.encode(audience, as: .urlSafeUnpadded)
        text += ascii("\",\"env\":\"")
        text += ascii(tier.claim)
        text += ascii("\",\"acc\":")
        text += Self.base64OrNull(holder.account?.bytes)
        text += ascii(",\"cat\":")
        text += holder.category.map { decimal(Int64($0.rawValue)) } ?? Self.null
        text += ascii(",\"ver\":")
        text += Self.base64OrNull(holder.version?.utf8)
        text += ascii(",\"cdh\":")
        text += Self.base64OrNull(holder.build.map { [$0.type] + $0.bytes })
        text += ascii(",\"iat\":")
        text += decimal(issuedAt.secondsSince1970)
        text += ascii(",\"exp\":")
        text += decimal(expiresAt.secondsSince1970)
        text += ascii(",\"jti\":\"")
        text += Base64.encode(id, as: .urlSafeUnpadded)
        text += ascii("\"}")
        return text
    }

    private static var null: [UInt8] { ascii("null") }

    private static func base64OrNull(_ bytes: [UInt8]?) -> [UInt8] {
        guard let bytes else { return null }
        let quote = [UInt8(ascii: "\"")]
        return quote + Base64.encode(bytes, as: .urlSafeUnpadded) + quote
    }
}

extension SessionToken {
    /// Reads a token; returns `nil` if its MAC does not verify with these keys for this tier. The header is not
    /// decoded. Each session key has one fixed header, and the token is verified with the key whose header equals the
    /// token's header. The MAC is compared before any claim is read.
    init?(_ token: [UInt8], keys: SessionKeys, tier: SessionTier) {
        guard token.count <= Self.maximumByteCount,
            let key = keys.all.first(where: {
                token.starts(with: $0.header) && token.dropFirst($0.header.count).first == Self.dot
            }),
            let last = token.lastIndex(of: Self.dot), last > key.header.count,
            let code = try? Base64.decode(token[(last + 1)...], as: .urlSafeUnpadded),
            constantTimeEquals(code, key.code(of: token[..<last], tier: tier)),
            let claims = try? Base64.decode(token[(key.header.count + 1)..<last], as: .urlSafeUnpadded)
        else { return nil }
        self.init(claims: claims)
        guard self.tier.isUnattested == tier.isUnattested else { return nil }
    }

    /// Reads claims in exactly the layout above.
    private init?(claims: [UInt8]) {
        var reader = ClaimsReader(claims)
        guard reader.skip("{\"sub\":\""), let subject = reader.readBytes(Self.subjectByteCount),
            reader.skip("\",\"aud\":\""), let audience = reader.readBytes(Self.audienceByteCount),
            reader.skip("\",\"env\":\""), let tier = reader.readTier(), reader.skip("\""),
            reader.skip(",\"acc\":"), let account = reader.readBase64OrNull(),
            reader.skip(",\"cat\":"), let category = reader.readCategoryOrNull(),
            reader.skip(",\"ver\":"), let version = reader.readBase64OrNull(),
            reader.skip(",\"cdh\":"), let build = reader.readBase64OrNull(),
            let holder = SessionHolder(account: account, category: category, version: version, build: build),
            reader.skip(",\"iat\":"), let issuedAt = reader.readTime(),
            reader.skip(",\"exp\":"), let expiresAt = reader.readTime(),
            reader.skip(",\"jti\":\""), let id = reader.readBytes(RelyingPartyRules.randomByteCount),
            reader.skip("\"}"), reader.isAtEnd
        else { return nil }
        self.init(
            subject: subject, audience: audience, tier: tier, holder: holder, issuedAt: issuedAt, expiresAt: expiresAt,
            id: id)
    }
}

/// The account of a token's device and information about the app that ran on the device, as far as they are known.
package struct SessionHolder: Hashable, Sendable {
    var account: AccountID?
    var category: ValidationCategory?
    var version: BundleVersion?
    var build: CodeDirectoryHash?

    init() {}

    init(account: AccountID?, launch: LaunchInformation?) {
        self.account = account
        category = launch?.validationCategory
        version = launch?.bundleVersion
        build = launch?.codeDirectoryHash
    }

    fileprivate init?(account: [UInt8]?, category: UInt32?, version: [UInt8]?, build: [UInt8]?) {
        self.account = account.map { AccountID(bytes: $0) }
        self.category = category.map { ValidationCategory(rawValue: $0) }
        self.version = version.map { BundleVersion(utf8: $0) }
        guard let build else { return }
        guard let type = build.first else { return nil }
        self.build = CodeDirectoryHash(type: type, bytes: Array(build.dropFirst()))
    }
}

extension SessionTier {
    static let all: [SessionTier] = [
        .attested(.production), .attested(.development), .android(.software), .android(.trustedEnvironment),
        .android(.strongBox), .unattested,
    ]

    var isUnattested: Bool { self == .unattested }

    /// The value of `env`.
    var claim: StaticString {
        switch self {
        case .attested(.production): "production"
        case .attested(.development): "development"
        case .android(.software): "android-software"
        case .android(.trustedEnvironment): "android-tee"
        case .android(.strongBox): "android-strongbox"
        case .unattested: "unattested"
        }
    }
}

private struct ClaimsReader {
    private var rest: ArraySlice<UInt8>

    init(_ claims: [UInt8]) { rest = claims[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Not inlined in Embedded Swift, because the layout has many literals.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    mutating func skip(_ text: StaticString) -> Bool {
        guard isEqual(rest.prefix(text.utf8CodeUnitCount), text) else { return false }
        rest = rest.dropFirst(text.utf8CodeUnitCount)
        return true
    }

    /// Reads `count` bytes in base64url.
    mutating func readBytes(_ count: Int) -> [UInt8]? {
        let length = (count * 4 + 2) / 3
        guard rest.count >= length,
            let bytes = try? Base64.decode(rest.prefix(length), as: .urlSafeUnpadded)
        else { return nil }
        rest = rest.dropFirst(length)
        return bytes
    }

    mutating func readTier() -> SessionTier? {
        for tier in SessionTier.all where skip(tier.claim) { return tier }
        return nil
    }

    /// Reads bytes in base64url or `null`. Returns `nil` if the text is neither.
    mutating func readBase64OrNull() -> [UInt8]?? {
        if skip("null") { return .some(nil) }
        guard skip("\"") else { return nil }
        let text = rest.prefix { $0 != UInt8(ascii: "\"") }
        guard let bytes = try? Base64.decode(text, as: .urlSafeUnpadded) else { return nil }
        rest = rest.dropFirst(text.count)
        return skip("\"") ? .some(bytes) : nil
    }

    /// Reads a number below 2³² or `null`.
    mutating func readCategoryOrNull() -> UInt32?? {
        if skip("null") { return .some(nil) }
        guard let number = readNumber(), let category = UInt32(exactly: number) else { return nil }
        return .some(category)
    }

    mutating func readTime() -> UnixTime? { readNumber().map { UnixTime(secondsSince1970: $0) } }

    /// Reads a number without a sign or leading zeros.
    private mutating func readNumber() -> Int64? {
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard !digits.isEmpty, digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var number: Int64 = 0
        for digit in digits {
            let digit = Int64(digit - UInt8(ascii: "0"))
            // Checks that 10 · number + digit ≤ Int64.max, without overflow.
            guard number <= (Int64.max - digit) / 10 else { return nil }
            number = number &* 10 &+ digit
        }
        rest = rest.dropFirst(digits.count)
        return number
    }
}

private func decimal(_ number: Int64) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = number.magnitude
    repeat {
        digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
    } while rest > 0
    if number < 0 { digits.append(UInt8(ascii: "-")) }
    return digits.reversed()
}
