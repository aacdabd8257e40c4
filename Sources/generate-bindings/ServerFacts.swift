import PureAppStore
import PureAttestPurchasesCore
import PureAttestServerCore
import PureJSON
import PureJWS

/// Returns the JavaScript module with the constants of PureAttestServerCore that a JavaScript shell needs.
func serverFactsModule() -> String {
    let configuration = RelyingPartyConfiguration()
    let rates = Limit.allCases.filter { $0 != .enrolmentRate }.map { limit in
        let rate = configuration.rate(of: limit).map { "{ burst: \($0.burst), perMinute: \($0.perMinute) }" }
        return "  \(limit): \(rate ?? "null"),\n"
    }
    let environments = AppStoreEnvironment.allCases.map { environment in
        var name = Array("\(environment)".utf8)
        // An enum case begins with a lower-case letter.
        name[0] |= 0x20
        return "\"\(String(decoding: name, as: UTF8.self))\""
    }
    return """
        /** Written by generate-bindings from the cores of the server and of purchases. Times are in seconds. */

        /** ReceiptTimes.claim */
        export const RECEIPT_CLAIM = \(ReceiptTimes.claim);
        /** ReceiptScope.byteCountPerApp */
        export const RECEIPT_SCOPE_BYTES = \(ReceiptScope.byteCountPerApp);
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
        /** PurchaseRules.largestMaximumKeys */
        export const MAXIMUM_PURCHASE_KEYS = \(PurchaseRules.largestMaximumKeys);
        /** The greatest byte counts of what the App Store signs, and of a purchase's and a product's identifier. */
        export const MAXIMUM_PURCHASE_BYTES = {
          signedData: \(JSONWebSignature.maximumSize), originalTransactionID: \(Purchase.maximumIDByteCount), productID: \(Purchase.maximumProductIDByteCount),
        };
        /** AppStoreEnvironment, in the order of the module. */
        export const APP_STORE_ENVIRONMENTS = [\(environments.joined(separator: ", "))];
        /** JSONLimits.deepestSupported */
        export const MAXIMUM_JSON_DEPTH = \(JSONLimits.deepestSupported);
        /** The default rates of RelyingPartyConfiguration.Limits. */
        export const RATES = {
        \(rates.joined())};

        /** The names of Challenge.Purpose, SessionUse, AnswerPolicy and Budget.Holder, in the order of the module. */
        export const CHALLENGE_PURPOSES = [\(names(Challenge.Purpose.self))];
        export const SESSION_USES = [\(names(SessionUse.self))];
        export const ANSWER_POLICIES = [\(names(AnswerPolicy.self))];
        export const BUDGET_HOLDERS = [\(names(Budget.Holder.self))];

        """
}

func serverFactTypesModule() -> String {
    """
    /** Written by generate-bindings from PureAttestServerCore. */

    export type ChallengePurpose = \(names(Challenge.Purpose.self, separator: " | "));
    export type SessionUse = \(names(SessionUse.self, separator: " | "));
    export type AnswerPolicy = \(names(AnswerPolicy.self, separator: " | "));
    export type BudgetHolder = \(names(Budget.Holder.self, separator: " | "));
    /** HTTPAnswer.Code */
    export type AnswerCode =
      | \(names(HTTPAnswer.Code.self, separator: "\n  | "));

    """
}

/// Returns the case names as string literals.
func names<Choice: CaseIterable>(_: Choice.Type, separator: String = ", ") -> String {
    Choice.allCases.map { "\"\($0)\"" }.joined(separator: separator)
}
