/// The server's name for a user: opaque bytes, compared exactly.
///
/// The caller of `RelyingParty` establishes the account by other means, such as a login. Never take the account from
/// an unproven claim in the request.
public struct AccountID: Hashable, Sendable {
    /// The maximum length of a name in bytes. This bound keeps session tokens short.
    public static let maximumByteCount = 256

    /// The name's bytes.
    public let bytes: [UInt8]

    /// Creates an account from the bytes of its name.
    public init(bytes: some Collection<UInt8>) {
        self.bytes = [UInt8](bytes)
    }

    /// Creates an account from text. Names are compared as UTF-8 bytes, so different Unicode encodings of the same
    /// character identify different accounts.
    public init(_ name: String) {
        self.init(bytes: name.utf8)
    }
}
