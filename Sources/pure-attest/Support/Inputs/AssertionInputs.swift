import PureAttest

/// The assertions to verify, the key, and all other verification inputs, from options and an object file.
struct AssertionInputs {
    static let options: [Option] = [
        .value("--assertion", "OBJECT", .object, "The assertion (CBOR), in place of the file's assertions."),
        .value("--client-data", "BYTES", .bytes, "The bytes that the device signed; with --assertion."),
        .value(
            "--signed-challenge", "BYTES", .bytes, "Reject client data other than this challenge (Apple's step 6)."),
        .value(
            "--key-record", "BYTES", .bytes,
            "The key record that verify-attestation or verify-assertion printed.\n--key is an alias.", alias: "--key"),
        .value("--public-key", "BYTES", .bytes, "A stored public key: X9.62 uncompressed, 65 bytes."),
        .value(
            "--previous-counter", "N", .number(0...UInt64(UInt32.max)),
            "The stored counter (default: the file's, or 0).\nNot with --key-record, which has a counter."),
    ]

    /// The options for an attestation, which only provides the key for the assertions.
    static let attestationOptions = AttestationInputs.options.map { option in
        var option = option
        option.help += "\nNot with --key-record or --public-key."
        return option
    }

    struct Item {
        var assertion: [UInt8]
        var clientData: [UInt8]
        /// The previous counter; `nil` means the key's current counter.
        var previousCounter: UInt32?
        /// The verification time; `nil` means the time of the attestation's verification.
        var time: UnixTime?
    }

    enum KeySource {
        case record(AttestedKey)
        case attestation(AttestationInputs)
    }

    /// Returns true if the options name a stored key. The attestation in the file is then ignored.
    static func hasStoredKey(_ arguments: Arguments) -> Bool {
        arguments.value("--key-record") != nil || arguments.value("--public-key") != nil
    }

    let items: [Item]
    let signedChallenge: [UInt8]?
    let app: AppInputs
    let keySource: KeySource
    let report: InputReport
    private let clientDataAsText: (bytes: [UInt8], alphabet: String)?

    init(_ arguments: Arguments, file: ObjectFile?) throws {
        try Self.check(arguments)
        var report = InputReport()
        let previousCounter = try arguments.number("--previous-counter", as: UInt32.self)
        items = try Self.items(arguments, file: file, previousCounter: previousCounter, &report)
        if let previousCounter {
            report.add("previousCounter", "Previous counter", .number(Int64(previousCounter)), .option)
        }
        clientDataAsText = arguments.value("--client-data").flatMap(byteValueAsText)
        signedChallenge = try arguments.bytes("--signed-challenge")?.value
        if let signedChallenge { report.add("signedChallenge", "Signed challenge", .bytes(signedChallenge), .option) }

        app = try AppInputs(arguments, file: file)
        if let record = try arguments.bytes("--key-record")?.value {
            keySource = .record(
                try Self.key("--key-record") { () throws(PureAttestError) in try AttestedKey(serialized: record) })
            report.add("keyRecord", "Key record", .base64(record), .option)
            app.add(to: &report)
        } else if let publicKey = try arguments.bytes("--public-key")?.value {
            let app = app
            keySource = .record(
                try Self.key("--public-key") { () throws(PureAttestError) in
                    try AttestedKey(
                        trustingStoredKey: publicKey, appID: app.appID.value, environment: app.environment.value,
                        counter: 0)
                })
            report.add("publicKey", "Public key", .bytes(publicKey), .option)
            app.add(to: &report)
        } else {
            let attestation = try AttestationInputs(arguments, file: file)
            keySource = .attestation(attestation)
            report.add(attestation.report)
        }
        self.report = report
    }

    private static func check(_ arguments: Arguments) throws(UnusableInput) {
        try arguments.checkAtMostOne(of: "--key-record", "--public-key", "--attestation")
        try arguments.checkAtMostOne(of: "--key-record", "--previous-counter")
        guard hasStoredKey(arguments) else { return }
        // With a stored key, options for the attestation have no effect, so they are errors. This matters most for
        // --challenge: the user expects the tool to compare the challenge.
        let unused = (AttestationInputs.options + [AttestationInputs.timeOption]).first {
            arguments.value($0.name) != nil
        }
        if let unused {
            throw UnusableInput(
                "\(unused.name) is for an attestation and has no effect with --key-record or --public-key")
        }
        if arguments.flag(AttestationInputs.trustOption) {
            throw UnusableInput(
                "--trust-test-anchor has no effect with --key-record or --public-key, which need no root")
        }
    }

    private static func items(
        _ arguments: Arguments, file: ObjectFile?, previousCounter: UInt32?, _ report: inout InputReport
    ) throws(UnusableInput) -> [Item] {
        if let assertion = try arguments.object("--assertion") {
            guard let clientData = try arguments.bytes("--client-data") else {
                throw UnusableInput("missing --client-data: --assertion needs it")
            }
            report.add("clientData", "Client data", .bytes(clientData.value), .option)
            return [Item(assertion: assertion.value, clientData: clientData.value, previousCounter: previousCounter)]
        }
        guard arguments.value("--client-data") == nil else { throw UnusableInput("--client-data needs --assertion") }
        guard let assertions = file?.assertions, !assertions.isEmpty else {
            throw UnusableInput("missing assertion: give --assertion or an object file with assertions")
        }
        // A counter or key record from the user gives the state before the first assertion, so the counters in the file
        // are ignored.
        let usesFileCounters = previousCounter == nil && arguments.value("--key-record") == nil
        report.add("clientData", "Client data", .text("of each assertion"), .file)
        if usesFileCounters, assertions.contains(where: { $0.previousCounter != nil }) {
            report.add("previousCounter", "Previous counter", .text("of each assertion"), .file)
        }
        return assertions.enumerated().map { index, assertion in
            Item(
                assertion: assertion.assertion.bytes, clientData: assertion.clientData.bytes,
                previousCounter: usesFileCounters
                    ? assertion.previousCounter : index == 0 ? previousCounter : nil,
                time: assertion.verifyAt.map(UnixTime.init(secondsSince1970:)))
        }
    }

    /// An unreadable key is an unusable input, and not a rejection of the assertion.
    private static func key(
        _ option: String, _ make: () throws(PureAttestError) -> AttestedKey
    ) throws(UnusableInput) -> AttestedKey {
        do { return try make() } catch { throw UnusableInput("\(option): \(error)") }
    }

    func time(of item: Item) -> UnixTime {
        if let time = item.time { return time }
        guard case .attestation(let attestation) = keySource else { return .now }
        return attestation.time.value
    }

    func verify(_ item: Item, key: AttestedKey) throws(PureAttestError) -> VerifiedAssertion {
        let key = resumed(key, for: item)
        guard let signedChallenge else {
            return try app.verifier.assertionVerifier.verifyAssertion(
                item.assertion, clientDataCheckedByCaller: item.clientData, key: key, at: time(of: item))
        }
        return try app.verifier.verifyAssertion(
            item.assertion, challenge: signedChallenge, signed: .clientData(item.clientData), key: key,
            at: time(of: item))
    }

    func explain(_ item: Item, key: AttestedKey) -> VerificationReport {
        guard let signedChallenge else {
            return app.verifier.explainAssertion(
                item.assertion, clientDataCheckedByCaller: item.clientData, key: key, at: time(of: item))
        }
        return app.verifier.explainAssertion(
            item.assertion, challenge: signedChallenge, signed: .clientData(item.clientData), key: key,
            at: time(of: item))
    }

    /// Returns the key with the counter that the server had stored.
    func resumed(_ key: AttestedKey, for item: Item) -> AttestedKey {
        item.previousCounter.map { key.resumed(at: $0) } ?? key
    }

    /// Returns a hint if the assertion verifies when an option's value is read as text instead of Base64.
    func hint(on error: PureAttestError, of item: Item, key: AttestedKey) -> String? {
        guard error == .invalidSignature, let text = clientDataAsText else { return nil }
        var asText = item
        asText.clientData = text.bytes
        guard (try? verify(asText, key: key)) != nil else { return nil }
        return asTextHint("--client-data", text.alphabet)
    }
}
