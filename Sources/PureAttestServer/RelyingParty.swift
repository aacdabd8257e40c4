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
    /// Where keys are, and what is spent.
    public let store: Store
    /// What the server decided.
    public let configuration: RelyingPartyConfiguration
    let sessionKeys: SessionKeys
    let audience: SessionAudience
    let challenges: ChallengeFormat
    let registrations, authentications, requests, unattested: RateLimiter

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
        challenges = ChallengeFormat(keys: sessionKeys, audience: audience)
        authentications = RateLimiter(limits.authentications, capacity: limits.names)
        registrations = RateLimiter(limits.registrations, capacity: limits.names)
        requests = RateLimiter(limits.requests, capacity: limits.names)
        unattested = RateLimiter(limits.unattested, capacity: limits.names)
    }

    /// The length of a key identifier: SHA-256's.
    static var keyIDByteCount: Int { 32 }

    /// Makes a challenge that one key may answer once. Nothing is written and nothing looked up: neither does asking for challenges
    /// fill the store, nor does the answer tell whether the key is known.
    ///
    /// - Parameters:
    ///   - keyID: the identifier that the client names, 32 bytes: from `generateKey`, which needs no network.
    ///   - account: the user, where the server knows one; not from the request itself.
    /// - Throws: ``Refusal/malformedRequest``.
    public func issueChallenge(
        purpose: Challenge.Purpose, keyID: [UInt8], account: AccountID? = nil, at time: UnixTime
    ) throws(Refusal) -> Challenge {
        guard keyID.count == Self.keyIDByteCount else { throw .malformedRequest }
        let lifetime = min(max(configuration.challengeLifetime, 1), RelyingPartyConfiguration.maximumChallengeLifetime)
        let value = challenges.seal(
            purpose: purpose, keyID: keyID, account: account, issuedAt: time, lifetime: UInt16(lifetime),
            random: randomBytes(ChallengeFormat.randomByteCount))
        return Challenge(
            value: value, purpose: purpose, keyID: keyID, account: account, issuedAt: time,
            expiresAt: time.advanced(by: lifetime))
    }

    /// Verifies a new key's attestation and stores the key. Older keys of the account are kept: a user may have several
    /// devices, and an app that was installed anew has a new key.
    ///
    /// The challenge is spent when the call succeeds, in the step that stores the key. A failed attempt writes nothing: what a device
    /// attested is bound to the very challenge, so that nobody can try another object with it but this device.
    ///
    /// - Parameters:
    ///   - attestation: the object from `attestKey`, whose client data hash is the SHA-256 of the challenge's value.
    ///   - challenge: ``Challenge/value`` as the client sends it back.
    ///   - account: as when the challenge was issued.
    /// - Throws: why it is refused, or the store's error.
    public func register(
        attestation: [UInt8], keyID: [UInt8], challenge: [UInt8], account: AccountID? = nil, at time: UnixTime
    ) async throws(Failure) -> Registration {
        guard keyID.count == Self.keyIDByteCount, attestation.count <= InputLimits.attestation else {
            throw .refused(.malformedRequest)
        }
        let opened = try open(challenge, purpose: .attestation, keyID: keyID, account: account, at: time)
        if let account { try admit(account.bytes, by: registrations, at: time) }
        let verified: VerifiedAttestation
        do {
            verified = try verifier.verifyAttestation(attestation, keyID: keyID, challenge: challenge, at: time)
        } catch { throw .refused(.verification(error)) }
        let receipt = [UInt8](verified.unverifiedReceipt.unverifiedBytes)
        let record = KeyRecord(
            key: verified.key, account: account, receipt: receipt, receiptDueAt: receipt.isEmpty ? nil : time,
            registeredAt: time)
        let insertion: KeyInsertion
        do { insertion = try await store.insertKey(record, spending: opened.spending) } catch { throw .store(error) }
        switch insertion {
        case .inserted: return Registration(record: record, isNew: true, attestation: verified)
        case .alreadySpent: throw .refused(.challengeSpent)
        case .existing(let existing):
            guard existing.key.environment == verified.key.environment else {
                throw .refused(.verification(.keyOfOtherEnvironment(existing.key.environment)))
            }
            guard existing.account == account else { throw .refused(.keyOfOtherAccount) }
            guard existing.revokedAt == nil else { throw .refused(.revokedKey) }
            return Registration(record: existing, isNew: false, attestation: verified)
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
            _ = try await store.spend(
                Spending(id: keyID, until: time.advanced(by: RelyingPartyConfiguration.revokedKeyListing)))
            return revoked
        } catch { throw .store(error) }
    }

    /// Drops what is spent and has expired from the store. Call it now and then, in one process.
    public func removeExpired(at time: UnixTime) async throws(Failure) {
        do { try await store.removeExpired(at: time) } catch { throw .store(error) }
    }

    func open(
        _ challenge: [UInt8], purpose: Challenge.Purpose, keyID: [UInt8], account: AccountID?, at time: UnixTime
    ) throws(Failure) -> ChallengeFormat.Opened {
        do { return try challenges.open(challenge, purpose: purpose, keyID: keyID, account: account, at: time) } catch {
            throw .refused(error)
        }
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
