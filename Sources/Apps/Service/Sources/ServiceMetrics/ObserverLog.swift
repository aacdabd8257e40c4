public import Logging
import Metrics
public import PureAttestServer

/// Reports a relying party's decisions to swift-log and swift-metrics.
public struct ObserverLog: RelyingPartyObserver {
    private let logger: Logger

    /// Creates an observer that logs rejections as information and store failures as errors.
    public init(_ logger: Logger) { self.logger = logger }

    /// Counts the decision.
    public func accepted(_ decision: RelyingPartyDecision) { record(decision, "accepted") }

    /// Counts the decision by step, and logs the reason.
    public func refused(_ decision: RelyingPartyDecision, because refusal: Refusal) {
        record(decision, refusal.step.rawValue)
        logger.info("\(decision): \(refusal)")
        // Only for the debug log, because a report takes as long as a few verifications. Android chains have no report.
        guard refusal.step == .verification, logger.logLevel <= .debug, let report = decision.report() else { return }
        logger.debug("\(report)")
    }

    /// Counts the failure, and logs the error.
    public func storeFailed(_ decision: RelyingPartyDecision, with error: any Error) {
        record(decision, "store")
        logger.error("\(decision): \(error)")
    }

    private func record(_ decision: RelyingPartyDecision, _ outcome: String) {
        let dimensions = [("operation", decision.operation.rawValue), ("outcome", outcome)]
        Metrics.Timer(label: "attest_decision_seconds", dimensions: dimensions).record(duration: decision.duration)
    }
}
