import PureBytes
package import PureJSON

extension JSONObject {
    /// Returns a member of signed content. As in Apple's libraries, `null` means missing.
    package func value(_ name: StaticString) -> JSONValue? {
        let value = self[name]
        if case .null? = value { return nil }
        return value
    }
}

/// The members of signed content, with their documented types.
struct PayloadMembers {
    let object: JSONObject

    init(decoding content: [UInt8]) throws(AppStoreError) {
        let value: JSONValue
        do { value = try JSONValue(decoding: content) } catch { throw .malformedContent(error) }
        guard let object = value.object else { throw .contentNotObject }
        self.object = object
    }

    init(_ object: JSONObject) { self.object = object }

    private func read<T>(
        _ name: StaticString, _ convert: (JSONValue) -> T?
    ) throws(AppStoreError) -> T? {
        guard let value = object.value(name) else { return nil }
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

/// Content that the App Store signs, with the properties that the shared verification steps need.
protocol AppStoreContent: Sendable {
    /// Reads content that is not verified yet.
    init(_ members: PayloadMembers) throws(AppStoreError)
    var signedDate: AppStoreDate { get }
    var environment: AppStoreEnvironment { get }
    /// The app that the content names, or `nil` if this kind of content names no app.
    var app: SignedApp? { get }
    var certificateStatus: CertificateStatus { get set }
}

struct SignedApp {
    let bundleID: SignedText
    let appAppleID: Int64?
    /// Whether this kind of content contains the app's Apple ID in the Production environment.
    let namesAppAppleID: Bool
}
