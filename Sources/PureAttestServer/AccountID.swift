/// A user, as the server names them: opaque bytes, compared as they are.
///
/// Whoever calls ``RelyingParty`` has established it by other means (a login); no request's own claim belongs here.
public struct AccountID: Hashable, Sendable {
    /// The longest name in bytes that a ``RelyingParty`` takes: ours, so that session tokens stay short.
    public static let maximumByteCount = 256

    /// The name's bytes.
    public let bytes: [UInt8]

    /// An account by any bytes that name it.
    public init(bytes: some Collection<UInt8>) {
        self.bytes = [UInt8](bytes)
    }

    /// An account by text; its UTF-8 bytes count, so that two spellings of one character are two accounts.
    public init(_ name: String) {
        self.init(bytes: name.utf8)
    }
}
