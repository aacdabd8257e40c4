import PureAttest

/// Verifies receipts against Apple's other root and the attestation of their key.
struct VerifyReceipt: Command {
    static let name = "receipt"
    static let summary = "Verify the receipts of an attested key and print their fields."
    static let operands = [Operand.objectFile]
    static let options =
        AttestationInputs.options + [
            .value(
                "--receipt", "BYTES", .bytes,
                "One receipt that Apple answered, in place of the file's.\nThe attestation's own is then of any age."),
            .value(
                "--max-age", "SECONDS", .number(0...UInt64(UInt32.max)),
                "How old they may be; 300 for the attestation's own, else any."),
        ] + AttestationInputs.commonOptions + [
            AttestationInputs.timeOption,
            .value(
                "--received-at", "TIME", .time,
                "When the receipts came. Without: as in the file, or --at.\nWith --receipt, of that one alone."),
            AttestationInputs.trustOption, .json,
        ]
    static let discussion = """
        The attestation is verified first, at the time of --at: a receipt has to be of its key and app. Then its own receipt
        always is, and --receipt or every other one in the file, each at the time that the file says it was received. A file
        whose list of receipts is empty is refused, even if the attestation's own is genuine.

        \(ObjectFile.help)
        \(byteValueHelp)
        """

    private struct Item {
        /// `nil`: the attestation's own.
        var bytes: [UInt8]?
        var time: Sourced<UnixTime>
        var maximumAge: UInt32?
    }

    private let inputs: AttestationInputs
    private let items: [Item]
    private let listIsEmpty: Bool
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        let file = try arguments.operand.map { try ObjectFile(path: $0) }
        inputs = try AttestationInputs(arguments, file: file)
        let receivedAt = try arguments.time("--received-at")
        let maximumAge = try arguments.number("--max-age", as: UInt32.self)
        let attestationTime = inputs.time
        let listed = file?.receipts ?? []
        let given = try arguments.bytes("--receipt")
        func time(of receipt: ObjectFile.Receipt, given: Sourced<UnixTime>?) -> Sourced<UnixTime> {
            let fromFile = receipt.verifyAt.map { Sourced(value: UnixTime(secondsSince1970: $0), origin: .file) }
            return given ?? fromFile ?? attestationTime
        }
        // The attestation's own is verified whatever else there is. With --receipt, the other options are about that one.
        let own = listed.filter { $0.receipt == nil }
        let ownReceivedAt = given == nil ? receivedAt : nil
        let ownAge = given == nil ? maximumAge ?? UnverifiedReceipt.registrationAge : nil
        var items = (own.isEmpty ? [ObjectFile.Receipt()] : own).map { receipt in
            Item(time: time(of: receipt, given: ownReceivedAt), maximumAge: ownAge)
        }
        if let given {
            items.append(Item(bytes: given.value, time: receivedAt ?? attestationTime, maximumAge: maximumAge))
        } else {
            items += listed.compactMap { receipt in
                receipt.receipt.map { bytes in
                    Item(bytes: bytes.bytes, time: time(of: receipt, given: receivedAt), maximumAge: maximumAge)
                }
            }
        }
        self.items = items
        listIsEmpty = given == nil && file?.receipts?.isEmpty == true
    }

    func run() throws -> ExitStatus {
        var inputReport = inputs.report
        for item in items { inputReport.add("receivedAt", "Received", .time(item.time.value), item.time.origin) }
        var verdict = Verdict(.receipt, inputs: inputReport)
        do throws(PureAttestError) {
            let attested = try inputs.verify()
            for item in items { verdict.proved.append(try verify(item, of: attested).payload.report) }
        } catch {
            verdict.refusal = RefusalReason(error, hint: inputs.hint(on: error))
        }
        if verdict.refusal == nil, listIsEmpty {
            throw UnusableInput(
                "the file's list of receipts is empty; without a list, the attestation's own is verified")
        }
        return verdict.conclude(json: json)
    }

    private func verify(_ item: Item, of attested: VerifiedAttestation) throws(PureAttestError) -> VerifiedReceipt {
        let receipt =
            if let bytes = item.bytes { try inputs.app.verifier.receipt(bytes, of: attested.key) } else {
                attested.unverifiedReceipt
            }
        return try receipt.verify(at: item.time.value, maximumAge: item.maximumAge)
    }
}
