public import PureAttest
import PureKeyAttestation

/// The server's side of App Attest and Android key attestation.
///
/// Issues challenges, registers keys, authenticates requests and opens sessions. Accepts each challenge and each
/// counter value at most once, even if calls run concurrently.
///
/// A relying party serves one environment, which its verifier determines. The caller passes the current time to every
/// call. A clock error of one minute does no harm, but the clocks of all processes must agree to within
/// ``/PureAttestServerCore/RelyingPartyConfiguration/clockMargin``.
public final class RelyingParty<Store: RelyingPartyStore>: Sendable {
    /// The error that each call throws.
    public typealias Failure = AttestServerError<Store.Failure>

    /// The rules that decide on requests. This class adds the store and the rate limiters.
    let rules: RelyingPartyRules
    /// Stores keys, consumed tokens and budgets.
    public let store: Store
    let limiters: Limiters
    let denied: DeniedTokens
    let observer: (any RelyingPartyObserver)?
    let stopwatch: @Sendable () -> Duration

    /// Verifies attestations, assertions and receipts.
    public var verifier: AppAttestVerifier { rules.verifier }
    /// The rules for Android keys; `nil` if the relying party accepts no Android keys.
    public var android: AndroidVerification? { rules.android }
    /// The server's settings.
    public var configuration: RelyingPartyConfiguration { rules.configuration }

    /// Creates a relying party.
    ///
    /// - Parameters:
    ///   - verifier: the verifier for the accepted apps and the environment.
    ///   - store: the store, which all processes share.
    ///   - sessionKeys: the session keys, the same in all processes. Relying parties for other apps or the other
    ///     environment may use the same keys, because each relying party rejects the tokens of the others.
    ///   - configuration: the server's settings.
    ///   - android: the rules for Android keys. A change invalidates outstanding challenges and unattested tokens.
    ///   - observer: receives each decision.
    ///   - stopwatch: returns the time since a fixed moment, to measure durations. The default uses the continuous
    ///     clock.
    public init(
        verifier: AppAttestVerifier, store: Store, sessionKeys: SessionKeys,
        configuration: RelyingPartyConfiguration = RelyingPartyConfiguration(), android: AndroidVerification? = nil,
        observer: (any RelyingPartyObserver)? = nil, stopwatch: (@Sendable () -> Duration)? = nil
    ) {
        rules = RelyingPartyRules(
            verifier: verifier, sessionKeys: sessionKeys, configuration: configuration, android: android)
        self.store = store
        self.observer = observer
        let start = ContinuousClock.now
        self.stopwatch = stopwatch ?? { ContinuousClock.now - start }
        limiters = Limiters(configuration)
        denied = DeniedTokens(capacity: configuration.limits.capacity)
    }

    /// Issues a challenge for one key. The client may answer the challenge once. Issuing a challenge performs no I/O,
    /// so requests cannot fill the store or reveal whether a key exists.
    ///
    /// For an attestation challenge, ``/PureAttestServerCore/RelyingPartyConfiguration/enrolment`` decides whether the
    /// key may enrol now. To save a round trip, include the challenge for the client's next assertion in any answer.
    ///
    /// - Parameters:
    ///   - purpose: the only permitted use.
    ///   - keyID: for App Attest, the identifier from `generateKey` (which needs no network), 32 bytes. To attest an
    ///     Android key, pass a handle of 32 random bytes, which the client sends again with the chain.
    ///   - account: the user, if known; never take it from the request itself. At most
    ///     ``/PureAttestServerCore/AccountID/maximumByteCount`` bytes.
    ///   - clientAddress: the requester's address, for rate limits.
    ///   - time: now.
    /// - Throws: ``/PureAttestServerCore/Refusal/malformedRequest``,
    ///   ``/PureAttestServerCore/Refusal/rateLimited(retryAfter:)``,
    ///   ``/PureAttestServerCore/Refusal/enrolmentDeferred(retryAfter:)``.
    public func issueChallenge(
        purpose: Challenge.Purpose, keyID: [UInt8], account: AccountID? = nil, clientAddress: ClientAddress? = nil,
        at time: UnixTime
    ) throws(Failure) -> Challenge {
        try decide(.issueChallenge, keyID: keyID, account: account, at: time) { () throws(Refusal) in
            try rules.issueChallenge(
                purpose: purpose, keyID: keyID, account: account, clientAddress: clientAddress, random: freshBytes(),
                at: time
            ) { $0 }
        }
    }

    /// Revokes a key, so that its assertions and sessions are rejected from now on. Sessions under
    /// ``/PureAttestServerCore/SessionUse/untilExpiry`` stay valid. Repeat the call after a store error.
    ///
    /// Also adds the key to the list of consumed tokens, even if the store has no record of the key. If a restored
    /// database lacks this record, call this method again. The entry then causes the rejection of the key's sessions
    /// until the longest session has expired.
    ///
    /// - Returns: `true` if this call revoked the key; `false` if the key is unknown or was revoked before.
    @discardableResult
    public func revoke(keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool {
        try await run(rules.revoke(keyID: keyID, at: time) { $0 })
    }

    /// Returns the keys of an account, including revoked keys, ordered by identifier.
    ///
    /// `keyID` is the last key of the previous page; only keys after it are returned. `limit` is clamped to 1…1000.
    public func keys(
        of account: AccountID, after keyID: [UInt8]? = nil, limit: Int = 100
    ) async throws(Failure) -> [KeyRecord] {
        do { return try await store.keys(of: account, after: keyID, limit: min(max(limit, 1), 1_000)) } catch {
            throw .store(error)
        }
    }

    /// Revokes all keys of an account in one step, and returns how many keys this call revoked. If the account must not
    /// register new keys, end its login first.
    ///
    /// Unlike ``revoke(keyID:at:)``, this call does not add the keys to the list of consumed tokens. If a restored
    /// database lacks a key's record, the relying party accepts that key's sessions until they expire.
    @discardableResult
    public func revokeKeys(of account: AccountID, at time: UnixTime) async throws(Failure) -> Int {
        do { return try await store.revokeKeys(of: account, at: time) } catch { throw .store(error) }
    }

    /// Deletes the consumed tokens that have expired, and the budgets of past periods, from the store. Call it
    /// periodically, in one process.
    public func removeExpired(at time: UnixTime) async throws(Failure) {
        do {
            try await store.removeExpired(at: time)
            // A period is deleted only after it has ended on the clocks of all processes, because an earlier deletion
            // would restore the whole allowance.
            try await store.removeBudgets(endedAt: time.adding(-RelyingPartyConfiguration.clockMargin))
        } catch { throw .store(error) }
    }
}
