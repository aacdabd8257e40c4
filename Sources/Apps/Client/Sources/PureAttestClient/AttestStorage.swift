import Foundation

/// A persistent storage for one value, which is replaced as a whole.
///
/// The value holds key identifiers and challenges, and no secrets. Calls are made one at a time.
public protocol AttestStorage: Sendable {
    /// Returns the last saved value, or `nil` if there is none. Throws if it is unreadable now (a locked Keychain); the
    /// client then makes no key.
    func load() throws -> Data?
    /// Replaces the saved value.
    func save(_ data: Data) throws
}

struct StoredState: Codable, Equatable {
    var key: StoredKey?
    /// The end and kind of a pause in attestation.
    var pause: Pause?
    /// Consecutive failures of Apple's service or rejections by the server.
    var failures = 0
    /// The time of the last replacement of a lost key.
    var replacedAt: Date?
    /// The number of replacements since the server last accepted an assertion; `nil` for none.
    var replacements: Int?

    struct Pause: Codable, Equatable {
        let until: Date
        let isEnrolment: Bool
        /// The length; `nil` if an earlier version of the client saved it.
        let seconds: Double?
    }
}

struct StoredKey: Codable, Equatable {
    let keyID: String
    var stage: Stage

    /// Stages in order. A saved stage's values never change, so that no key signs two client data hashes.
    enum Stage: Codable, Equatable {
        case made
        case attesting(challenge: Data, since: Date)
        case attested(challenge: Data, object: Data)
        /// The server has registered the key, or may have; otherwise it answers `unknownKey`.
        case registered
    }
}
