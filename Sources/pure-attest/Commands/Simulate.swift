import PureAppStoreTesting
import PureAttest
import PureAttestTesting
import PureBytes
import PureKeyAttestationTesting

struct Simulate: Command {
    static let name = "simulate"
    static let summary =
        "Make attestations, assertions, Android key chains and App Store data for tests, with or without a fault."
    static let operands = [
        Operand(
            value: Value(
                name: variants.map(\.name).joined(separator: "|"), kind: .words(variants.map(\.name))),
            isRequired: true)
    ]
    static let options: [Option] =
        [
            .value(
                "--seed", "N", .number(0...UInt64.max),
                "The seed of all keys: the same seed gives the same files. Required.", isRequired: true),
            .value(
                "--out", "DIR", .newFolder, "The folder to write to; created if missing. Required.", isRequired: true),
            .value(
                "--time", "TIME", .time,
                "When the device attests, from \(issuersAreValid.lowerBound) to \(issuersAreValid.upperBound);\n"
                    + "default: \(Corpus.defaultTime)."),
            .value("--app-id", "ID", .text, "The app (default: TEST123456.com.example.app).")
                .only(with: "device", "attest", "assert"),
            .value(
                "--environment", "NAME", .words(["production", "development"]),
                "production (default) or development."
            ).only(with: "device", "attest", "assert"),
            .value(
                "--system", "NAME", .words(DeviceSystem.allCases.map(\.rawValue)),
                "\(DeviceSystem.allCases.map(\.rawValue).joined(separator: ", "))."
            ).only(with: "device", "attest", "assert"),
            .value("--challenge", "BYTES", .bytes, "The attested challenge (default: text:challenge).")
                .only(with: "android", "attest", "assert"),
            .value("--client-data", "BYTES", .bytes, "The signed client data (default: text:request).")
                .only(with: "android", "assert"),
            .value("--counter", "N", .number(1...UInt64(UInt32.max)), "The assertion's counter (default: 1).")
                .only(with: "assert"),
            .value(
                "--fault", "ID",
                .words(
                    Fault.allCases.map(\.id) + AndroidFault.allCases.map(\.id) + SignedDataFault.allCases.map(\.id)),
                "The fault to make, such as attestation.nonceMismatch.\npure-attest faults lists them."
            ).only(with: "android", "transaction", "attest", "assert"),
        ] + AndroidSimulation.options + TransactionSimulation.options
    static let variants = [
        Variant(
            name: "corpus",
            summary: "Objects that a server must accept, and one object file per fault (format: Vectors/README.md)."),
        Variant(name: "android-corpus", summary: "The same for Android key attestations."),
        Variant(
            name: "device",
            summary: "The device's key, the roots to trust, and the bodies of two challenge requests."),
        Variant(
            name: "android",
            summary: "The certificate chain of an Android key and a signed request, as a JSON file and as android.pem."),
        Variant(
            name: "transaction",
            summary: "Data that a test App Store signed, the root to trust, and OCSP responses."),
        Variant(
            name: "attest",
            summary:
                "An attestation of the device's key, as an object file, as attestation.cbor and as a request body."),
        Variant(
            name: "assert",
            summary:
                "The attestation and an assertion, as an object file, as assertion.cbor and as the body of a session\nrequest. --client-data is the challenge of that request."
        ),
    ]
    static let discussion = """
        The roots are in attestation-root.pem and receipt-root.pem. Android's root is in android-root.pem; an android-corpus
        has android-remote-root.pem and android-factory-root.pem. The App Store's root is in app-store-root.pem. All objects
        are only for tests: the keys follow from the seed. Verifiers that trust Apple's or Google's roots reject them. The
        commands that verify accept them with --trust-test-anchor, and verify-transaction with --root.

        \(byteValueHelp)
        """

    /// The validity period of the issuing certificates.
    private static let issuersAreValid = TestCertificateAuthority.validity

    private enum Product: String, CaseIterable {
        case corpus
        case androidCorpus = "android-corpus"
        case device, android, transaction, attest, assert

        var isOfAppAttest: Bool { self != .android && self != .androidCorpus && self != .transaction }
    }

    private let product: Product
    private let seed: UInt64
    private let folder: OutputFolder
    private let time: UnixTime
    private let appID: String
    private let environment: Environment
    private let system: DeviceSystem
    private let challenge: [UInt8]
    private let clientData: [UInt8]
    private let counter: UInt32
    private let fault: Fault?
    private let android: AndroidSimulation?
    private let transaction: TransactionSimulation?

    init(_ arguments: Arguments) throws {
        guard let product = Product(rawValue: try arguments.operandWord()) else { preconditionFailure("no product") }
        self.product = product
        seed = try arguments.number("--seed") ?? 0
        let path = arguments.value("--out") ?? ""
        guard !path.isEmpty else { throw arguments.wrong("--out", path) }
        folder = OutputFolder(path: path)
        time = try arguments.time("--time")?.value ?? Corpus.defaultTime
        let valid = Self.issuersAreValid
        guard valid.contains(time) else {
            throw UnusableInput(
                "--time: the test authority's certificates are valid from \(valid.lowerBound) to \(valid.upperBound)"
            )
        }
        appID = arguments.value("--app-id") ?? "TEST123456.com.example.app"
        environment = try arguments.word("--environment") == "development" ? .development : .production
        let system = try arguments.word("--system").flatMap(DeviceSystem.init(rawValue:)) ?? .iOS27ExtensionFlag
        self.system = system
        challenge = try arguments.bytes("--challenge")?.value ?? Array("challenge".utf8)
        clientData = try arguments.bytes("--client-data")?.value ?? Array("request".utf8)
        counter = try arguments.number("--counter") ?? 1
        switch product {
        case .androidCorpus: android = AndroidSimulation(corpusOf: seed, time: time)
        case .android:
            android = try AndroidSimulation(
                arguments, seed: seed, time: time, challenge: challenge, clientData: clientData)
        default: android = nil
        }
        transaction =
            product == .transaction ? try TransactionSimulation(arguments, seed: seed, time: time) : nil
        guard product.isOfAppAttest else {
            fault = nil
            return
        }
        fault = try arguments.word("--fault").map { id in
            guard let fault = Fault(id: id) else {
                throw UnusableInput("the fault \(id) is for \(AndroidFault(id: id) == nil ? "transaction" : "android")")
            }
            guard fault.applies(to: system) else {
                throw UnusableInput("\(system.rawValue) cannot have the fault \(id); name another system with --system")
            }
            if case .assertion = fault, product == .attest { throw UnusableInput("the fault \(id) is for assert") }
            return fault
        }
        if product == .assert, let fault {
            guard case .assertion = fault else { throw UnusableInput("the fault \(fault.id) is for attest") }
        }
    }

    func run() throws -> ExitStatus {
        if let android {
            conclude(try android.write(to: folder))
            return .success
        }
        if let transaction {
            conclude(try transaction.write(to: folder))
            return .success
        }
        let cases: [CorpusCase]
        switch product {
        case .corpus, .android, .androidCorpus, .transaction:
            cases = Corpus(seed: seed, time: time).cases
            for item in cases { try folder.write("\(item.name).json", item.json) }
        case .device:
            let item = try makeCase(requests: [])
            cases = [item]
            try folder.write("device.json", item.deviceJSON)
            for purpose in ["attestation", "assertion"] {
                try folder.writeRequest(
                    "challenge-\(purpose)", [("purpose", .string(purpose)), ("keyID", .base64(item.keyID))])
            }
        case .attest:
            let item = try makeCase(requests: [])
            cases = [item]
            try folder.write("attestation.json", item.json)
            try folder.write("attestation.cbor", item.attestation)
            try folder.writeRequest("attest", item.request(with: "attestation", item.attestation, challenge: challenge))
        case .assert:
            let item = try makeCase(requests: [.init(clientData, lostAssertions: counter - 1)])
            cases = [item]
            try folder.write("assertion.json", item.json)
            for assertion in item.assertions {
                try folder.write("assertion.cbor", assertion.assertion)
                try folder.writeRequest(
                    "session", item.request(with: "assertion", assertion.assertion, challenge: clientData))
            }
        }
        if let item = cases.first {
            try folder.write("attestation-root.pem", PEM.encode(item.attestationRoot, label: .certificate))
            try folder.write("receipt-root.pem", PEM.encode(item.receiptRoot, label: .certificate))
        }
        conclude(cases.count)
        return .success
    }

    private func conclude(_ count: Int) {
        print("\(count) \(count == 1 ? "case" : "cases") in \(folder.path.printable)\n")
    }

    private func makeCase(requests: [CorpusCase.Request]) throws -> CorpusCase {
        // A build fault needs a build hash. Without the hash, the file states no policy on builds, so verifiers accept
        // the fault.
        let isOfBuild = fault?.id.utf8.contains(".build".utf8) == true
        let device = VirtualDevice(
            app: AppID(bytes: appID.utf8, platform: system.appPlatform), environment: environment,
            system: system, authority: TestCertificateAuthority(seed: seed), seed: seed, time: time,
            codeDirectoryHash: isOfBuild ? (0..<32).map { UInt8($0) } : nil)
        do {
            return try CorpusCase(
                name: "\(product.rawValue) of seed \(seed)", seed: seed, device: device, challenge: challenge,
                requests: requests, fault: fault)
        } catch {
            throw UnusableInput("the device cannot make the object: \(plainText(of: error))")
        }
    }
}

/// A folder for output files, created when the first file is written.
struct OutputFolder {
    let path: String

    func write(_ name: String, _ bytes: [UInt8]) throws(UnusableInput) {
        do {
            let file = URL(filePath: path).appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        } catch {
            throw UnusableInput("cannot write \(name) into \(excerpt(path))")
        }
    }

    func write(_ name: String, _ json: JSON) throws(UnusableInput) {
        try write(name, Array((json.text + "\n").utf8))
    }

    /// Writes the request body for a route of the server, to be sent with `curl --data @FILE`.
    fileprivate func writeRequest(_ route: String, _ members: [(String, JSON)]) throws(UnusableInput) {
        try write("request-\(route).json", .object(members))
    }
}

extension CorpusCase {
    /// Returns the JSON members of a request with an object, as the routes in `Sources/Apps/Service` expect them.
    fileprivate func request(with name: String, _ object: [UInt8], challenge: [UInt8]) -> [(String, JSON)] {
        [("keyID", .base64(keyID)), ("challenge", .base64(challenge)), (name, .base64(object))]
    }
}
