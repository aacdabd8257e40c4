public import PureAttest

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
    /// Where challenges, keys and listed tokens are.
    public let store: Store
    /// What the server decided.
    public let configuration: RelyingPartyConfiguration
    let sessionKeys: SessionKeys
    let audience: SessionAudience
    let challengesByKey, challengesByAccount, registrations, requests, unattested: RateLimiter

    /// A relying party.
    ///
    /// - Parameter sessionKeys: from the server's configuration, the same in all its processes. Where relying parties for other
    ///   apps or the other environment have them too, no token of one opens the other.
    public init(
        verifier: AppAttestVerifier, store: Store, sessionKeys: SessionKeys,
        configuration: RelyingPartyConfiguration = RelyingPartyConfiguration()
    ) {
        self.verifier = verifier
        self.store = store
        self.sessionKeys = sessionKeys
        self.configuration = configuration
        audience = SessionAudience(apps: verifier.apps, environment: verifier.environment)
        let limits = configuration.limits
        challengesByKey = RateLimiter(limits.challenges, capacity: limits.names)
        challengesByAccount = RateLimiter(limits.challenges, capacity: limits.names)
        registrations = RateLimiter(limits.registrations, capacity: limits.names)
        requests = RateLimiter(limits.requests, capacity: limits.names)
        unattested = RateLimiter(limits.unattested, capacity: limits.names)
    }

    /// The length of a key identifier: SHA-256's.
    static var keyIDByteCount: Int { 32 }

    /// Makes a challenge that one key may answer once. Whether the key is known is not looked at, so the answer tells nothing.
    ///
    /// - Parameters:
    ///   - keyID: the identifier that the client names, 32 bytes: from `generateKey`, which needs no network.
    ///   - account: the user, where the server knows one; not from the request itself.
    /// - Throws: ``Refusal/malformedRequest``, ``Refusal/rateLimited(retryAfter:)``, or the store's error.
    public func issueChallenge(
        purpose: Challenge.Purpose, keyID: [UInt8], account: AccountID? = nil, at time: UnixTime
    ) async throws(Failure) -> Challenge {
        guard keyID.count == Self.keyIDByteCount else { throw .refused(.malformedRequest) }
        try admit(keyID, by: challengesByKey, at: time)
        if let account { try admit(account.bytes, by: challengesByAccount, at: time) }
        let lifetime = min(
            max(configuration.challengeLifetime, 1), RelyingPartyConfiguration.maximumChallengeLifetime)
        let challenge = Challenge(
            id: randomBytes(Challenge.idByteCount), value: randomBytes(Challenge.valueByteCount), purpose: purpose,
            keyID: keyID, account: account, issuedAt: time, expiresAt: time.advanced(by: lifetime))
        do { try await store.insertChallenge(challenge) } catch { throw .store(error) }
        return challenge
    }

    /// Verifies a new key's attestation and stores the key. Older keys of the account are kept: a user may have several
    /// devices, and an app that was installed anew has a new key.
    ///
    /// The challenge is spent by the call, whatever comes of it.
    ///
    /// - Parameters:
    ///   - attestation: the object from `attestKey`, whose client data hash is the SHA-256 of the challenge's value.
    ///   - account: as when the challenge was issued.
    /// - Throws: why it is refused, or the store's error.
    public func register(
        attestation: [UInt8], keyID: [UInt8], challengeID: [UInt8], account: AccountID? = nil, at time: UnixTime
    ) async throws(Failure) -> Registration {
        guard keyID.count == Self.keyIDByteCount, challengeID.count == Challenge.idByteCount,
            attestation.count <= InputLimits.attestation
        else { throw .refused(.malformedRequest) }
        if let account { try admit(account.bytes, by: registrations, at: time) }
        let challenge = try await consume(challengeID, purpose: .attestation, keyID: keyID, at: time)
        guard challenge.account == account else { throw .refused(.challengeOfOtherAccount) }
        let verified: VerifiedAttestation
        do {
            verified = try verifier.verifyAttestation(attestation, keyID: keyID, challenge: challenge.value, at: time)
        } catch { throw .refused(.verification(error)) }
        let record = KeyRecord(
            key: verified.key, account: account,
            unverifiedReceipt: [UInt8](verified.unverifiedReceipt.unverifiedBytes), registeredAt: time, revokedAt: nil)
        let existing: KeyRecord?
        do { existing = try await store.insertKey(record) } catch { throw .store(error) }
        if let existing {
            guard existing.key.environment == verified.key.environment else {
                throw .refused(.verification(.keyOfOtherEnvironment(existing.key.environment)))
            }
            guard existing.account == account else { throw .refused(.keyOfOtherAccount) }
            guard existing.revokedAt == nil else { throw .refused(.revokedKey) }
        }
        return Registration(record: existing ?? record, isNew: existing == nil, attestation: verified)
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
            _ = try await store.denyToken(
                keyID, until: time.advanced(by: RelyingPartyConfiguration.revokedKeyListing))
            return revoked
        } catch { throw .store(error) }
    }

    /// Drops expired challenges and listed tokens from the store. Call it now and then, in one process.
    public func removeExpired(at time: UnixTime) async throws(Failure) {
        do { try await store.removeExpired(at: time) } catch { throw .store(error) }
    }

    /// Takes a challenge out of the store; only then looks whether it is the right one.
    func consume(
        _ id: [UInt8], purpose: Challenge.Purpose, keyID: [UInt8], at time: UnixTime
    ) async throws(Failure) -> Challenge {
        let found: Challenge?
        do { found = try await store.consumeChallenge(id) } catch { throw .store(error) }
        guard let challenge = found else { throw .refused(.challengeNotFound) }
        guard time < challenge.expiresAt else { throw .refused(.challengeExpired) }
        guard challenge.purpose == purpose else { throw .refused(.challengeOfOtherPurpose) }
        guard challenge.keyID == keyID else { throw .refused(.challengeOfOtherKey) }
        return challenge
    }

    func admit(_ name: [UInt8], by limiter: RateLimiter, at time: UnixTime) throws(Failure) {
        do { try limiter.admit(name, at: time) } catch { throw .refused(error) }
    }

    func check(_ name: [UInt8], by limiter: RateLimiter, at time: UnixTime) throws(Failure) {
        do { try limiter.check(name, at: time) } catch { throw .refused(error) }
    }
}

extension UnixTime {
    /// The moment `seconds` later; the last there is, instead of a later one.
    func advanced(by seconds: Int64) -> UnixTime {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return UnixTime(secondsSince1970: overflow ? .max : sum)
    }
}
