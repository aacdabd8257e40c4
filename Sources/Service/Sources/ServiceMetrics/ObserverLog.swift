public import Logging
import Metrics
public import PureAttestServer

/// The decisions of a relying party in swift-log and swift-metrics.
public struct ObserverLog: RelyingPartyObserver {
    private let logger: Logger

    /// Logs refusals as information, and outages as errors.
    public init(_ logger: Logger) { self.logger = logger }

    /// Counts.
    public func accepted(_ decision: RelyingPartyDecision) { record(decision, "accepted") }

    /// Counts by step, and logs the reason.
    public func refused(_ decision: RelyingPartyDecision, because refusal: Refusal) {
        record(decision, refusal.step.rawValue)
        logger.info("\(decision): \(refusal)")
        // It costs a few verifications; and of Android's chains there is none.
        guard refusal.step == .verification, logger.logLevel <= .debug, let report = decision.report() else { return }
        logger.debug("\(report)")
    }

    /// Counts, and logs the error.
    public func storeFailed(_ decision: RelyingPartyDecision, with error: any Error) {
        record(decision, "store")
        logger.error("\(decision): \(error)")
    }

    private func record(_ decision: RelyingPartyDecision, _ outcome: String) {
        let dimensions = [("operation", decision.operation.rawValue), ("outcome", outcome)]
        Metrics.Timer(label: "attest_decision_seconds", dimensions: dimensions).record(duration: decision.duration)
    }
}
