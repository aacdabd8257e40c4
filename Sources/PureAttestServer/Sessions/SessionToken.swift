import PureAttest
import PureBytes
import PureKeyAttestation

/// The kind of device that a token was issued to.
enum SessionTier: Hashable, Sendable {
    case attested(Environment)
    case android(SecurityLevel)
    case unattested
}

/// A session token: a JWT (RFC 7519) in compact serialisation with HS256 (RFC 7515, RFC 7518 §3.2). It has one fixed
/// header and one fixed layout of claims, byte for byte (here with a line break):
///
///     {"alg":"HS256","kid":"…","typ":"JWT"}
///     {"sub":"…","aud":"…","env":"production","acc":"…","cat":4,"ver":"…","cdh":"…",
///     "iat":1789473600,"exp":1789474500,"jti":"…"}
///
/// The claims, where "base64" means base64url:
///
/// - `sub`: the key identifier, base64.
/// - `aud`: the audience (``SessionAudience``), base64.
/// - `env`: `production`, `development` or `unattested`; for an Android key `android-` and its security level.
/// - `acc`: the account, base64, or `null`.
/// - `cat`: the validation category, or `null`.
/// - `ver`: the UTF-8 bytes of the bundle version, base64, or `null`.
/// - `cdh`: the type of the code directory hash, one byte, then its bytes, base64, or `null`.
/// - `iat`, `exp`: times in seconds since 1970.
/// - `jti`: the token's identifier, base64.
///
/// Base64url needs no escapes. A token of any other form is rejected, even if its MAC is valid. So the reader never
/// chooses an algorithm and never parses JSON.
struct SessionToken: Hashable, Sendable {
    static let subjectByteCount = 32
    static let audienceByteCount = 32
    static let idByteCount = 16
    /// The longest token, with room to spare: a 64-byte `kid`, an account and a version of 256 bytes each, and 20-digit
    /// times.
    static let maximumByteCount = 2_048

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
        var text = Array("{\"sub\":\"".utf8)
        text += Base64.encode(subject, as: .urlSafeUnpadded)
        text += "\",\"aud\":\"".utf8
        text += Base64.encode(audience, as: .urlSafeUnpadded)
        text += "\",\"env\":\"\(tier.claim)\"".utf8
        text += Self.member("acc", holder.account?.bytes)
        text += ",\"cat\":\(holder.category.map { "\($0.rawValue)" } ?? "null")".utf8
        text += Self.member("ver", holder.version?.utf8)
        text += Self.member("cdh", holder.build.map { [$0.type] + $0.bytes })
        text += ",\"iat\":\(issuedAt.secondsSince1970)".utf8
        text += ",\"exp\":\(expiresAt.secondsSince1970),\"jti\":\"".utf8
        text += Base64.encode(id, as: .urlSafeUnpadded)
        text += "\"}".utf8
        return text
    }

    private static func member(_ name: String, _ bytes: [UInt8]?) -> [UInt8] {
        guard let bytes else { return Array(",\"\(name)\":null".utf8) }
        return Array(",\"\(name)\":\"".utf8) + Base64.encode(bytes, as: .urlSafeUnpadded) + [UInt8(ascii: "\"")]
    }

    /// Reads a token; returns `nil` if its MAC does not verify with these keys for this tier.
    ///
    /// The header is not decoded. Each key has one fixed header, and the token's header selects the key with an equal
    /// header. The MAC is compared before any claim is read.
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

    /// Reads claims of exactly the layout above.
    private init?(claims: [UInt8]) {
        var reader = ClaimsReader(claims)
        guard reader.skip("{\"sub\":\""), let subject = reader.readBytes(Self.subjectByteCount),
            reader.skip("\",\"aud\":\""), let audience = reader.readBytes(Self.audienceByteCount),
            reader.skip("\",\"env\":\""), let tier = reader.readTier(), reader.skip("\""),
            let account = reader.readMember("acc"), let category = reader.readCategory(),
            let version = reader.readMember("ver"), let build = reader.readMember("cdh"),
            let holder = SessionHolder(account: account, category: category, version: version, build: build),
            reader.skip(",\"iat\":"), let issuedAt = reader.readTime(),
            reader.skip(",\"exp\":"), let expiresAt = reader.readTime(),
            reader.skip(",\"jti\":\""), let id = reader.readBytes(Self.idByteCount),
            reader.skip("\"}"), reader.isAtEnd
        else { return nil }
        self.init(
            subject: subject, audience: audience, tier: tier, holder: holder, issuedAt: issuedAt, expiresAt: expiresAt,
            id: id)
    }

    init(
        subject: [UInt8], audience: [UInt8], tier: SessionTier, holder: SessionHolder = SessionHolder(),
        issuedAt: UnixTime, expiresAt: UnixTime, id: [UInt8]
    ) {
        self.subject = subject
        self.audience = audience
        self.tier = tier
        self.holder = holder
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.id = id
    }
}

/// The account of a token's device, and the app that ran on the device, as far as they are known.
struct SessionHolder: Hashable, Sendable {
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

    /// Decodes the claims; returns `nil` if they are not valid.
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
    var claim: String {
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

    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
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

    /// Reads a member that is bytes in base64url or `null`. Returns `nil` if it is neither.
    mutating func readMember(_ name: String) -> [UInt8]?? {
        guard skip(",\"\(name)\":") else { return nil }
        if skip("null") { return .some(nil) }
        guard skip("\"") else { return nil }
        let text = rest.prefix { $0 != UInt8(ascii: "\"") }
        guard let bytes = try? Base64.decode(text, as: .urlSafeUnpadded) else { return nil }
        rest = rest.dropFirst(text.count)
        return skip("\"") ? .some(bytes) : nil
    }

    /// Reads a number below 2³² or `null`. Returns `nil` if it is neither.
    mutating func readCategory() -> UInt32?? {
        guard skip(",\"cat\":") else { return nil }
        if skip("null") { return .some(nil) }
        guard let number = readNumber(), let category = UInt32(exactly: number) else { return nil }
        return .some(category)
    }

    mutating func readTime() -> UnixTime? { readNumber().map { UnixTime(secondsSince1970: $0) } }

    /// Reads a number without sign and leading zeros.
    private mutating func readNumber() -> Int64? {
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard let number = Int64(String(decoding: digits, as: UTF8.self)),
            digits.first != UInt8(ascii: "0") || digits.count == 1
        else { return nil }
        rest = rest.dropFirst(digits.count)
        return number
    }
}
