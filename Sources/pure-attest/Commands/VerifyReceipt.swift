import PureAttest

/// Verifies receipts against Apple's other root and the attestation of their key.
struct VerifyReceipt: Command {
    static let name = "receipt"
    static let summary = "Verify the receipts of an attested key and print their fields."
    static let operands = "[FILE.json]"
    static let options =
        AttestationInputs.options + [
            .value(
                "--receipt", "BYTES", "One receipt that Apple answered, in place of the attestation's and the file's."),
            .value("--max-age", "SECONDS", "How old it may be; 300 for the attestation's own, else any."),
        ] + AttestationInputs.commonOptions + [
            AttestationInputs.timeOption,
            .value("--received-at", "TIME", "When the receipts came. Without: as in the file, or --at."),
            .json,
        ]
    static let discussion = """
        The attestation is verified first, at the time of --at: a receipt has to be of its key and app. Then its own receipt
        is, and every other one in the file, each at the time that the file says it was received.

        \(ObjectFile.help)
        \(byteValueHelp)
        """

    private struct Item {
        /// `nil`: the attestation's own.
        var bytes: [UInt8]?
        var time: Sourced<UnixTime>
    }

    private let inputs: AttestationInputs
    private let items: [Item]
    private let maximumAge: UInt32?
    private let json: Bool

    init(_ arguments: inout Arguments) throws {
        json = arguments.flag(.json)
        let file = try arguments.nextOperand().map { try ObjectFile(path: $0) }
        inputs = try AttestationInputs(arguments, file: file)
        let receivedAt = try arguments.value("--received-at").map {
            Sourced(value: try UnixTime(text: $0), origin: .option)
        }
        maximumAge = try arguments.value("--max-age").map { text in
            guard let age = UInt32(text) else { throw UnusableInput("--max-age takes seconds, not \(text)") }
            return age
        }
        let attestationTime = inputs.time
        if let receipt = try arguments.bytes("--receipt") {
            items = [Item(bytes: receipt.value, time: receivedAt ?? attestationTime)]
        } else {
            items = (file?.receipts ?? [ObjectFile.Receipt()]).map { receipt in
                let fromFile = receipt.verifyAt.map { Sourced(value: UnixTime(secondsSince1970: $0), origin: .file) }
                return Item(bytes: receipt.receipt?.bytes, time: receivedAt ?? fromFile ?? attestationTime)
            }
        }
    }

    func run() throws -> ExitStatus {
        var inputReport = inputs.report
        for item in items { inputReport.add("receivedAt", "Received", .time(item.time.value), item.time.origin) }
        var verdict = Verdict(.receipt, inputs: inputReport)
        do {
            let attested = try inputs.verify()
            for item in items { verdict.proved.append(try verify(item, of: attested).payload.report) }
        } catch {
            verdict.refusal = describe(error)
        }
        return verdict.conclude(json: json)
    }

    private func verify(_ item: Item, of attested: VerifiedAttestation) throws(PureAttestError) -> VerifiedReceipt {
        guard let bytes = item.bytes else {
            return try attested.unverifiedReceipt.verify(
                at: item.time.value, maximumAge: maximumAge ?? UnverifiedReceipt.registrationAge)
        }
        return try inputs.app.verifier.receipt(bytes, of: attested.key)
            .verify(at: item.time.value, maximumAge: maximumAge)
    }
}
