import Foundation

/// Where the client keeps what it knows, as one value that is replaced as a whole: key identifiers and challenges, nothing secret, but
/// to be kept across launches. Calls are made one at a time.
public protocol AttestStorage: Sendable {
    /// What was saved last; `nil` if nothing was. An error means that this can't be told now (a Keychain that is locked): no
    /// key is then made.
    func load() throws -> Data?
    /// Replaces what was saved.
    func save(_ data: Data) throws
}

/// What the client knows of its key.
struct StoredState: Codable, Equatable {
    var key: StoredKey?
    /// Until when no key is attested, and why.
    var pause: Pause?
    /// Failures of Apple's service or of the server's judgement, one after the other.
    var failures = 0
    /// When a key that was lost was last replaced.
    var replacedAt: Date?
    /// How many keys were replaced since the server last accepted an assertion; `nil` for none.
    var replacements: Int?

    struct Pause: Codable, Equatable {
        let until: Date
        let isEnrolment: Bool
        /// Its length; `nil` if an earlier version of the client saved it.
        let seconds: Double?
    }
}

struct StoredKey: Codable, Equatable {
    let keyID: String
    var stage: Stage

    /// In this order. What a stage holds does not change once it is saved, so that no key meets two client data hashes.
    enum Stage: Codable, Equatable {
        case made
        case attesting(challenge: Data, since: Date)
        case attested(challenge: Data, object: Data)
        /// The server has taken it, or may have: it says `unknownKey` otherwise.
        case registered
    }
}
