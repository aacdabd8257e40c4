public import PureAttest

// What a relying party keeps. Each requirement is one atomic step: whoever implements it with a read followed by a write has
// to make the two one (a lock, a transaction, or better a single conditional statement). `PureAttestStoreTesting` tests it.
//
// A call that throws may have taken effect or not, but never in part, and never for two callers.

/// Where challenges wait for their answer.
public protocol ChallengeStore: Sendable {
    /// Why the store is out of order. None of its values is an answer to a client's request.
    associatedtype Failure: Error

    /// Keeps a challenge. Its ``Challenge/id`` is random and new.
    func insertChallenge(_ challenge: Challenge) async throws(Failure)

    /// Removes the challenge and returns it: of any number of calls with one `id`, at any time, exactly one gets it.
    /// Expired ones may be returned or not.
    func consumeChallenge(_ id: [UInt8]) async throws(Failure) -> Challenge?

    /// Drops what is not needed any more at `time`: for memory, not for correctness.
    func removeExpired(at time: UnixTime) async throws(Failure)
}

/// Where keys are kept, for as long as devices may use them.
public protocol KeyStore: Sendable {
    /// Why the store is out of order.
    associatedtype Failure: Error

    /// Keeps a key unless one with the same key ID is there, revoked or not; that one stays as it is.
    ///
    /// - Returns: the record that was there, or `nil` if `record` was inserted: of any number of calls, one gets `nil`.
    func insertKey(_ record: KeyRecord) async throws(Failure) -> KeyRecord?

    /// The record of a key, the revoked ones included: whether a session's key is revoked is asked here, however long ago it was.
    func key(_ keyID: [UInt8]) async throws(Failure) -> KeyRecord?

    /// Replaces `current` by `advanced`, if the record holds exactly `current` and is not revoked (compare-and-set).
    ///
    /// - Returns: whether it did: of any number of calls with one `current`, one gets `true`.
    func advanceCounter(from current: AttestedKey, to advanced: AttestedKey) async throws(Failure) -> Bool

    /// Marks a key as revoked, for good. From then on ``advanceCounter(from:to:)`` refuses.
    ///
    /// - Returns: whether there is such a key and this call revoked it.
    func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool
}

/// Where tokens are listed that are refused before they expire.
public protocol TokenStore: Sendable {
    /// Why the store is out of order.
    associatedtype Failure: Error

    /// Lists an identifier; from `until` on, and not a second earlier, it may be forgotten. That is up to
    /// ``RelyingPartyConfiguration/maximumSessionLifetime`` and some minutes away, whatever the configuration.
    ///
    /// - Returns: whether it was not listed before: of any number of calls with one `id`, one gets `true`.
    func denyToken(_ id: [UInt8], until: UnixTime) async throws(Failure) -> Bool

    /// Whether the identifier is listed.
    func isTokenDenied(_ id: [UInt8]) async throws(Failure) -> Bool
}

/// All that a ``RelyingParty`` keeps. Separate stores are joined by a type that forwards to them.
public protocol RelyingPartyStore: ChallengeStore, KeyStore, TokenStore {}
