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
    /// The steps, in Apple's order.
    public internal(set) var steps: [Step] = []

    init(on kind: Subject, trusting authority: Authority) {
        self.kind = kind
        self.authority = authority
    }

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

    /// Runs a step and notes what came of it.
    mutating func run<T>(
        _ check: Check, _ body: () throws(PureAttestError) -> T,
        finding: (PureAttestError) -> Finding = { _ in Finding() }
    ) -> T? {
        do {
            let result = try body()
            steps.append(Step(subject: kind, authority: authority, check: check, status: .passed, error: nil))
            return result
        } catch {
            let finding = finding(error)
            steps.append(
                Step(
                    subject: kind, authority: authority, check: check, status: .failed, error: error,
                    expectedValue: finding.expected, receivedValue: finding.received, causes: finding.causes))
            return nil
        }
    }

    /// Runs a step on something that could be read, or notes that it could not.
    mutating func run<Input, T>(
        _ check: Check, on input: Input?, _ body: (Input) throws(PureAttestError) -> T,
        finding: (Input, PureAttestError) -> Finding = { _, _ in Finding() }
    ) -> T? {
        guard let input else {
            steps.append(Step(subject: kind, authority: authority, check: check, status: .notRun, error: nil))
            return nil
        }
        return run(check) { () throws(PureAttestError) in
            try body(input)
        } finding: {
            finding(input, $0)
        }
    }
}
