import PureAttest
package import PureAttestServerCore

extension RelyingPartyOperations {
    /// Returns the values that describe a rejection:
    ///
    /// - the reason: its name, or a number if the reason is an error of the verifier;
    /// - the name of the step;
    /// - the answer: status, code word, seconds to wait;
    /// - the balance: requests, units, and the time of renewal.
    func values(of refusal: Refusal) -> [WireValue] {
        let answer = refusal.answer(rules.configuration.answerPolicy)
        var reason = WireValue(refusal.name)
        if case .verification(let error) = refusal { reason = .number(Int64(reasonNumber(error))) }
        let balance = answer.balance
        return [
            reason, WireValue(refusal.stepName), .number(Int64(answer.status)), WireValue(answer.code.name),
            WireValue(answer.retryAfter), WireValue(balance?.remaining.requests), WireValue(balance?.remaining.units),
            WireValue(balance?.resetsAt.secondsSince1970),
        ]
    }
}

extension Refusal {
    fileprivate var name: StaticString {
        switch self {
        case .malformedRequest: "malformedRequest"
        case .rateLimited: "rateLimited"
        case .enrolmentDeferred: "enrolmentDeferred"
        case .budgetSpent: "budgetSpent"
        case .challengeNotIssued: "challengeNotIssued"
        case .challengeConsumed: "challengeConsumed"
        case .challengeExpired: "challengeExpired"
        case .challengeOfOtherPurpose: "challengeOfOtherPurpose"
        case .challengeOfOtherKey: "challengeOfOtherKey"
        case .challengeOfOtherAccount: "challengeOfOtherAccount"
        case .unknownKey: "unknownKey"
        case .revokedKey: "revokedKey"
        case .keyOfOtherAccount: "keyOfOtherAccount"
        case .keyOfOtherEnvironment: "keyOfOtherEnvironment"
        case .verification: "verification"
        case .keyAttestation: "keyAttestation"
        case .androidNotAccepted: "androidNotAccepted"
        case .revocationListMissing: "revocationListMissing"
        case .contended: "contended"
        case .invalidToken: "invalidToken"
        case .expiredToken: "expiredToken"
        case .tokenOfOtherEnvironment: "tokenOfOtherEnvironment"
        case .tokenOfOtherAudience: "tokenOfOtherAudience"
        case .deniedToken: "deniedToken"
        case .tokenConsumed: "tokenConsumed"
        @unknown default: "unknown"
        }
    }

    fileprivate var stepName: StaticString {
        switch step {
        case .input: "input"
        case .limits: "limits"
        case .enrolment: "enrolment"
        case .challenge: "challenge"
        case .key: "key"
        case .verification: "verification"
        case .session: "session"
        }
    }
}

extension HTTPAnswer.Code {
    package var name: StaticString {
        switch self {
        case .unknownKey: "unknownKey"
        case .refused: "refused"
        case .replay: "replay"
        case .consumed: "consumed"
        case .overtaken: "overtaken"
        case .tooManyRequests: "tooManyRequests"
        case .budgetSpent: "budgetSpent"
        case .enrolLater: "enrolLater"
        case .serverUnavailable: "serverUnavailable"
        }
    }
}
