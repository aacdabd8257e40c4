public import PureAttest
import PureBytes

/// An operation of a relying party.
public enum RelyingPartyOperation: String, Hashable, Sendable, CaseIterable {
    /// ``RelyingParty/issueChallenge(purpose:keyID:account:clientAddress:at:)``
    case issueChallenge
    /// ``RelyingParty/register(attestation:keyID:challenge:account:clientAddress:at:)``
    case register
    /// ``RelyingParty/authenticate(assertion:keyID:challenge:signed:account:clientAddress:at:)``
    case authenticate
    /// ``RelyingParty/register(keyAttestation:handle:challenge:account:clientAddress:at:)``
    case registerAndroid
    /// ``RelyingParty/authenticate(signature:keyID:challenge:signed:account:clientAddress:at:)``
    case authenticateAndroid
    /// `RelyingParty.verifySession(_:at:)`
    case verifySession
    /// ``RelyingParty/unattestedSession(for:at:)``
    case unattestedSession
    /// `RelyingParty.verifyUnattestedSession(_:at:)`
    case verifyUnattestedSession
    /// `RelyingParty.spendBudget(_:by:from:at:)`
    case spendBudget
}

/// Receives each decision of a ``RelyingParty`` and the reason for it, for logs, metrics and alarms. Every method has a
/// default implementation that does nothing.
///
/// The relying party calls these methods in the request's task and waits for them, so move long work to a queue.
public protocol RelyingPartyObserver: Sendable {
    /// Called when the relying party accepts a request.
    func accepted(_ decision: RelyingPartyDecision)
    /// Called when the relying party rejects a request.
    func refused(_ decision: RelyingPartyDecision, because refusal: Refusal)
    /// Called when the store fails.
    func storeFailed(_ decision: RelyingPartyDecision, with error: any Error)
}

extension RelyingPartyObserver {
    /// Does nothing.
    public func accepted(_ decision: RelyingPartyDecision) {}
    /// Does nothing.
    public func refused(_ decision: RelyingPartyDecision, because refusal: Refusal) {}
    /// Does nothing.
    public func storeFailed(_ decision: RelyingPartyDecision, with error: any Error) {}
}

/// A decision of a relying party. The value contains no challenge, token or signature.
public struct RelyingPartyDecision: Sendable {
    /// The operation that was requested.
    public let operation: RelyingPartyOperation
    /// The key identifier, 32 bytes; `nil` if the operation has no key, or if the request was rejected before the key
    /// was known.
    public let keyID: [UInt8]?
    /// The account that the caller named, or the session's account.
    public let account: AccountID?
    /// The time that the caller passed.
    public let time: UnixTime
    /// The duration of the call, including the store.
    public let duration: Duration
    fileprivate let explanation: DecisionSubject.Explanation?

    /// Returns the result of each verification step, in the format of `pure-attest explain`.
    ///
    /// Returns `nil` if the relying party verified no App Attest object: the object is from Android, an earlier check
    /// rejected the request, or the key is unknown. Creating a report takes as long as a few verifications, so request
    /// reports only for a sample of the decisions.
    ///
    /// This value keeps the object and the signed bytes in memory, up to the limits in ``/PureAttest/InputLimits`` and
    /// ``/PureAttestServerCore/RelyingPartyConfiguration/maximumClientData``.
    public func report() -> VerificationReport? { explanation?() }
}

extension RelyingParty {
    func decide<Value: Sendable>(
        _ operation: RelyingPartyOperation, keyID: [UInt8]? = nil, account: AccountID? = nil, at time: UnixTime,
        _ decision: () throws(Refusal) -> Decision<Value>
    ) async throws(Failure) -> Value {
        var subject = DecisionSubject(keyID: keyID, account: account)
        let start = observer == nil ? nil : stopwatch()
        let outcome: Result<Value, Failure>
        do throws(Failure) {
            let decision = try refusing(decision)
            outcome = .success(try await run(decision, about: &subject))
        } catch { outcome = .failure(error) }
        report(outcome, operation, subject, at: time, since: start)
        return try outcome.get()
    }

    func decide<Value>(
        _ operation: RelyingPartyOperation, keyID: [UInt8]? = nil, account: AccountID? = nil, at time: UnixTime,
        _ decision: () throws(Refusal) -> LimitDecision<Value>
    ) throws(Failure) -> Value {
        let start = observer == nil ? nil : stopwatch()
        let outcome = Result { () throws(Failure) in
            try refusing { () throws(Refusal) in try limiters.run(try decision()) }
        }
        report(outcome, operation, DecisionSubject(keyID: keyID, account: account), at: time, since: start)
        return try outcome.get()
    }

    private func report<Value>(
        _ outcome: Result<Value, Failure>, _ operation: RelyingPartyOperation, _ subject: DecisionSubject,
        at time: UnixTime, since start: Duration?
    ) {
        guard let observer, let start else { return }
        let decision = RelyingPartyDecision(
            operation: operation, keyID: subject.keyID.flatMap { $0.count == keyIDByteCount ? $0 : nil },
            account: subject.account, time: time, duration: stopwatch() - start, explanation: subject.explanation)
        switch outcome {
        case .success: observer.accepted(decision)
        case .failure(.refused(let refusal)): observer.refused(decision, because: refusal)
        case .failure(.store(let error)): observer.storeFailed(decision, with: error)
        }
    }
}

extension RelyingPartyDecision: CustomStringConvertible {
    /// The operation, the first four bytes of the key identifier, and the duration. Omits the account.
    public var description: String {
        let key = keyID.map { "key \(hexEncodedString($0.prefix(4)))…" } ?? "no key"
        return "\(operation.rawValue), \(key), \(duration)"
    }
}
