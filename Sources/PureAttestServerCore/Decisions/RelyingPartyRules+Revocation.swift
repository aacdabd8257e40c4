public import PureAttest

extension RelyingPartyRules {
    /// Revokes a key: `RelyingParty.revoke(keyID:at:)`.
    ///
    /// Stores the revocation in the key's record, and the key in the list of consumed tokens. If a database is restored
    /// without the record, the list still rejects the key's sessions, until even the longest session has expired.
    public func revoke<Outcome>(
        keyID: [UInt8], at time: UnixTime, _ accept: @escaping (Bool) -> Outcome
    ) -> Decision<Outcome> {
        .revokeKey(keyID, at: time) { revoked in
            let listed = ConsumedToken(id: keyID, until: time.adding(RelyingPartyConfiguration.revokedKeyListing))
            return .consume(listed) { _ in .accepted(accept(revoked)) }
        }
    }
}
