public import PureAttest
import PureKeyAttestation

/// The server's side of App Attest: issues challenges, registers keys, authenticates requests and opens sessions, so that each
/// challenge and each counter value counts once, whatever runs at the same time.
///
/// One relying party is for one environment, that of its verifier. It needs a clock: every call is given the time, in which
/// a minute more or less does no harm; those of all processes must agree to within ``RelyingPartyConfiguration/clockMargin``.
public final class RelyingParty<Store: RelyingPartyStore>: Sendable {
    /// What each call throws.
    public typealias Failure = AttestServerError<Store.Failure>

    /// What verifies objects.
    public let verifier: AppAttestVerifier
    /// Which keys of Android devices are accepted besides; `nil`: none.
    public let android: AndroidVerification?
    /// Keeps keys, consumed tokens and budgets.
    public let store: Store
    /// What the server decided.
    public let configuration: RelyingPartyConfiguration
    let sessionKeys: SessionKeys
    let audience: SessionAudience
    let challenges: ChallengeFormat
    let limiters: Limiters
    let denied: DeniedTokens
    let observer: (any RelyingPartyObserver)?
    let stopwatch: @Sendable () -> Duration
    let decoys: DecoyKeys

    /// A relying party.
    ///
    /// - Parameters:
    ///   - verifier: for the apps and the environment.
    ///   - store: keeps keys, consumed tokens and budgets; one for all processes.
    ///   - sessionKeys: from the server's configuration, the same in all its processes. Where relying parties for other
    ///     apps or the other environment have them too, no token of one opens the other.
    ///   - configuration: what the server decides.
    ///   - android: which keys of Android devices are accepted besides. Changing this setting invalidates outstanding challenges and
    ///     unattested-tier tokens.
    ///   - observer: gets each decision.
    ///   - stopwatch: the time since some moment, by which an observer is told how long a decision took; the system's continuous clock
    ///     unless told otherwise.
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

    /// Makes a challenge that one key may answer once. Nothing is written and nothing looked up: neither does asking for challenges
    /// fill the store, nor does the answer tell whether the key is known.
    ///
    /// For a key that has to be attested, ``RelyingPartyConfiguration/enrolment`` decides whether that may happen now. One for the next
    /// assertion may go out with any answer to a device, so that its next request needs none before it.
    ///
    /// - Parameters:
    ///   - purpose: what it may be used for.
    ///   - keyID: the identifier that the client names, 32 bytes: from `generateKey`, which needs no network. An Android key has none
    ///     before it is attested: a handle of 32 random bytes, which the client sends again with the chain.
    ///   - account: the user, where the server knows one; not from the request itself. At most ``AccountID/maximumByteCount`` bytes.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: ``Refusal/malformedRequest``, ``Refusal/rateLimited(retryAfter:)``, ``Refusal/enrolmentDeferred(retryAfter:)``.
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
                expiresAt: time.advanced(by: lifetime))
        }
    }

    /// Checks the limit of the account, or of the client address if there is no account, before the enrolment rate of all, and consumes
    /// its allowance after: a request refused by one limiter does not consume the other's allowance.
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

    /// Too many new keys at once: the device is told to enrol later, which is all that it can do.
    private func deferring(_ body: () throws(Refusal) -> Void) throws(Failure) {
        do { try body() } catch {
            guard case .rateLimited(let seconds) = error else { throw .refused(error) }
            throw .refused(.enrolmentDeferred(retryAfter: seconds))
        }
    }

    /// Revokes a key: its assertions are refused from now on, and its sessions too, unless they are
    /// ``SessionUse/untilExpiry``. Repeat the call if it throws the store's error.
    ///
    /// The key's record says so, for as long as the store has it. Sessions of a key that the store has no more, as its database
    /// was set back, are refused by a list, until all that any configuration may have opened have expired.
    ///
    /// - Returns: whether there is such a key and it was not revoked before.
    @discardableResult
    public func revoke(keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool {
        do {
            let revoked = try await store.revokeKey(keyID, at: time)
            _ = try await store.consume(
                ConsumedToken(id: keyID, until: time.advanced(by: RelyingPartyConfiguration.revokedKeyListing)))
            return revoked
        } catch { throw .store(error) }
    }

    /// The keys of an account, the revoked ones included, in the order of their identifiers: with when each was registered, used last and
    /// revoked.
    ///
    /// - Parameters:
    ///   - account: the user.
    ///   - keyID: only keys after this one: the last of the page before.
    ///   - limit: how many at most: 1 to 1000; other values are moved there.
    public func keys(
        of account: AccountID, after keyID: [UInt8]? = nil, limit: Int = 100
    ) async throws(Failure) -> [KeyRecord] {
        do { return try await store.keys(of: account, after: keyID, limit: min(max(limit, 1), 1_000)) } catch {
            throw .store(error)
        }
    }

    /// Revokes all keys that an account has, in one step: as ``revoke(keyID:at:)`` for each. Keys that it registers later are new ones:
    /// end its login first, where it is not to come back.
    ///
    /// - Returns: how many this call revoked.
    @discardableResult
    public func revokeKeys(of account: AccountID, at time: UnixTime) async throws(Failure) -> Int {
        do { return try await store.revokeKeys(of: account, at: time) } catch { throw .store(error) }
    }

    /// Deletes expired consumed tokens and budgets of past periods from the store. Call it now and then, in one process.
    public func removeExpired(at time: UnixTime) async throws(Failure) {
        do {
            try await store.removeExpired(at: time)
            try await removePastBudgets(at: time)
        } catch { throw .store(error) }
    }

    func fits(_ account: AccountID?) -> Bool { (account?.bytes.count ?? 0) <= AccountID.maximumByteCount }

    /// Runs the checks before verification, cheapest first, and returns the challenge to consume. `name` is the key identifier, or the
    /// handle where the key did not exist yet.
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

    /// Runs a step of the store; its error is this relying party's.
    func asked<Value: Sendable>(_ body: () async throws(Store.Failure) -> Value) async throws(Failure) -> Value {
        do { return try await body() } catch { throw .store(error) }
    }

    /// Runs a check; its refusal is this relying party's.
    func refusing<Value>(_ body: () throws(Refusal) -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw .refused(error) }
    }

    /// Refuses an account whose objects keep failing.
    func checkFailures(of account: AccountID?, at time: UnixTime) throws(Failure) {
        if let account { try check(account.bytes, by: limiters.failuresPerAccount, at: time) }
    }

    /// Notes that an object does not verify; an account that does this again and again has to wait.
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

/// The length of a key identifier: SHA-256's.
let keyIDByteCount = 32

extension UnixTime {
    /// The moment `seconds` later; the last there is, instead of a later one.
    func advanced(by seconds: Int64) -> UnixTime {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return UnixTime(secondsSince1970: overflow ? .max : sum)
    }
}
