import PureBytes
import PureJSON

/// The members of signed content, read by their documented types. A member that is `null` counts as missing, as in
/// Apple's libraries.
struct PayloadMembers {
    let object: JSONObject

    init(decoding content: [UInt8]) throws(AppStoreError) {
        let value: JSONValue
        do { value = try JSONValue(decoding: content) } catch { throw .malformedContent(error) }
        guard let object = value.object else { throw .contentNotObject }
        self.object = object
    }

    init(_ object: JSONObject) { self.object = object }

    private func value(_ name: StaticString) -> JSONValue? {
        let value = object[name]
        if case .null? = value { return nil }
        return value
    }

    private func read<T>(
        _ name: StaticString, _ convert: (JSONValue) -> T?
    ) throws(AppStoreError) -> T? {
        guard let value = value(name) else { return nil }
        guard let converted = convert(value) else { throw .invalidMember(Self.text(name)) }
        return converted
    }

    func required<T>(_ value: T?, _ name: StaticString) throws(AppStoreError) -> T {
        guard let value else { throw .memberMissing(Self.text(name)) }
        return value
    }

    func text(_ name: StaticString) throws(AppStoreError) -> SignedText? {
        try read(name) { $0.stringUTF8.map { SignedText($0) } }
    }

    func requiredText(_ name: StaticString) throws(AppStoreError) -> SignedText {
        try required(text(name), name)
    }

    func date(_ name: StaticString) throws(AppStoreError) -> AppStoreDate? {
        try read(name) { $0.number.flatMap { AppStoreDate($0) } }
    }

    func requiredDate(_ name: StaticString) throws(AppStoreError) -> AppStoreDate {
        try required(date(name), name)
    }

    func integer(_ name: StaticString) throws(AppStoreError) -> Int64? { try read(name) { $0.number?.int64 } }

    func bool(_ name: StaticString) throws(AppStoreError) -> Bool? { try read(name) { $0.bool } }

    func members(_ name: StaticString) throws(AppStoreError) -> PayloadMembers? {
        try read(name) { $0.object.map { PayloadMembers($0) } }
    }

    func environment(_ name: StaticString) throws(AppStoreError) -> AppStoreEnvironment {
        let text = try requiredText(name)
        for environment in AppStoreEnvironment.allCases where text.isEqual(to: environment.name) { return environment }
        throw .unknownEnvironment
    }

    private static func text(_ name: StaticString) -> SignedText { SignedText(ascii(name)[...]) }
}

/// Content that the App Store signs, as the common steps need it.
protocol AppStoreContent: Sendable {
    /// Reads the content. It is not yet verified.
    init(_ members: PayloadMembers) throws(AppStoreError)
    /// When the App Store signed the content.
    var signedDate: AppStoreDate { get }
    /// The environment that the content names.
    var environment: AppStoreEnvironment { get }
    /// The app that the content names, or `nil` if this kind of content names none.
    var app: SignedApp? { get }
    /// The revocation state of the certificates.
    var certificateStatus: CertificateStatus { get set }
}

/// The app that signed content names.
struct SignedApp {
    let bundleID: SignedText
    let appAppleID: Int64?
    /// Whether this kind of content has an Apple ID in Production.
    let namesAppAppleID: Bool
}
