public import PureAttest

/// What a relying party was asked.
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
    /// `RelyingParty.spendBudget(_:by:at:)`
    case spendBudget
}

/// Gets each decision of a ``RelyingParty``, with its reason: for logs, metrics and alarms. Every method has an implementation that
/// does nothing.
///
/// The methods are called in the request's own task before the call returns, so they should be quick; whatever takes longer belongs
/// into a queue.
public protocol RelyingPartyObserver: Sendable {
    /// Something was accepted.
    func accepted(_ decision: RelyingPartyDecision)
    /// Something was refused.
    func refused(_ decision: RelyingPartyDecision, because refusal: Refusal)
    /// The store was out of order.
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

/// What a relying party decided. It holds no challenge, token or signature.
public struct RelyingPartyDecision: Sendable {
    typealias Explanation = @Sendable () -> VerificationReport

    /// What it was asked.
    public let operation: RelyingPartyOperation
    /// The key that the request named or its token is of, 32 bytes; `nil` if there is none, or if it was not established.
    public let keyID: [UInt8]?
    /// The account that the caller named, or that of the session.
    public let account: AccountID?
    /// The time that the caller gave.
    public let time: UnixTime
    /// How long it took, the store included.
    public let duration: Duration
    private let explanation: Explanation?

    init(
        operation: RelyingPartyOperation, keyID: [UInt8]?, account: AccountID?, time: UnixTime, duration: Duration,
        explanation: Explanation?
    ) {
        self.operation = operation
        self.keyID = keyID
        self.account = account
        self.time = time
        self.duration = duration
        self.explanation = explanation
    }

    /// What each step finds in the object, as `pure-attest explain` says it; `nil` where none of Apple's was verified: it is an
    /// Android device's, it was refused before, or the key is not known. It takes as long as a few verifications, so ask for some and not for all.
    ///
    /// Until it is asked for, this value keeps the object in memory: at most ``RelyingPartyConfiguration/maximumClientData`` and the
    /// limits of PureAttest.
    public func report() -> VerificationReport? { explanation?() }
}

extension RelyingParty {
    /// Runs `body`, and tells the observer what came of it.
    func observed<Value: Sendable>(
        _ operation: RelyingPartyOperation, keyID: [UInt8]?, account: AccountID?, at time: UnixTime,
        _ body: (inout Subject) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var subject = Subject(keyID: keyID, account: account)
        guard let observer else { return try await body(&subject) }
        let start = stopwatch()
        do {
            let value = try await body(&subject)
            observer.accepted(subject.decision(operation, at: time, after: stopwatch() - start))
            return value
        } catch {
            tell(observer, of: error, subject.decision(operation, at: time, after: stopwatch() - start))
            throw error
        }
    }

    /// As the other, for what asks no store.
    func observed<Value>(
        _ operation: RelyingPartyOperation, keyID: [UInt8]?, account: AccountID?, at time: UnixTime,
        _ body: (inout Subject) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var subject = Subject(keyID: keyID, account: account)
        guard let observer else { return try body(&subject) }
        let start = stopwatch()
        do {
            let value = try body(&subject)
            observer.accepted(subject.decision(operation, at: time, after: stopwatch() - start))
            return value
        } catch {
            tell(observer, of: error, subject.decision(operation, at: time, after: stopwatch() - start))
            throw error
        }
    }

    private func tell(_ observer: any RelyingPartyObserver, of failure: Failure, _ decision: RelyingPartyDecision) {
        switch failure {
        case .refused(let refusal): observer.refused(decision, because: refusal)
        case .store(let error): observer.storeFailed(decision, with: error)
        }
    }

    /// What is known of a request while it is decided.
    struct Subject {
        var keyID: [UInt8]?
        var account: AccountID?
        var explanation: RelyingPartyDecision.Explanation?

        fileprivate func decision(
            _ operation: RelyingPartyOperation, at time: UnixTime, after duration: Duration
        ) -> RelyingPartyDecision {
            RelyingPartyDecision(
                operation: operation, keyID: keyID.flatMap { $0.count == keyIDByteCount ? $0 : nil }, account: account,
                time: time, duration: duration, explanation: explanation)
        }
    }
}

extension RelyingPartyDecision: CustomStringConvertible {
    /// What was asked, how long it took and the first four bytes of the key; not the account.
    public var description: String {
        let digits = (keyID ?? []).prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let key = keyID == nil ? "no key" : "key \(digits)…"
        return "\(operation.rawValue), \(key), \(duration)"
    }
}
