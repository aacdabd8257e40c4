import Foundation

/// A persistent storage for one value. Saving replaces the whole value.
///
/// The value holds key identifiers and challenges, and no secrets. The client makes one call at a time.
public protocol AttestStorage: Sendable {
    /// Returns the last saved value, or `nil` if there is none. Throws if the value cannot be read at present, for
    /// example because the Keychain is locked. The client then makes no key.
    func load() throws -> Data?
    /// Replaces the saved value.
    func save(_ data: Data) throws
}

struct StoredState: Codable, Equatable {
    var key: StoredKey?
    /// The end and kind of a pause in attestation.
    var pause: Pause?
    /// The number of consecutive failures of Apple's service or rejections by the server.
    var failures = 0
    /// The time of the last replacement of a lost key.
    var replacedAt: Date?
    /// The number of replacements since the server last accepted an assertion; `nil` for none.
    var replacements: Int?

    struct Pause: Codable, Equatable {
        let until: Date
        let isEnrolment: Bool
        /// The length of the pause, or `nil` if an earlier version of the client saved the pause.
        let seconds: Double?
    }
}

struct StoredKey: Codable, Equatable {
    let keyID: String
    var stage: Stage

    /// Stages in order. The values of a saved stage never change, so that no key is attested with two client data
    /// hashes.
    enum Stage: Codable, Equatable {
        case made
        case attesting(challenge: Data, since: Date)
        case attested(challenge: Data, object: Data)
        /// The server has registered the key, or may have registered it. If it has not, it will answer `unknownKey`.
        case registered
    }
}
