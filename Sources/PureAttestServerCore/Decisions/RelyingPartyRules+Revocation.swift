public import PureAttest

extension RelyingPartyRules {
    /// Revokes a key: `RelyingParty.revoke(keyID:at:)`, which explains why the key is also listed as consumed.
    public func revoke<Outcome>(
        keyID: [UInt8], at time: UnixTime, _ accept: @escaping (Bool) -> Outcome
    ) -> Decision<Outcome> {
        .revokeKey(keyID, at: time) { revoked in
            let listed = ConsumedToken(id: keyID, until: time.adding(RelyingPartyConfiguration.revokedKeyListing))
            return .consume(listed) { _ in .accepted(accept(revoked)) }
        }
    }
}
