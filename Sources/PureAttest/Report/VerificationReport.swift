#if !hasFeature(Embedded)
    /// What each step of a verification found, for people who ask why an object is refused.
    ///
    /// A report proves nothing. It runs steps on data that earlier steps have refused, so "passed" means that this one
    /// comparison held, and no proof comes out of it: only ``AppAttestVerifier/verifyAttestation(_:keyID:challenge:at:)`` and
    /// its siblings decide. It is safe to log: no keys, challenges, client data or signatures, hashes only by their
    /// first four bytes, and text from the object without control characters.
    public struct VerificationReport: Hashable, Sendable {
        /// What came of a step.
        public enum Status: String, Hashable, Sendable {
            /// The comparison held.
            case passed
            /// It did not.
            case failed
            /// What it compares could not be read.
            case notRun
        }

        /// One step.
        public struct Step: Hashable, Sendable {
            /// Apple's number of the step, or a word where Apple has no step.
            public let number: String
            /// What the step compares.
            public let title: String
            /// What came of it.
            public let status: Status
            /// The error that the verification would have thrown here.
            public let error: PureAttestError?
            /// What should have been there, where that can be said.
            public var expected: String?
            /// What was there, where that can be said.
            public var received: String?
            /// What usually makes this step fail in this way, the likeliest first. Those that could be tried out on the
            /// object were: they are then no guesses.
            public var likelyCauses: [String] = []
        }

        /// "attestation", "assertion" or "receipt".
        public let subject: String
        /// The steps, in Apple's order.
        public internal(set) var steps: [Step] = []

        init(subject: String) { self.subject = subject }

        /// The steps that failed. None does not make a verification: see ``VerificationReport``.
        public var failures: [Step] { steps.filter { $0.status == .failed } }
    }

    extension VerificationReport: CustomStringConvertible {
        /// A line a step, with indented lines for what is known of a failure.
        public var description: String {
            var text = "Report on this \(subject). It explains and proves nothing.\n"
            for step in steps {
                let mark =
                    switch step.status {
                    case .passed: "ok    "
                    case .failed: "FAILED"
                    case .notRun: "not run"
                    }
                text += "\(mark) \(step.number): \(step.title)\n"
                if let expected = step.expected { text += "       expected: \(expected)\n" }
                if let received = step.received { text += "       received: \(received)\n" }
                for cause in step.likelyCauses { text += "       likely: \(cause)\n" }
            }
            return text
        }
    }

    extension VerificationReport {
        /// What a failure looked like.
        struct Finding {
            var expected: String?
            var received: String?
            var causes: [String] = []
        }

        /// Runs a step and notes what came of it.
        mutating func run<T>(
            _ number: String, _ title: String, _ body: () throws(PureAttestError) -> T,
            finding: (PureAttestError) -> Finding = { _ in Finding() }
        ) -> T? {
            do {
                let result = try body()
                steps.append(Step(number: number, title: title, status: .passed, error: nil))
                return result
            } catch {
                let finding = finding(error)
                steps.append(
                    Step(
                        number: number, title: title, status: .failed, error: error, expected: finding.expected,
                        received: finding.received, likelyCauses: finding.causes))
                return nil
            }
        }

        /// Runs a step on something that could be read, or notes that it could not.
        mutating func run<Input, T>(
            _ number: String, _ title: String, on input: Input?, _ body: (Input) throws(PureAttestError) -> T,
            finding: (Input, PureAttestError) -> Finding = { _, _ in Finding() }
        ) -> T? {
            guard let input else {
                steps.append(Step(number: number, title: title, status: .notRun, error: nil))
                return nil
            }
            return run(number, title) { () throws(PureAttestError) in
                try body(input)
            } finding: {
                finding(input, $0)
            }
        }
    }
#endif
