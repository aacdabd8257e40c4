public import PureAttest
import PureKeyAttestation

/// The server's side of App Attest and Android key attestation.
///
/// Issues challenges, registers keys, authenticates requests and opens sessions. Accepts each challenge and each
/// counter value at most once, also under concurrent calls.
///
/// A relying party serves one environment, which its verifier determines. The caller passes the current time to every
/// call. An error of a minute does no harm, but the clocks of all processes must agree to within
/// ``RelyingPartyConfiguration/clockMargin``.
public final class RelyingParty<Store: RelyingPartyStore>: Sendable {
    /// The error that each call throws.
    public typealias Failure = AttestServerError<Store.Failure>

    /// Verifies attestations, assertions and receipts.
    public let verifier: AppAttestVerifier
    /// The rules for Android keys; `nil` if the relying party accepts no Android keys.
    public let android: AndroidVerification?
    /// Stores keys, consumed tokens and budgets.
    public let store: Store
    /// The server's settings.
    public let configuration: RelyingPartyConfiguration
    let sessionKeys: SessionKeys
    let audience: SessionAudience
    let challenges: ChallengeFormat
    let limiters: Limiters
    let denied: DeniedTokens
    let observer: (any RelyingPartyObserver)?
    let stopwatch: @Sendable () -> Duration
    let decoys: DecoyKeys

    /// Creates a relying party.
    ///
    /// - Parameters:
    ///   - verifier: verifies for the accepted apps and the environment.
    ///   - store: one for all processes.
    ///   - sessionKeys: the same in all processes. Relying parties for other apps or the other environment may use the
    ///     same keys, because each rejects the others' tokens.
    ///   - configuration: the server's settings.
    ///   - android: the rules for Android keys. Changing this setting invalidates outstanding challenges and
    ///     unattested-tier tokens.
    ///   - observer: receives each decision.
    ///   - stopwatch: returns the time since a fixed moment, to measure each decision's duration; by default from the
    ///     system's continuous clock.
    public init(
        verifier: AppAttestVerifier, store: Store, sessionKeys: SessionKeys,
        configuration: RelyingPartyConfiguration = RelyingPartyConfiguration(), android: AndroidVerification? = nil,
        observer: (any RelyingPartyObserver)? = nil, stopwatch: (@Sendable () -> Duration)? = nil
    ) {
        self.verifier = verifier
        self.store = store
        self.sessionKeys = sessionKeys
        self.configuration = configuration
        self.android = android
        decoys =
            configuration.answerPolicy == .uniform
            ? DecoyKeys(
                verifier: verifier, android: android?.verifier, multiples: configuration.publicKeyMultiples)
            : DecoyKeys()
        audience = SessionAudience(
            apps: verifier.apps, environment: verifier.environment, android: android?.verifier.apps)
        challenges = ChallengeFormat(keys: sessionKeys, audience: audience)
        self.observer = observer
        self.stopwatch = stopwatch ?? Self.continuousStopwatch()
        limiters = Limiters(configuration)
        denied = DeniedTokens(capacity: configuration.limits.capacity)
    }

    private static func continuousStopwatch() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }

    /// Issues a challenge for one key, to be answered once.
    ///
    /// Issuing a challenge performs no I/O, so requests cannot fill the store or reveal whether a key exists.
    ///
    /// For an attestation challenge, ``RelyingPartyConfiguration/enrolment`` decides whether the key may enrol now. To
    /// save the client a round trip, include the challenge for its next assertion in any answer.
    ///
    /// - Parameters:
    ///   - purpose: the only permitted use.
    ///   - keyID: for App Attest, the identifier from `generateKey` (which needs no network), 32 bytes. For an Android
    ///     key to be attested, a handle: 32 random bytes that the client sends again with the chain.
    ///   - account: the user, if the server knows the user; never from the request itself. At most
    ///     ``AccountID/maximumByteCount`` bytes.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: ``Refusal/malformedRequest``, ``Refusal/rateLimited(retryAfter:)``,
    ///   ``Refusal/enrolmentDeferred(retryAfter:)``.
    public func issueChallenge(
        purpose: Challenge.Purpose, keyID: [UInt8], account: AccountID? = nil, clientAddress: ClientAddress? = nil,
        at time: UnixTime
    ) throws(Failure) -> Challenge {
        try observed(.issueChallenge, keyID: keyID, account: account, at: time) { _ throws(Failure) in
            guard keyID.count == keyIDByteCount, fits(account) else { throw .refused(.malformedRequest) }
            if let clientAddress { try admit(clientAddress.bytes, by: limiters.requestsPerClientAddress, at: time) }
            if purpose == .attestation {
                try admitEnrolment(keyID: keyID, account: account, clientAddress: clientAddress, at: time)
            }
            let lifetime = min(
                max(configuration.challengeLifetime, 1), RelyingPartyConfiguration.maximumChallengeLifetime)
            let value = challenges.seal(
                purpose: purpose, keyID: keyID, account: account, issuedAt: time, lifetime: UInt16(lifetime),
                random: randomBytes(ChallengeFormat.randomByteCount))
            return Challenge(
                value: value, purpose: purpose, keyID: keyID, account: account, issuedAt: time,
                expiresAt: time.adding(lifetime))
        }
    }

    /// Applies the roll-out, the global enrolment rate, and the limit of the account, or of the client address if there
    /// is no account. Checks this limit first, then consumes from the global rate, and last from this limit. A request
    /// rejected by one limiter does not consume the other's allowance.
    private func admitEnrolment(
        keyID: [UInt8], account: AccountID?, clientAddress: ClientAddress?, at time: UnixTime
    ) throws(Failure) {
        switch configuration.enrolment.wait(for: account?.bytes ?? keyID, at: time) {
        case .seconds(let seconds): throw .refused(.enrolmentDeferred(retryAfter: seconds))
        case .unknown: throw .refused(.enrolmentDeferred(retryAfter: nil))
        case nil: break
        }
        if let account {
            try check(account.bytes, by: limiters.enrolmentsPerAccount, at: time)
        } else if let clientAddress {
            try deferring { () throws(Refusal) in
                try limiters.enrolmentsPerClientAddress.check(clientAddress.bytes, at: time)
            }
        }
        try deferring { () throws(Refusal) in try limiters.enrolmentRate.admit([], at: time) }
        if let account {
            try admit(account.bytes, by: limiters.enrolmentsPerAccount, at: time)
        } else if let clientAddress {
            try deferring { () throws(Refusal) in
                try limiters.enrolmentsPerClientAddress.admit(clientAddress.bytes, at: time)
            }
        }
    }

    /// Turns a rejection by a rate limit into a deferred enrolment, so that the device knows to enrol later.
    private func deferring(_ body: () throws(Refusal) -> Void) throws(Failure) {
        do { try body() } catch {
            guard case .rateLimited(let seconds) = error else { throw .refused(error) }
            throw .refused(.enrolmentDeferred(retryAfter: seconds))
        }
    }

    /// Revokes a key: rejects its assertions from now on, and its sessions unless they are ``SessionUse/untilExpiry``.
    /// Repeat the call if it throws the store's error.
    ///
    /// Stores the revocation in the key's record, and the key in the list of consumed tokens. If a database is restored
    /// without the record, the list still rejects the key's sessions, until even the longest session has expired.
    ///
    /// - Returns: `true` if this call revoked the key; `false` if the key is unknown or was revoked before.
    @discardableResult
    public func revoke(keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool {
        do {
            let revoked = try await store.revokeKey(keyID, at: time)
            _ = try await store.consume(
                ConsumedToken(id: keyID, until: time.adding(RelyingPartyConfiguration.revokedKeyListing)))
            return revoked
        } catch { throw .store(error) }
    }

    /// Returns the keys of an account, including revoked keys, ordered by identifier.
    ///
    /// - Parameters:
    ///   - account: the user.
    ///   - keyID: the last key of the previous page; only keys after it are returned.
    ///   - limit: the most keys to return, clamped to 1…1000.
    public func keys(
        of account: AccountID, after keyID: [UInt8]? = nil, limit: Int = 100
    ) async throws(Failure) -> [KeyRecord] {
        do { return try await store.keys(of: account, after: keyID, limit: min(max(limit, 1), 1_000)) } catch {
            throw .store(error)
        }
    }

    /// Revokes all keys of an account in one step, like ``revoke(keyID:at:)``. The account can register new keys; to
    /// prevent this, end its login first.
    ///
    /// Unlike ``revoke(keyID:at:)``, this call does not add the keys to the list of consumed tokens. After a database
    /// is restored without a record, that key's sessions are accepted again.
    ///
    /// - Returns: the number of keys that this call revoked.
    @discardableResult
    public func revokeKeys(of account: AccountID, at time: UnixTime) async throws(Failure) -> Int {
        do { return try await store.revokeKeys(of: account, at: time) } catch { throw .store(error) }
    }

    /// Deletes expired consumed tokens and budgets of past periods from the store. Call it periodically, in one
    /// process.
    public func removeExpired(at time: UnixTime) async throws(Failure) {
        do {
            try await store.removeExpired(at: time)
            try await removePastBudgets(at: time)
        } catch { throw .store(error) }
    }

    func fits(_ account: AccountID?) -> Bool { (account?.bytes.count ?? 0) <= AccountID.maximumByteCount }

    /// Runs the checks before verification, cheapest first, and returns the challenge to consume. `name` is the key
    /// identifier, or the handle if the key did not exist yet.
    func open(
        _ challenge: [UInt8], purpose: Challenge.Purpose, name: [UInt8], account: AccountID?,
        clientAddress: ClientAddress?, at time: UnixTime
    ) throws(Failure) -> ConsumedToken {
        guard name.count == keyIDByteCount, fits(account) else { throw .refused(.malformedRequest) }
        if let clientAddress { try admit(clientAddress.bytes, by: limiters.requestsPerClientAddress, at: time) }
        let opened = try refusing { () throws(Refusal) in
            try challenges.open(challenge, purpose: purpose, keyID: name, account: account, at: time)
        }
        try checkFailures(of: account, at: time)
        return opened.token
    }

    /// Wraps the store's error.
    func asked<Value: Sendable>(_ body: () async throws(Store.Failure) -> Value) async throws(Failure) -> Value {
        do { return try await body() } catch { throw .store(error) }
    }

    /// Wraps the check's rejection.
    func refusing<Value>(_ body: () throws(Refusal) -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw .refused(error) }
    }

    /// Rejects an account whose attestations and assertions keep failing.
    func checkFailures(of account: AccountID?, at time: UnixTime) throws(Failure) {
        if let account { try check(account.bytes, by: limiters.failuresPerAccount, at: time) }
    }

    /// Counts a failed verification of the account. After too many failures the account must wait.
    func noteFailure(of account: AccountID?, at time: UnixTime) {
        if let account { try? limiters.failuresPerAccount.admit(account.bytes, at: time) }
    }

    func admit(_ name: [UInt8], by limiter: RateLimiter, at time: UnixTime) throws(Failure) {
        try refusing { () throws(Refusal) in try limiter.admit(name, at: time) }
    }

    func check(_ name: [UInt8], by limiter: RateLimiter, at time: UnixTime) throws(Failure) {
        try refusing { () throws(Refusal) in try limiter.check(name, at: time) }
    }
}

/// The length of a key identifier, a SHA-256 hash.
let keyIDByteCount = 32
