import Foundation

/// Persistent storage for one value, which the client always saves as a whole.
///
/// The value contains key identifiers and challenges, and no secrets. The client never makes two calls at the same
/// time.
public protocol AttestStorage: Sendable {
    /// Returns the last saved value, or `nil` if there is none. Throws if the value cannot currently be read, for
    /// example because the Keychain is locked. After such an error the client makes no key.
    func load() throws -> Data?
    /// Replaces the saved value.
    func save(_ data: Data) throws
}

struct StoredState: Codable, Equatable {
    var key: StoredKey?
    var pause: Pause?
    /// The number of consecutive failures of Apple's service or rejections by the server.
    var failures = 0
    var replacedAt: Date?
    /// The number of replacements since the server last accepted an assertion; `nil` for none.
    var replacements: Int?

    struct Pause: Codable, Equatable {
        let until: Date
        let isEnrolment: Bool
        /// `nil` if an earlier version of the client saved the pause.
        let seconds: Double?
    }
}

struct StoredKey: Codable, Equatable {
    let keyID: String
    var stage: Stage

    /// The stages in order. A saved challenge never changes, so that no key is attested with two client data hashes.
    enum Stage: Codable, Equatable {
        case made
        case attesting(challenge: Data, since: Date)
        case attested(challenge: Data, object: Data)
        /// The server has registered the key, or may have registered it. If it has not, it will answer `unknownKey`.
        case registered
    }
}
