public import PureAttest
import PureKeyAttestation
import PureSHA2

extension RelyingParty {
    var sessionLifetime: Int64 {
        min(max(configuration.sessionLifetime, 1), RelyingPartyConfiguration.maximumSessionLifetime)
    }

    /// Opens a session for a key that has just signed. The session begins at the time of the authentication. Records
    /// the platform that attested the key (``Session/platform``) and, for App Attest, the app that ran.
    public func session<Signature>(from authentication: Authentication<Signature>) -> IssuedSession {
        issue(to: authentication.record, launch: authentication.launch, at: authentication.time)
    }

    /// Opens a session for a key that was just attested. The session begins at the time of the registration and needs
    /// no further signature. Records the platform that attested the key and, for App Attest, the app that ran.
    public func session<Attestation>(from registration: Registration<Attestation>) -> IssuedSession {
        issue(to: registration.record, launch: registration.launch, at: registration.time)
    }

    /// Verifies a session token as text.
    public func verifySession(_ token: String, at time: UnixTime) async throws(Failure) -> Session {
        try await verifySession(Array(token.utf8), at: time)
    }

    /// Verifies a session token.
    ///
    /// - Throws: ``Refusal/invalidToken``, ``Refusal/expiredToken``, ``Refusal/tokenOfOtherEnvironment(_:)``,
    ///   ``Refusal/tokenOfOtherAudience``, ``Refusal/deniedToken``, ``Refusal/tokenConsumed``,
    ///   ``Refusal/rateLimited(retryAfter:)``, or the store's error.
    public func verifySession(_ token: [UInt8], at time: UnixTime) async throws(Failure) -> Session {
        try await observed(.verifySession, keyID: nil, account: nil, at: time) { subject async throws(Failure) in
            let accepted = try read(token, tier: .attested(verifier.environment), at: time)
            subject.keyID = accepted.subject
            subject.account = accepted.holder.account
            let platform: Session.Platform
            do throws(Refusal) { platform = try checkAudience(of: accepted) } catch { throw .refused(error) }
            // A request over the limit neither asks the store nor consumes a single-use token. A denied token does not
            // consume its key's allowance.
            try check(accepted.subject, by: limiters.sessionRequestsPerKey, at: time)
            if let refusal = denied.refusal(of: accepted) { throw .refused(refusal) }
            // The limit is charged before the store is asked. Otherwise concurrent requests could consume a token and
            // then be rejected by the limit.
            try admit(accepted.subject, by: limiters.sessionRequestsPerKey, at: time)
            let refusal: Refusal?
            do throws(Failure) { refusal = try await denial(of: accepted) } catch {
                limiters.sessionRequestsPerKey.giveBack(accepted.subject, at: time)
                throw error
            }
            if let refusal {
                limiters.sessionRequestsPerKey.giveBack(accepted.subject, at: time)
                denied.insert(accepted, refusal, at: time)
                throw .refused(refusal)
            }
            let holder = accepted.holder
            return Session(
                keyID: accepted.subject, audience: accepted.audience, platform: platform, account: holder.account,
                validationCategory: holder.category, bundleVersion: holder.version, codeDirectoryHash: holder.build,
                issuedAt: accepted.issuedAt, expiresAt: accepted.expiresAt, tokenID: accepted.id)
        }
    }

    /// Checks that the token is for this relying party, by the rules of its platform.
    private func checkAudience(of token: SessionToken) throws(Refusal) -> Session.Platform {
        switch token.tier {
        case .attested(let environment):
            guard environment == verifier.environment else { throw .tokenOfOtherEnvironment(environment) }
            guard audience.includes(app: token.audience) else { throw .tokenOfOtherAudience }
            return .appAttest(environment)
        case .android(let level):
            guard let android else { throw .androidNotAccepted }
            guard audience.includes(androidApp: token.audience) else { throw .tokenOfOtherAudience }
            // A stricter policy applies to existing sessions too.
            guard level >= android.verifier.policy.minimumSecurityLevel else {
                throw .keyAttestation(.securityLevelNotAllowed(level))
            }
            return .android(level)
        case .unattested: throw .invalidToken
        }
    }

    /// Ends a session, for example at a logout. Its token is listed as consumed and rejected from now on. Has no effect
    /// under ``SessionUse/untilExpiry``.
    public func endSession(_ session: Session) async throws(Failure) {
        do { _ = try await spendToken(session.tokenID, expiresAt: session.expiresAt) } catch { throw .store(error) }
    }

    /// Lists a token as consumed, for as long as any process of the server may accept the token.
    private func spendToken(_ id: [UInt8], expiresAt: UnixTime) async throws(Store.Failure) -> Bool {
        try await store.consume(
            ConsumedToken(id: id, until: expiresAt.adding(RelyingPartyConfiguration.clockMargin)))
    }

    /// Issues a token of the unattested tier, for a device without attestation. The tier has its own limit, and its
    /// tokens are not accepted as a ``Session``.
    ///
    /// The client does not prove which app it is. The token is valid for relying parties of this environment that
    /// accept exactly the same apps.
    ///
    /// - Parameters:
    ///   - clientAddress: a network address, or another name for the requester, for rate limits.
    ///   - time: now.
    /// - Throws: ``Refusal/rateLimited(retryAfter:)``.
    public func unattestedSession(for clientAddress: ClientAddress, at time: UnixTime) throws(Failure) -> IssuedSession
    {
        try observed(.unattestedSession, keyID: nil, account: nil, at: time) { _ throws(Failure) in
            let digest = [UInt8](SHA256.hash(data: clientAddress.bytes))
            try admit(digest, by: limiters.unattestedRequestsPerClientAddress, at: time)
            return issue(to: digest, audience: audience.service, tier: .unattested, holder: SessionHolder(), at: time)
        }
    }

    /// Verifies a token of the unattested tier as text.
    public func verifyUnattestedSession(_ token: String, at time: UnixTime) throws(Failure) -> UnattestedSession {
        try verifyUnattestedSession(Array(token.utf8), at: time)
    }

    /// Verifies a token of the unattested tier without asking the store.
    ///
    /// - Throws: ``Refusal/invalidToken``, ``Refusal/expiredToken``, ``Refusal/tokenOfOtherAudience``,
    ///   ``Refusal/rateLimited(retryAfter:)``.
    public func verifyUnattestedSession(_ token: [UInt8], at time: UnixTime) throws(Failure) -> UnattestedSession {
        try observed(.verifyUnattestedSession, keyID: nil, account: nil, at: time) { _ throws(Failure) in
            let accepted = try read(token, tier: .unattested, at: time)
            guard accepted.audience == audience.service else { throw .refused(.tokenOfOtherAudience) }
            try admit(accepted.subject, by: limiters.unattestedRequestsPerClientAddress, at: time)
            return UnattestedSession(
                clientAddressDigest: accepted.subject, issuedAt: accepted.issuedAt, expiresAt: accepted.expiresAt,
                tokenID: accepted.id)
        }
    }

    private func issue(to record: KeyRecord, launch: LaunchInformation?, at time: UnixTime) -> IssuedSession {
        let audience: [UInt8]
        let tier: SessionTier
        switch record.key {
        case .appAttest(let key): (audience, tier) = (key.rpIDHash, .attested(key.environment))
        case .android(let key, _):
            (audience, tier) = (self.audience.audience(ofPackage: key.packageNameUTF8), .android(key.securityLevel))
        }
        return issue(
            to: record.key.keyID, audience: audience, tier: tier,
            holder: SessionHolder(account: record.account, launch: launch), at: time)
    }

    private func issue(
        to subject: [UInt8], audience: [UInt8], tier: SessionTier, holder: SessionHolder, at time: UnixTime
    ) -> IssuedSession {
        let token = SessionToken(
            subject: subject, audience: audience, tier: tier, holder: holder, issuedAt: time,
            expiresAt: time.adding(sessionLifetime), id: randomBytes(SessionToken.idByteCount))
        return IssuedSession(token: token.signed(with: sessionKeys), expiresAt: token.expiresAt)
    }

    private func read(_ token: [UInt8], tier: SessionTier, at time: UnixTime) throws(Failure) -> SessionToken {
        guard let accepted = SessionToken(token, keys: sessionKeys, tier: tier) else { throw .refused(.invalidToken) }
        guard time < accepted.expiresAt else { throw .refused(.expiredToken) }
        return accepted
    }

    /// Returns why the token is denied, or `nil` if it is valid. Asks the store, and consumes a single-use token. A
    /// denied token stays denied: revocation is permanent, and the store lists a token for longer than its lifetime.
    private func denial(of token: SessionToken) async throws(Failure) -> Refusal? {
        do {
            switch configuration.sessionUse {
            case .untilExpiry: return nil
            case .untilRevoked:
                guard try await !isRevoked(token.subject) else { return .deniedToken }
                return try await store.isConsumed(token.id) ? .deniedToken : nil
            case .once:
                guard try await !isRevoked(token.subject) else { return .deniedToken }
                return try await spendToken(token.id, expiresAt: token.expiresAt) ? nil : .tokenConsumed
            }
        } catch { throw .store(error) }
    }

    /// Reads the revocation from the key's record, or from the list of consumed tokens if there is no record.
    private func isRevoked(_ keyID: [UInt8]) async throws(Store.Failure) -> Bool {
        guard let record = try await store.key(keyID) else { return try await store.isConsumed(keyID) }
        return record.revokedAt != nil
    }
}
