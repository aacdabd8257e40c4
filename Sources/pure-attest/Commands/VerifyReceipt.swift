import PureAttest

/// Verifies receipts under Apple's receipt root, for the key that an attestation certifies.
struct VerifyReceipt: Command {
    static let name = "receipt"
    static let summary = "Verify the receipts of an attested key and print their fields."
    static let operands = [Operand.objectFile]
    static let options =
        AttestationInputs.options + [
            .value(
                "--receipt", "OBJECT", .object,
                "One receipt from Apple's answer, in place of the file's.\nThe attestation's own receipt may then have any age."
            ),
            .value(
                "--max-age", "SECONDS", .number(0...UInt64(UInt32.max)),
                "The maximum age (default: 300 for the attestation's own, else none)."),
        ] + AttestationInputs.commonOptions + [
            AttestationInputs.timeOption,
            .value(
                "--received-at", "TIME", .time,
                "When the receipts arrived. Default: as in the file, or --at.\nWith --receipt, applies only to that receipt."
            ),
            AttestationInputs.trustOption, .json,
        ]
    static let discussion = """
        The command verifies the attestation first, at the time of --at: a receipt must belong to its key and app. It then
        verifies the attestation's own receipt, and --receipt or the file's other receipts, each at its time of receipt. A file
        with an empty list of receipts is an error, even if the attestation's own receipt is genuine. The inputs in the JSON
        have receivedAt, or with several receipts receivedAt1, receivedAt2 and so on, in the order of the receipts.

        \(ObjectFile.help)
        \(objectValueHelp)
        """

    private struct Item {
        /// The receipt; `nil` means the attestation's own receipt.
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
        let given = try arguments.object("--receipt")
        func time(of receipt: ObjectFile.Receipt, given: Sourced<UnixTime>?) -> Sourced<UnixTime> {
            let fromFile = receipt.verifyAt.map { Sourced(value: UnixTime(secondsSince1970: $0), origin: .file) }
            return given ?? fromFile ?? attestationTime
        }
        // Always verifies the attestation's own receipt. With --receipt, the options --received-at and --max-age apply
        // only to the receipt of --receipt.
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
        for (index, item) in items.enumerated() {
            // Members of a JSON object need different names, or parsers keep only one of them.
            let (key, label) =
                items.count == 1 ? ("receivedAt", "Received") : ("receivedAt\(index + 1)", "Received \(index + 1)")
            inputReport.add(key, label, .time(item.time.value), item.time.origin)
        }
        var verdict = Verdict(.receipt, inputs: inputReport)
        do throws(PureAttestError) {
            let attested = try inputs.verify()
            for item in items { verdict.proved.append(try verify(item, of: attested).payload.report) }
        } catch {
            verdict.refusal = RefusalReason(error, hint: inputs.hint(on: error))
        }
        if verdict.refusal == nil, listIsEmpty {
            throw UnusableInput(
                "the file's list of receipts is empty; remove the list to verify the attestation's own receipt")
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
