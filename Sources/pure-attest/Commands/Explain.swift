import PureAttest

/// Runs every step of a verification and says of each what it found.
struct Explain: Command {
    static let name = "explain"
    static let summary = "Say for each step what it found, and why an object is likely refused."
    static let operands = "[FILE.json]"
    static let options =
        AttestationInputs.options + AttestationInputs.commonOptions + AttestationInputs.policyOptions
        + [AttestationInputs.timeOption, .json]
    static let discussion = """
        The steps run without stopping at the first that fails. If the attestation verifies, its receipt and the file's
        receipts and assertions are explained too. A report proves nothing: verify-attestation, verify-assertion and receipt do.

        \(ObjectFile.help)
        \(byteValueHelp)
        Exit status: 0 no step failed, 1 a step failed, 2 usage error or unreadable input.
        """

    private let inputs: AttestationInputs
    private let assertions: [ObjectFile.Assertion]
    private let receipts: [ObjectFile.Receipt]
    private let json: Bool

    init(_ arguments: inout Arguments) throws {
        json = arguments.flag(.json)
        let file = try arguments.nextOperand().map { try ObjectFile(path: $0) }
        inputs = try AttestationInputs(arguments, file: file)
        assertions = file?.assertions ?? []
        let receipts = file?.receipts ?? []
        // The attestation's own is explained whatever the file lists.
        self.receipts = receipts.contains { $0.receipt == nil } ? receipts : [ObjectFile.Receipt()] + receipts
    }

    func run() throws -> ExitStatus {
        var reports = [inputs.explain()]
        var isVerified = false
        if let attested = try? inputs.verify() {
            isVerified = true
            for receipt in receipts { reports.append(try explain(receipt, of: attested)) }
            for assertion in assertions { reports.append(explain(assertion, of: attested)) }
        }
        if json {
            print(JSON.object([("reports", .array(reports.map(\.json)))]).text + "\n")
        } else {
            print(
                reports.map { $0.description.split(separator: "\n").map { "\($0)".printable + "\n" }.joined() }
                    .joined(separator: "\n"))
        }
        return isVerified && reports.allSatisfy(\.failures.isEmpty) ? .success : .refused
    }

    private func explain(_ receipt: ObjectFile.Receipt, of attested: VerifiedAttestation) throws -> VerificationReport {
        let time = receipt.verifyAt.map(UnixTime.init(secondsSince1970:)) ?? inputs.time.value
        guard let bytes = receipt.receipt?.bytes else { return attested.unverifiedReceipt.explain(at: time) }
        let unverified: UnverifiedReceipt
        do { unverified = try inputs.app.verifier.receipt(bytes, of: attested.key) } catch {
            throw Refusal(describe(error))
        }
        return unverified.explain(at: time, maximumAge: nil)
    }

    private func explain(
        _ assertion: ObjectFile.Assertion, of attested: VerifiedAttestation
    ) -> VerificationReport {
        let key = attested.key.resumed(at: assertion.previousCounter ?? 0)
        return inputs.app.verifier.explainAssertion(
            assertion.assertion.bytes, clientData: assertion.clientData.bytes, challenge: .checkedByCaller, key: key)
    }
}

extension AttestationInputs {
    fileprivate func explain() -> VerificationReport {
        if let challenge {
            return app.verifier.explainAttestation(
                attestation, keyID: keyID.value, challenge: challenge.value, at: time.value)
        }
        return app.verifier.explainAttestation(
            attestation, keyID: keyID.value, clientDataHash: clientDataHash.value, at: time.value)
    }
}

extension VerificationReport {
    fileprivate var json: JSON {
        func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
        return .object([
            ("subject", .string(subject)),
            (
                "steps",
                .array(
                    steps.map { step in
                        .object([
                            ("step", .string(step.number)), ("title", .string(step.title)),
                            ("status", .string(step.status.rawValue)), ("reason", text(step.error.map(describe))),
                            ("expected", text(step.expected)), ("received", text(step.received)),
                            ("likelyCauses", .array(step.likelyCauses.map { .string($0) })),
                        ])
                    })
            ),
        ])
    }
}
