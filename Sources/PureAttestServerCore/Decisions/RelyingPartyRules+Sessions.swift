public import PureAttest
import PureKeyAttestation
import PureSHA2

extension RelyingPartyRules {
    /// Opens a session for a key that has just signed: `RelyingParty.session(from:)`.
    /// `random` is ``randomByteCount`` fresh random bytes.
    public func session<Signature>(from authentication: Authentication<Signature>, random: [UInt8]) -> IssuedSession {
        issue(
            to: authentication.record, launch: authentication.launch, random: random, at: authentication.time)
    }

    /// Opens a session for a key that was just attested. `random` is ``randomByteCount`` fresh random bytes.
    public func session<Attestation>(from registration: Registration<Attestation>, random: [UInt8]) -> IssuedSession {
        issue(to: registration.record, launch: registration.launch, random: random, at: registration.time)
    }

    /// Decides on a session token: `RelyingParty.verifySession(_:at:)`.
    public func verifySession<Outcome>(
        _ token: [UInt8], at time: UnixTime, _ accept: @escaping (Session) -> Outcome
    ) throws(Refusal) -> Decision<Outcome> {
        let token = try read(token, tier: .attested(verifier.environment), at: time)
        let (key, limit) = (token.subject, Limit.sessionRequestsPerKey)
        return .about(DecisionSubject(keyID: key, account: token.holder.account)) { [self] () throws(Refusal) in
            let session = try session(of: token)
            // A request with a denied token must not consume the key's allowance.
            return .knownDenial(of: token.id) { [self] denial throws(Refusal) in
                if let denial { throw denial }
                // A request over the limit must neither cause a store access nor consume a single-use token.
                return try LimitDecision.admit(key, by: limit, at: time).then { [self] in
                    let undo = LimitQuestion(action: .giveBack, limit: limit, name: key, time: time)
                    return .ifStoreFails(undo) { [self] () throws(Refusal) in
                        try askStore(about: token) { [self] denial throws(Refusal) in
                            guard let denial else { return .accepted(accept(session)) }
                            return try deny(token, denial, at: time)
                        }
                    }
                }
            }
        }
    }

    /// Asks the store whether the key is revoked, then whether the token is listed as consumed. Passes the reason for a
    /// denial to `then`, or `nil` if the token is valid. A denied token stays denied, because revocation is permanent
    /// and the store lists a token for longer than the token's lifetime.
    private func askStore<Outcome>(
        about token: SessionToken, _ then: @escaping Decision<Outcome>.Then<Refusal?>
    ) throws(Refusal) -> Decision<Outcome> {
        guard configuration.sessionUse != .untilExpiry else { return try then(nil) }
        return .key(token.subject) { [self] record throws(Refusal) in
            // If the key has no record, only the list of consumed tokens can show that the key was revoked.
            guard let record else {
                return .isConsumed(token.subject) { [self] isRevoked throws(Refusal) in
                    isRevoked ? try then(.deniedToken) : askList(about: token, then)
                }
            }
            return record.revokedAt == nil ? askList(about: token, then) : try then(.deniedToken)
        }
    }

    /// Looks up the token in the list of consumed tokens, or consumes it if it is single-use.
    private func askList<Outcome>(
        about token: SessionToken, _ then: @escaping Decision<Outcome>.Then<Refusal?>
    ) -> Decision<Outcome> {
        guard configuration.sessionUse == .once else {
            return .isConsumed(token.id) { isEnded throws(Refusal) in try then(isEnded ? .deniedToken : nil) }
        }
        return .consume(ConsumedToken(session: token.id, expiresAt: token.expiresAt)) { isFirst throws(Refusal) in
            try then(isFirst ? nil : .tokenConsumed)
        }
    }

    /// Rejects the token. Returns the request to the key's allowance, and permits the shell to store the denial.
    private func deny<Outcome>(
        _ token: SessionToken, _ denial: Refusal, at time: UnixTime
    ) throws(Refusal) -> Decision<Outcome> {
        try LimitDecision.giveBack(token.subject, to: .sessionRequestsPerKey, at: time).then {
            .rememberDenial(of: token.id, until: token.expiresAt, because: denial, at: time) {
                () throws(Refusal) in throw denial
            }
        }
    }

    /// Ends a session: `RelyingParty.endSession(_:)`. The outcome is `true` if the session was not ended before.
    public func endSession<Outcome>(
        tokenID: [UInt8], expiresAt: UnixTime, _ accept: @escaping (Bool) -> Outcome
    ) -> Decision<Outcome> {
        .consume(ConsumedToken(session: tokenID, expiresAt: expiresAt)) { .accepted(accept($0)) }
    }

    /// Issues a token of the unattested tier: `RelyingParty.unattestedSession(for:at:)`. `random` is
    /// ``randomByteCount`` fresh random bytes.
    public func unattestedSession<Outcome>(
        for clientAddress: ClientAddress, random: [UInt8], at time: UnixTime,
        _ accept: @escaping (IssuedSession) -> Outcome
    ) throws(Refusal) -> LimitDecision<Outcome> {
        let digest = [UInt8](SHA256.hash(data: clientAddress.bytes))
        return try LimitDecision.admit(digest, by: .unattestedRequestsPerClientAddress, at: time).then { [self] in
            let session = issue(
                to: digest, audience: audience.service, tier: .unattested, holder: SessionHolder(), random: random,
                at: time)
            return .accepted(accept(session))
        }
    }

    /// Decides on a token of the unattested tier: `RelyingParty.verifyUnattestedSession(_:at:)`.
    public func verifyUnattestedSession<Outcome>(
        _ token: [UInt8], at time: UnixTime, _ accept: @escaping (UnattestedSession) -> Outcome
    ) throws(Refusal) -> LimitDecision<Outcome> {
        let token = try read(token, tier: .unattested, at: time)
        guard token.audience == audience.service else { throw .tokenOfOtherAudience }
        return try LimitDecision.admit(token.subject, by: .unattestedRequestsPerClientAddress, at: time).then {
            let session = UnattestedSession(
                clientAddressDigest: token.subject, issuedAt: token.issuedAt, expiresAt: token.expiresAt,
                tokenID: token.id)
            return .accepted(accept(session))
        }
    }

    private func read(_ token: [UInt8], tier: SessionTier, at time: UnixTime) throws(Refusal) -> SessionToken {
        guard let token = SessionToken(token, keys: sessionKeys, tier: tier) else { throw .invalidToken }
        guard time < token.expiresAt else { throw .expiredToken }
        return token
    }

    /// Checks that the token is for this relying party, by the rules of the token's platform.
    private func session(of token: SessionToken) throws(Refusal) -> Session {
        let platform: Session.Platform
        switch token.tier {
        case .attested(let environment):
            guard environment == verifier.environment else { throw .tokenOfOtherEnvironment(environment) }
            guard audience.includes(app: token.audience) else { throw .tokenOfOtherAudience }
            platform = .appAttest(environment)
        case .android(let level):
            guard let android else { throw .androidNotAccepted }
            guard audience.includes(androidApp: token.audience) else { throw .tokenOfOtherAudience }
            // A stricter policy applies to existing sessions too.
            guard level >= android.verifier.policy.minimumSecurityLevel else {
                throw .keyAttestation(.securityLevelNotAllowed(level))
            }
            platform = .android(level)
        case .unattested: throw .invalidToken
        }
        let holder = token.holder
        return Session(
            keyID: token.subject, audience: token.audience, platform: platform, account: holder.account,
            validationCategory: holder.category, bundleVersion: holder.version, codeDirectoryHash: holder.build,
            issuedAt: token.issuedAt, expiresAt: token.expiresAt, tokenID: token.id)
    }

    private func issue(
        to record: KeyRecord, launch: LaunchInformation?, random: [UInt8], at time: UnixTime
    ) -> IssuedSession {
        let audience: [UInt8]
        let tier: SessionTier
        switch record.key {
        case .appAttest(let key): (audience, tier) = (key.rpIDHash, .attested(key.environment))
        case .android(let key, _):
            (audience, tier) = (self.audience.audience(ofPackage: key.packageNameUTF8), .android(key.securityLevel))
        }
        return issue(
            to: record.key.keyID, audience: audience, tier: tier,
            holder: SessionHolder(account: record.account, launch: launch), random: random, at: time)
    }

    private func issue(
        to subject: [UInt8], audience: [UInt8], tier: SessionTier, holder: SessionHolder, random: [UInt8],
        at time: UnixTime
    ) -> IssuedSession {
        let lifetime = min(max(configuration.sessionLifetime, 1), RelyingPartyConfiguration.maximumSessionLifetime)
        let token = SessionToken(
            subject: subject, audience: audience, tier: tier, holder: holder, issuedAt: time,
            expiresAt: time.adding(lifetime), id: random)
        return IssuedSession(token: token.signed(with: sessionKeys), expiresAt: token.expiresAt)
    }
}
