public import PureAttest

extension RelyingPartyRules {
    /// Decides on `RelyingParty.issueChallenge(purpose:keyID:account:clientAddress:at:)`.
    /// `random` is ``randomByteCount`` fresh random bytes.
    public func issueChallenge<Outcome>(
        purpose: Challenge.Purpose, keyID: [UInt8], account: AccountID?, clientAddress: ClientAddress?,
        random: [UInt8], at time: UnixTime, _ accept: @escaping (Challenge) -> Outcome
    ) throws(Refusal) -> LimitDecision<Outcome> {
        guard keyID.count == keyIDByteCount, fits(account), random.count == Self.randomByteCount else {
            throw .malformedRequest
        }
        let admitted = LimitDecision.admit(clientAddress?.bytes, by: .requestsPerClientAddress, at: time)
        return try admitted.then { [self] () throws(Refusal) in
            guard purpose == .attestation else { return .accepted(()) }
            return try admitEnrolment(keyID: keyID, account: account, clientAddress: clientAddress, at: time)
        }.then { [self] () throws(Refusal) in
            let lifetime = min(
                max(configuration.challengeLifetime, 1), RelyingPartyConfiguration.maximumChallengeLifetime)
            let value = challenges.seal(
                purpose: purpose, keyID: keyID, account: account, issuedAt: time, lifetime: UInt16(lifetime),
                random: random)
            let challenge = Challenge(value: value, keyID: keyID, account: account, expiresAt: time.adding(lifetime))
            return .accepted(accept(challenge))
        }
    }

    /// Applies the roll-out, the global enrolment rate, and the limit of the account. Without an account, the limit of
    /// the client address applies instead. First checks the limit of the account or address, then consumes a request
    /// from the global rate, and finally from the checked limit. A request that either limit rejects therefore consumes
    /// no allowance of the other limit.
    private func admitEnrolment(
        keyID: [UInt8], account: AccountID?, clientAddress: ClientAddress?, at time: UnixTime
    ) throws(Refusal) -> LimitDecision<Void> {
        switch configuration.enrolment.wait(for: account?.bytes ?? keyID, at: time) {
        case .seconds(let seconds): throw .enrolmentDeferred(retryAfter: seconds)
        case .unknown: throw .enrolmentDeferred(retryAfter: nil)
        case nil: break
        }
        let (name, limit): ([UInt8]?, Limit) =
            if let account { (account.bytes, .enrolmentsPerAccount) } else {
                (clientAddress?.bytes, .enrolmentsPerClientAddress)
            }
        return try LimitDecision.check(name, by: limit, at: time)
            .then { .admit([], by: .enrolmentRate, at: time) }
            .then { .admit(name, by: limit, at: time) }
    }

    /// Runs the checks that precede verification, cheapest first. The outcome is the challenge's entry for the store's
    /// list of consumed tokens. `name` is the key identifier, or the handle of a new Android key.
    func open(
        _ challenge: [UInt8], purpose: Challenge.Purpose, name: [UInt8], account: AccountID?,
        clientAddress: ClientAddress?, at time: UnixTime
    ) throws(Refusal) -> LimitDecision<ConsumedToken> {
        guard name.count == keyIDByteCount, fits(account) else { throw .malformedRequest }
        let admitted = LimitDecision.admit(clientAddress?.bytes, by: .requestsPerClientAddress, at: time)
        return try admitted.then { [self] () throws(Refusal) in
            let opened = try challenges.open(challenge, purpose: purpose, keyID: name, account: account, at: time)
            return try checkFailures(of: account, at: time).then { .accepted(opened.token) }
        }
    }

    func checkFailures(of account: AccountID?, at time: UnixTime) -> LimitDecision<Void> {
        .check(account?.bytes, by: .failuresPerAccount, at: time)
    }

    private func fits(_ account: AccountID?) -> Bool {
        (account?.bytes.count ?? 0) <= AccountID.maximumByteCount
    }
}

/// The length of a key identifier, a SHA-256 hash.
package let keyIDByteCount = 32
