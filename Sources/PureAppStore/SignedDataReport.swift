@_spi(Steps) import PureBytes
public import PureDER
import PureJWS
public import PureX509Paths

/// The outcome of every step of a verification, for logs and support.
///
/// The report runs the same steps as the verification, but proves nothing, so never base a decision on it.
public struct SignedDataReport: Sendable {
    /// A step.
    public enum Check: Hashable, Sendable {
        /// The text is a JWS in compact serialization, with an accepted header.
        case form
        /// The algorithm is ES256.
        case algorithm
        /// The content has the members of its kind.
        case content
        /// The content belongs to the verifier's environment.
        case environment
        /// The header has three certificates.
        case certificates
        /// The certificates form a valid chain to the pinned root.
        case chain
        /// The certificates are for App Store data.
        case purpose
        /// The certificates are not revoked, if the caller passed OCSP responses.
        case revocation
        /// The leaf's key signed the content.
        case signature
        /// The content belongs to the verifier's app.
        case app
        /// The signing date is neither in the future nor too long ago.
        case date
        /// Each JWS inside a notification is verified.
        case innerData
    }

    /// The outcome of a step.
    public enum Outcome: Hashable, Sendable {
        /// The step passed.
        case passed
        /// The step has nothing to check: the caller passed no OCSP responses, or a local key needs no certificates.
        case notChecked
        /// The step failed.
        case failed(AppStoreError)
        /// The step did not run, because it needs a result of a step that failed.
        case notRun
    }

    /// The kind of signed data.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// `signedTransactionInfo`.
        case transaction
        /// `signedRenewalInfo`.
        case renewalInfo
        /// An app transaction.
        case appTransaction
        /// `signedPayload` of a notification.
        case notification
    }

    /// The steps in the order of verification, each with its outcome.
    public let steps: [(check: Check, outcome: Outcome)]

    /// The first failed step's error, which the verification throws, or `nil` if the verification accepts the data.
    public var firstFailure: AppStoreError? {
        for (_, outcome) in steps {
            if case .failed(let error) = outcome { return error }
        }
        return nil
    }
}

extension SignedDataVerifier {
    /// Runs every step that can run, and returns the outcomes.
    public func explain(
        _ kind: SignedDataReport.Kind, _ text: some Collection<UInt8>, ocspResponses: [OCSPResponse] = [],
        at time: UnixTime
    ) -> SignedDataReport {
        let text = ArraySlice(text.prefix(JSONWebSignature.maximumSize + 1))
        var runner = EveryOutcome<SignedDataReport.Check, AppStoreError>()
        switch kind {
        case .transaction: _ = takeSteps(text, as: VerifiedTransaction.self, ocspResponses, at: time, by: &runner)
        case .renewalInfo: _ = takeSteps(text, as: VerifiedRenewalInfo.self, ocspResponses, at: time, by: &runner)
        case .appTransaction: _ = takeSteps(text, as: VerifiedAppTransaction.self, ocspResponses, at: time, by: &runner)
        case .notification: _ = takeNotificationSteps(text, ocspResponses, at: time, by: &runner)
        }
        return SignedDataReport(
            steps: runner.outcomes.map { check, outcome in
                switch outcome {
                case .passed: (check, hasNothingToCheck(check, ocspResponses) ? .notChecked : .passed)
                case .failed(let error, _): (check, .failed(error))
                case .notRun: (check, .notRun)
                }
            })
    }

    private func hasNothingToCheck(_ check: SignedDataReport.Check, _ responses: [OCSPResponse]) -> Bool {
        switch (check, authority) {
        case (.certificates, .key), (.chain, .key), (.purpose, .key), (.revocation, .key): true
        case (.revocation, .chain): responses.isEmpty
        default: false
        }
    }
}
