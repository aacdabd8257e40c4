@_spi(Steps) import PureBytes

/// The result of each verification step, for people who investigate why an object was rejected.
///
/// A report proves nothing. A report also runs steps on data that earlier steps have rejected. Therefore, "passed"
/// means only that the comparison in this step succeeded. Only the verifying functions, such as
/// ``AppAttestVerifier/verifyAttestation(_:keyID:challenge:at:)``, decide whether an object is valid.
///
/// A report is safe to log. The report contains no keys, challenges, client data or signatures. Hashes are shortened to
/// four bytes, except code directory hashes. Text from the object has no control characters.
public struct VerificationReport: Hashable, Sendable {
    /// The outcome of a step.
    public enum Status: UInt8, Hashable, Sendable, CaseIterable {
        /// The comparison succeeded.
        case passed = 1
        /// The comparison failed.
        case failed
        /// The step's inputs could not be read.
        case notRun
    }

    /// One step.
    public struct Step: Hashable, Sendable {
        /// The subject of the report.
        let subject: Subject
        /// The authority whose roots the verifier trusts.
        let authority: Authority
        /// The check that the step performs.
        public let check: Check
        /// The step's outcome.
        public let status: Status
        /// The error that a verification would have thrown here.
        public let error: PureAttestError?
        /// The expected value, if it can be stated.
        public var expectedValue: Value?
        /// The received value, if it can be stated.
        public var receivedValue: Value?
        /// The usual causes, likeliest first. A cause that can be tested on the object is listed only if it applies.
        public var causes: [Cause] = []
    }

    /// The subject of the report.
    public let subject: Subject
    /// The authority whose roots the verifier trusts.
    public let authority: Authority
    /// The steps, in the order of the verification.
    public private(set) var steps: [Step] = []

    /// The steps that failed. An empty list does not prove that the object is valid: see ``VerificationReport``.
    public var failures: [Step] { steps.filter { $0.status == .failed } }
}

extension VerificationReport {
    struct Finding {
        var expected: Value?
        var received: Value?
        var causes: [Cause]
    }

    /// Creates a report from the outcomes of the steps.
    ///
    /// - Parameters:
    ///   - isAsked: whether a policy requires the check. The report omits other checks, because they cannot fail.
    ///   - finding: returns the details of a failure, given its check, its error and the rejecting declaration's index.
    init(
        on subject: Subject, trusting authority: Authority, _ outcomes: EveryOutcome<Check, PureAttestError>,
        isAsked: (Check) -> Bool = { _ in true }, finding: (Check, PureAttestError, Int) -> Finding
    ) {
        self.subject = subject
        self.authority = authority
        for (check, outcome) in outcomes.outcomes {
            var step = Step(subject: subject, authority: authority, check: check, status: .passed, error: nil)
            switch outcome {
            case .failed(let error, let item):
                let finding = finding(check, error, item)
                step = Step(
                    subject: subject, authority: authority, check: check, status: .failed, error: error,
                    expectedValue: finding.expected, receivedValue: finding.received, causes: finding.causes)
            case .notRun: step = Step(subject: subject, authority: authority, check: check, status: .notRun, error: nil)
            case .passed: break
            }
            if step.status == .failed || isAsked(check) { steps.append(step) }
        }
    }
}

extension VerificationReport.Finding {
    init(
        expected: VerificationReport.Value? = nil, received: VerificationReport.Value? = nil,
        because first: VerificationReport.CauseCode? = nil, _ second: VerificationReport.CauseCode? = nil
    ) {
        self.init(expected: expected, received: received, causes: .of(first, second))
    }
}
