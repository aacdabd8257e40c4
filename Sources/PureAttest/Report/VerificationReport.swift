@_spi(Steps) import PureBytes

/// What each step of a verification found, for people who ask why an object is refused.
///
/// A report proves nothing. It runs steps on data that earlier steps have refused, so "passed" means that this one
/// comparison held, and no proof comes out of it: only ``AppAttestVerifier/verifyAttestation(_:keyID:challenge:at:)`` and
/// its siblings decide. It is safe to log: no keys, challenges, client data or signatures, hashes only by their
/// first four bytes, and text from the object without control characters.
public struct VerificationReport: Hashable, Sendable {
    /// What came of a step.
    public enum Status: UInt8, Hashable, Sendable, CaseIterable {
        /// The comparison held.
        case passed = 1
        /// It did not.
        case failed
        /// What it compares could not be read.
        case notRun
    }

    /// One step.
    public struct Step: Hashable, Sendable {
        /// What the report is about.
        public let subject: Subject
        /// Whose roots the verifier trusts.
        public let authority: Authority
        /// What the step compares.
        public let check: Check
        /// What came of it.
        public let status: Status
        /// The error that the verification would have thrown here.
        public let error: PureAttestError?
        /// What should have been there, where that can be said.
        public var expectedValue: Value?
        /// What was there, where that can be said.
        public var receivedValue: Value?
        /// What usually makes this step fail in this way, the likeliest first. Those that could be tried out on the
        /// object were: they are then no guesses.
        public var causes: [Cause] = []
    }

    /// What is reported on.
    public let kind: Subject
    /// Whose roots the verifier trusts.
    public let authority: Authority
    /// The steps, in the order of the verification.
    public private(set) var steps: [Step] = []

    /// The steps that failed. None does not make a verification: see ``VerificationReport``.
    public var failures: [Step] { steps.filter { $0.status == .failed } }
}

extension VerificationReport {
    /// What a failure looked like.
    struct Finding {
        var expected: Value?
        var received: Value?
        var causes: [Cause] = []

        init(expected: Value? = nil, received: Value? = nil, causes: [Cause]) {
            self.expected = expected
            self.received = received
            self.causes = causes
        }

        init(
            expected: Value? = nil, received: Value? = nil, because first: CauseCode? = nil, _ second: CauseCode? = nil
        ) {
            self.init(expected: expected, received: received, causes: .of(first, second))
        }
    }

    /// A report of what came of each step.
    ///
    /// - Parameters:
    ///   - isAsked: whether a policy asks for what the step compares. Other steps cannot fail and are left out.
    ///   - finding: what is known of a failure, by the step, its error and the index of the declaration that refuses.
    init(
        on kind: Subject, trusting authority: Authority, _ outcomes: EveryOutcome<Check, PureAttestError>,
        isAsked: (Check) -> Bool = { _ in true }, finding: (Check, PureAttestError, Int) -> Finding
    ) {
        self.kind = kind
        self.authority = authority
        for (check, outcome) in outcomes.outcomes {
            var step = Step(subject: kind, authority: authority, check: check, status: .passed, error: nil)
            switch outcome {
            case .failed(let error, let item):
                let finding = finding(check, error, item)
                step = Step(
                    subject: kind, authority: authority, check: check, status: .failed, error: error,
                    expectedValue: finding.expected, receivedValue: finding.received, causes: finding.causes)
            case .notRun: step = Step(subject: kind, authority: authority, check: check, status: .notRun, error: nil)
            case .passed: break
            }
            if step.status == .failed || isAsked(check) { steps.append(step) }
        }
    }
}
