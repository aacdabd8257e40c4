import PureAttest
import VectorSupport

struct Explain: Command {
    static let name = "explain"
    static let summary = "Run every step and explain the likely cause of a refusal."
    static let operands = [Operand.objectFile]
    static let options = VerifyAssertion.options
    static let discussion = """
        A failed step does not stop the later steps. If the attestation verifies, the command also explains its receipt and the
        file's receipts and assertions. With --key-record or --public-key, it explains only assertions: the one of --assertion,
        or the file's. A report is not a verification: use verify-attestation, verify-assertion and receipt.

        \(ObjectFile.help)
        \(objectValueHelp)
        Exit status: 0 no step failed, 1 a step failed, 2 usage error or unreadable input.
        """

    private let attestation: AttestationInputs?
    private let assertions: AssertionInputs?
    private let receipts: [ObjectFile.Receipt]
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        let file = try arguments.operand.map { try ObjectFile(path: $0) }
        let hasStoredKey = AssertionInputs.hasStoredKey(arguments)
        // A file may contain no assertions. But if the user gives an option for assertions, there must be an assertion.
        let isAboutAssertions = AssertionInputs.options.contains { arguments.value($0.name) != nil }
        assertions =
            isAboutAssertions || file?.assertions?.isEmpty == false ? try AssertionInputs(arguments, file: file) : nil
        switch assertions?.keySource {
        case .attestation(let inputs): attestation = inputs
        case .record: attestation = nil
        case nil: attestation = try AttestationInputs(arguments, file: file)
        }
        let receipts = file?.receipts ?? []
        // Explains the attestation's own receipt even if the file does not list that receipt.
        self.receipts =
            hasStoredKey
            ? [] : receipts.contains { $0.receipt == nil } ? receipts : [ObjectFile.Receipt()] + receipts
    }

    func run() throws -> ExitStatus {
        var reports: [VerificationReport] = []
        var hints: [String] = []
        var key: AttestedKey?
        if case .record(let record)? = assertions?.keySource { key = record }
        if let attestation {
            reports.append(attestation.explain())
            do {
                let attested = try attestation.verify()
                key = attested.key
                for receipt in receipts {
                    reports.append(try explain(receipt, of: attested, attestation))
                }
            } catch let error as PureAttestError {
                hints += [attestation.hint(on: error)].compactMap(\.self)
            }
        }
        if let assertions, var key {
            for item in assertions.items {
                key = assertions.resumed(key, for: item)
                reports.append(assertions.explain(item, key: key))
                do { key = try assertions.verify(item, key: key).key } catch {
                    hints += [assertions.hint(on: error, of: item, key: key)].compactMap(\.self)
                }
            }
        }
        let trustsTestAnchor = (assertions?.report ?? attestation?.report)?.trustsTestAnchor ?? false
        if json {
            print(
                JSON.object([
                    ("trustsTestAnchor", .bool(trustsTestAnchor)), ("hints", .array(hints.map { .string($0) })),
                    ("reports", .array(reports.map(\.json))),
                ]).text + "\n")
        } else {
            if trustsTestAnchor {
                print(
                    Colour.yellow.text("Checked under the test root in the file: no Apple device made this object.")
                        + "\n\n")
            }
            let texts = reports.map { $0.description.lines.map { Self.coloured($0.printable) + "\n" }.joined() }
            print(
                texts.joined(separator: "\n") + hints.map { "\n\(Colour.yellow.text("Hint:")) \($0)\n" }.joined())
        }
        return key != nil && reports.allSatisfy(\.failures.isEmpty) ? .success : .refused
    }

    private static func coloured(_ line: String) -> String {
        let marks: [(String, Colour)] = [("ok ", .green), ("FAILED ", .red), ("       likely: ", .yellow)]
        for (mark, colour) in marks {
            if let rest = line.removing(prefix: mark) { return colour.text(mark) + rest }
        }
        return line
    }

    private func explain(
        _ receipt: ObjectFile.Receipt, of attested: VerifiedAttestation, _ inputs: AttestationInputs
    ) throws -> VerificationReport {
        let time = receipt.verifyAt.map(UnixTime.init(secondsSince1970:)) ?? inputs.time.value
        guard let bytes = receipt.receipt?.bytes else { return attested.unverifiedReceipt.explain(at: time) }
        let unverified: UnverifiedReceipt
        do { unverified = try inputs.app.verifier.receipt(bytes, of: attested.key) } catch {
            throw Refusal("\(error)")
        }
        return unverified.explain(at: time, maximumAge: nil)
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
        .object([
            ("subject", .string("\(subject)")), ("authority", .string("\(authority)")),
            (
                "steps",
                .array(
                    steps.map { step in
                        .object(
                            [
                                ("step", .string(step.number)), ("stepCode", .string("\(step.check)")),
                                ("title", .string(step.title)), ("status", .string("\(step.status)")),
                            ] + RefusalReason.members(step.error.map { RefusalReason($0) }) + [
                                ("expected", .text(step.expected)), ("received", .text(step.received)),
                                ("likelyCauses", .array(step.likelyCauses.map { .string($0) })),
                                ("causeCodes", .array(step.causes.map { .string("\($0.code)") })),
                            ])
                    })
            ),
        ])
    }
}
