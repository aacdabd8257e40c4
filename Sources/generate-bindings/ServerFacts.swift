import PureAttestServerCore

/// Returns the module with the numbers of PureAttestServerCore that a shell needs.
func serverFactsModule() -> String {
    let configuration = RelyingPartyConfiguration()
    let rates = Limit.allCases.filter { $0 != .enrolmentRate }.map { limit in
        let rate = configuration.rate(of: limit).map { "{ burst: \($0.burst), perMinute: \($0.perMinute) }" }
        return "  \(limit): \(rate ?? "null"),\n"
    }
    return """
        /** Written by generate-bindings from PureAttestServerCore. Times are in seconds. */

        /** ReceiptTimes.claim */
        export const RECEIPT_CLAIM = \(ReceiptTimes.claim);
        /** RelyingPartyConfiguration.clockMargin */
        export const CLOCK_MARGIN = \(RelyingPartyConfiguration.clockMargin);
        /** The greatest byte counts of an account, a session token, a key identifier and a request's client data. */
        export const MAXIMUM_BYTES = {
          account: \(AccountID.maximumByteCount), token: \(SessionToken.maximumByteCount), keyID: \(keyIDByteCount), clientData: \(configuration.maximumClientData),
        };
        export const MAXIMUM_CHALLENGE_LIFETIME = \(RelyingPartyConfiguration.maximumChallengeLifetime);
        export const MAXIMUM_SESSION_LIFETIME = \(RelyingPartyConfiguration.maximumSessionLifetime);
        /** Budget.maximumDays */
        export const MAXIMUM_BUDGET_DAYS = \(Budget.maximumDays);
        /** The default rates of RelyingPartyConfiguration.Limits. */
        export const RATES = {
        \(rates.joined())};

        """
}
