import PureAttest
import PureAttestTesting
import PureBytes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes test objects as files: for servers in any language.
struct Simulate: Command {
    static let name = "simulate"
    static let summary = "Make attestations and assertions for tests, faulty ones too."
    static let operands = "corpus|device|attest|assert"
    static let options: [Option] = [
        .value("--seed", "N", "Where all keys come from: the same seed gives the same files."),
        .value("--out", "DIR", "The folder to write to; made if it is not there."),
        .value("--time", "TIME", "When the device attests; 2026-09-15T12:00:00Z if not given."),
        .value(
            "--app-id", "ID", "The app, TEST123456.com.example.app if not given.\nNot with corpus, as all that follow."),
        .value("--environment", "NAME", "production (if not given) or development."),
        .value("--system", "NAME", "\(DeviceSystem.allCases.map(\.rawValue).joined(separator: ", "))."),
        .value("--challenge", "BYTES", "What is attested; with attest and assert. text:challenge if not given."),
        .value("--client-data", "BYTES", "What is signed; with assert. text:request if not given."),
        .value("--counter", "N", "The assertion's counter, 1 if not given; with assert."),
        .value("--fault", "ID", "The fault to make, such as attestation.nonceMismatch; with attest and assert."),
    ]
    static let discussion = """
        corpus  What a server must accept, and every fault, one object file each (Vectors/README.md describes the format).
        device  The device's key and the roots to trust.
        attest  An attestation of that key, as an object file and as attestation.cbor.
        assert  The same and an assertion, as an object file and as assertion.cbor.
        The roots are in attestation-root.pem and receipt-root.pem. Everything here is for tests: the keys follow from the
        seed, and no verifier that trusts Apple's roots accepts any of it.
        \(byteValueHelp)
        """

    private enum Product: String, CaseIterable {
        case corpus, device, attest, assert
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

    init(_ arguments: inout Arguments) throws {
        let word = arguments.nextOperand() ?? ""
        guard let product = Product(rawValue: word) else {
            throw UnusableInput("simulate takes corpus, device, attest or assert\(word.isEmpty ? "" : ", not \(word)")")
        }
        self.product = product
        func refuse(_ options: String..., unless isAllowed: Bool) throws {
            for option in options where !isAllowed && arguments.value(option) != nil {
                throw UnusableInput("\(option) does not go with \(product.rawValue)")
            }
        }
        try refuse("--app-id", "--environment", "--system", unless: product != .corpus)
        try refuse("--challenge", "--fault", unless: product == .attest || product == .assert)
        try refuse("--client-data", "--counter", unless: product == .assert)

        guard let seed = arguments.value("--seed").flatMap({ UInt64($0) }) else {
            throw UnusableInput("--seed takes a number from 0 to \(UInt64.max)")
        }
        self.seed = seed
        guard let path = arguments.value("--out"), !path.isEmpty else { throw UnusableInput("--out DIR is missing") }
        folder = OutputFolder(path: path)
        time = try arguments.value("--time").map { try UnixTime(text: $0) } ?? Corpus.defaultTime
        appID = arguments.value("--app-id") ?? "TEST123456.com.example.app"
        switch arguments.value("--environment") {
        case "production", nil: environment = .production
        case "development": environment = .development
        default: throw UnusableInput("--environment takes production or development")
        }
        guard let system = DeviceSystem(rawValue: arguments.value("--system") ?? "iOS27ExtensionFlag") else {
            throw UnusableInput("--system takes \(DeviceSystem.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.system = system
        challenge = try arguments.bytes("--challenge")?.value ?? Array("challenge".utf8)
        clientData = try arguments.bytes("--client-data")?.value ?? Array("request".utf8)
        guard let counter = UInt32(arguments.value("--counter") ?? "1"), counter > 0 else {
            throw UnusableInput("--counter takes a number from 1 to \(UInt32.max)")
        }
        self.counter = counter
        fault = try arguments.value("--fault").map { id in
            guard let fault = Fault(id: id), fault.applies(to: system) else {
                throw UnusableInput("no fault \(id) of this system; simulate corpus makes all there are")
            }
            if case .assertion = fault, product == .attest { throw UnusableInput("\(id) goes with assert") }
            return fault
        }
        if product == .assert, let fault {
            guard case .assertion = fault else { throw UnusableInput("\(fault.id) goes with attest") }
        }
    }

    func run() throws -> ExitStatus {
        let cases: [CorpusCase]
        switch product {
        case .corpus:
            cases = Corpus(seed: seed, time: time).cases
            for item in cases { try folder.write("\(item.name).json", Array((item.json.text + "\n").utf8)) }
        case .device:
            let item = try makeCase(requests: [])
            cases = [item]
            try folder.write("device.json", Array((item.deviceJSON.text + "\n").utf8))
        case .attest:
            let item = try makeCase(requests: [])
            cases = [item]
            try folder.write("attestation.json", Array((item.json.text + "\n").utf8))
            try folder.write("attestation.cbor", item.attestation)
        case .assert:
            let item = try makeCase(requests: [.init(clientData, lostAssertions: counter - 1)])
            cases = [item]
            try folder.write("assertion.json", Array((item.json.text + "\n").utf8))
            for assertion in item.assertions { try folder.write("assertion.cbor", assertion.assertion) }
        }
        if let item = cases.first {
            try folder.write("attestation-root.pem", pem(item.attestationRoot))
            try folder.write("receipt-root.pem", pem(item.receiptRoot))
        }
        print("\(cases.count) \(cases.count == 1 ? "case" : "cases") in \(folder.path)\n")
        return .success
    }

    private func makeCase(requests: [CorpusCase.Request]) throws -> CorpusCase {
        let device = VirtualDevice(
            app: AppID(bytes: appID.utf8, platform: system.appPlatform), environment: environment,
            system: system, authority: TestCertificateAuthority(seed: seed), seed: seed, time: time)
        do {
            return try CorpusCase(
                name: "\(product.rawValue) of seed \(seed)", seed: seed, device: device, challenge: challenge,
                requests: requests, fault: fault)
        } catch {
            throw UnusableInput("the device refuses: \(error)")
        }
    }
}

/// The folder that files are written to.
private struct OutputFolder {
    let path: String

    func write(_ name: String, _ bytes: [UInt8]) throws(UnusableInput) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(filePath: path).appending(path: name))
        } catch {
            throw UnusableInput("cannot write \(path)/\(name)")
        }
    }
}

/// A certificate as PEM (RFC 7468 §5).
private func pem(_ certificate: [UInt8]) -> [UInt8] {
    let text = Array(base64EncodedString(certificate))
    let lines = stride(from: 0, to: text.count, by: 64).map { String(text[$0..<min($0 + 64, text.count)]) }
    return Array("-----BEGIN CERTIFICATE-----\n\(lines.joined(separator: "\n"))\n-----END CERTIFICATE-----\n".utf8)
}
