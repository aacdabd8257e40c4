import PureAttest

/// Verifies assertions with a key that was attested.
struct VerifyAssertion: Command {
    static let name = "verify-assertion"
    static let summary = "Verify an assertion, or every assertion of an object file in turn."
    static let operands = "[FILE.json]"
    static let options =
        [
            .value("--assertion", "BYTES", "The assertion (CBOR); the file's assertions are then not used."),
            .value("--client-data", "BYTES", "The bytes that the device signed; with --assertion."),
            .value("--signed-challenge", "BYTES", "Refuse client data other than this challenge (Apple's step 6)."),
            .value("--key", "BYTES", "The key record that verify-attestation or verify-assertion printed."),
            .value("--public-key", "BYTES", "Or a stored public key: X9.62 uncompressed, 65 bytes."),
            .value(
                "--previous-counter", "N",
                "The stored counter; without: the file's, or 0.\nOnly without --key, which has one."),
        ]
        + AttestationInputs.options.map { option in
            Option(name: option.name, value: option.value, help: option.help + "\nOnly without --key and --public-key.")
        } + AttestationInputs.commonOptions + AttestationInputs.policyOptions
        + [AttestationInputs.timeOption, .json]
    static let discussion = """
        The key is --key, or --public-key, or that of the attestation in the file or given by options, which is verified
        first. Without --signed-challenge, no challenge is compared: a server has to.
        \(ObjectFile.help)
        \(byteValueHelp)
        """

    /// One assertion with what it is verified against.
    private struct Item {
        var assertion: [UInt8]
        var clientData: [UInt8]
        /// `nil`: the counter that the key has by then.
        var previousCounter: UInt32?
    }

    private enum KeySource {
        case record(AttestedKey)
        case attestation(AttestationInputs)
    }

    private let items: [Item]
    private let signedChallenge: [UInt8]?
    private let app: AppInputs
    private let keySource: KeySource
    private let inputs: InputReport
    private let json: Bool

    init(_ arguments: inout Arguments) throws {
        json = arguments.flag(.json)
        let file = try arguments.nextOperand().map { try ObjectFile(path: $0) }
        try arguments.checkAtMostOne(of: "--key", "--public-key", "--attestation")
        try arguments.checkAtMostOne(of: "--key", "--previous-counter")
        if arguments.value("--key") != nil || arguments.value("--public-key") != nil {
            // Above all --challenge: whoever gives it expects it to be compared.
            let unused = (AttestationInputs.options + [AttestationInputs.timeOption]).first {
                arguments.value($0.name) != nil
            }
            if let unused {
                throw UnusableInput("\(unused.name) is for an attestation and has no effect with --key or --public-key")
            }
        }
        var inputs = InputReport()

        var previousCounter: UInt32?
        if let text = arguments.value("--previous-counter") {
            guard let counter = UInt32(text) else {
                throw UnusableInput("--previous-counter takes a number from 0 to \(UInt32.max), not \(text)")
            }
            previousCounter = counter
        }

        if let assertion = try arguments.bytes("--assertion") {
            guard let clientData = try arguments.bytes("--client-data") else {
                throw UnusableInput("--client-data is missing; it goes with --assertion")
            }
            items = [
                Item(assertion: assertion.value, clientData: clientData.value, previousCounter: previousCounter)
            ]
            inputs.add("clientData", "Client data", .bytes(clientData.value), .option)
        } else {
            guard arguments.value("--client-data") == nil else {
                throw UnusableInput("--client-data needs --assertion")
            }
            guard let assertions = file?.assertions, !assertions.isEmpty else {
                throw UnusableInput("there is no assertion: --assertion, or a file with some")
            }
            // A given counter or a key record stands for the server's memory, from the first assertion on.
            let usesFileCounters = previousCounter == nil && arguments.value("--key") == nil
            items = assertions.enumerated().map { index, assertion in
                Item(
                    assertion: assertion.assertion.bytes, clientData: assertion.clientData.bytes,
                    previousCounter: usesFileCounters
                        ? assertion.previousCounter : index == 0 ? previousCounter : nil)
            }
            inputs.add("clientData", "Client data", .text("of each assertion"), .file)
            if usesFileCounters, assertions.contains(where: { $0.previousCounter != nil }) {
                inputs.add("previousCounter", "Previous counter", .text("of each assertion"), .file)
            }
        }
        if let previousCounter {
            inputs.add("previousCounter", "Previous counter", .number(Int64(previousCounter)), .option)
        }
        signedChallenge = try arguments.bytes("--signed-challenge")?.value
        if let signedChallenge { inputs.add("signedChallenge", "Signed challenge", .bytes(signedChallenge), .option) }

        app = try AppInputs(arguments, file: file)
        if let record = try arguments.bytes("--key")?.value {
            keySource = .record(try Self.key { () throws(PureAttestError) in try AttestedKey(serialized: record) })
            inputs.add("keyRecord", "Key record", .base64(record), .option)
            app.add(to: &inputs)
        } else if let publicKey = try arguments.bytes("--public-key")?.value {
            let app = app
            keySource = .record(
                try Self.key { () throws(PureAttestError) in
                    try AttestedKey(
                        trustingStoredKey: publicKey, appID: app.appID.value, environment: app.environment.value,
                        counter: 0)
                })
            inputs.add("publicKey", "Public key", .bytes(publicKey), .option)
            app.add(to: &inputs)
        } else {
            let attestation = try AttestationInputs(arguments, file: file)
            keySource = .attestation(attestation)
            inputs.add(attestation.report)
        }
        self.inputs = inputs
    }

    /// A key that cannot be read is an unusable input, not a refused assertion.
    private static func key(_ make: () throws(PureAttestError) -> AttestedKey) throws(UnusableInput) -> AttestedKey {
        do { return try make() } catch { throw UnusableInput(describe(error)) }
    }

    func run() throws -> ExitStatus {
        var verdict = Verdict(.assertion, inputs: inputs)
        do throws(PureAttestError) {
            try verify(&verdict)
        } catch {
            let number = items.count == 1 ? "" : "assertion \(verdict.proved.count + 1) of \(items.count): "
            verdict.refusal = verdict.refusal ?? number + describe(error)
        }
        return verdict.conclude(json: json)
    }

    private func verify(_ verdict: inout Verdict) throws(PureAttestError) {
        var key: AttestedKey
        switch keySource {
        case .record(let record): key = record
        case .attestation(let inputs):
            do { key = try inputs.verify().key } catch {
                verdict.refusal = "the attestation of the key: " + describe(error)
                throw error
            }
        }
        let verifier = app.verifier
        for item in items {
            if let previousCounter = item.previousCounter { key = key.resumed(at: previousCounter) }
            let assertion = try verifier.verifyAssertion(
                item.assertion, clientData: item.clientData,
                challenge: signedChallenge.map { .clientDataIs($0) } ?? .checkedByCaller, key: key)
            key = assertion.key
            verdict.proved.append(assertion.report(challengeIsCompared: signedChallenge != nil))
        }
    }
}

extension VerifiedAssertion {
    /// What the verification proved.
    fileprivate func report(challengeIsCompared: Bool) -> Report {
        var report = Report()
        report.add("appID", "App ID", .text(appID.description))
        report.add("environment", "Environment", .text("\(key.environment)"))
        report.add("keyID", "Key ID", .base64(key.keyID))
        report.add("counter", "Counter", .number(Int64(counter)))
        report.addLaunchInformation(
            launchInformation, unverified: unverifiedLaunchInformation, unsigned: unverifiedCodeDirectoryHash)
        report.add("clientData", "Signed client data", .bytes([UInt8](clientData)))
        report.add(
            "challengeIsCompared", "Challenge compared", .bool(challengeIsCompared),
            note: challengeIsCompared ? nil : "a server has to; see --signed-challenge")
        report.add("keyRecord", "New key record", .base64(key.serialized))
        return report
    }
}
