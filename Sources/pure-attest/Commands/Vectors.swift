import VectorSupport

/// Runs files of published test vectors.
struct Vectors: Command {
    static let name = "vectors"
    static let summary = "Run files of published test vectors."
    static let operands = "FILE..."
    static let options: [Option] = [.json]
    static let discussion = """
        A file is recognised by its content: Wycheproof JSON (ECDSA signatures in DER and P1363, ECDH public keys as points
        and SubjectPublicKeyInfo), NIST CAVP (SHA-2, SigVer, PKV, KeyPair) and ACVP internalProjection (SHA2, ECDSA sigVer
        and keyVer), x509-limbo and files of its shape, RFC 8949 appendices A and F and canonical CBOR, DER values, App Attest
        object files, and the adversarial objects of this package. Cases of what this package does not have are skipped, and counted by their reason.

        Exit status: 0 every case that ran passed, 1 a case failed, 2 a file cannot be read or has no known form.
        """

    private let paths: [String]
    private let json: Bool

    init(_ arguments: inout Arguments) throws {
        json = arguments.flag(.json)
        var paths: [String] = []
        while let path = arguments.nextOperand() { paths.append(path) }
        guard !paths.isEmpty else {
            throw UnusableInput("a file of vectors is missing; see pure-attest vectors --help")
        }
        self.paths = paths
    }

    func run() throws -> ExitStatus {
        var results: [(path: String, file: VectorFile)] = []
        for path in paths {
            if standardErrorIsTerminal { printError("\r\(path.printable)") }
            let contents = Data(try fileBytes(path))
            do {
                results.append((path, try VectorFile(running: contents)))
            } catch {
                throw UnusableInput("\(path) \(Self.reason(error))")
            }
            if standardErrorIsTerminal { printError("\r" + String(repeating: " ", count: path.count) + "\r") }
            if !json { print(Self.text(path, results[results.count - 1].file)) }
        }
        if json { print(JSON.object([("files", .array(results.map(Self.json)))]).text + "\n") }
        return results.allSatisfy { $0.file.outcome.failures.isEmpty } ? .success : .refused
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? VectorFileError {
        case .noCases?: "has no cases"
        case .missingMember?: "lacks a member that its form needs"
        case .notHexadecimal?: "has a value that is not hexadecimal"
        case .unknownForm?: "is no file of vectors of a known form"
        case nil: "cannot be decoded as the form that it seems to have"
        }
    }

    private static func text(_ path: String, _ file: VectorFile) -> String {
        let outcome = file.outcome
        var text = "\(path.printable): \(file.form)\n"
        for failure in outcome.failures { text += "  failed: \(failure.printable)\n" }
        for (reason, count) in outcome.skipped.sorted(by: { $0.key < $1.key }) {
            text += "  skipped \(count): \(reason.printable)\n"
        }
        return text
            + "\(outcome.passed) passed, \(outcome.failures.count) failed, \(outcome.total - outcome.ran) skipped\n"
    }

    private static func json(_ path: String, _ file: VectorFile) -> JSON {
        let outcome = file.outcome
        return .object([
            ("file", .string(path)),
            ("form", .string(file.form)),
            ("passed", .number(Double(outcome.passed))),
            ("failed", .number(Double(outcome.failures.count))),
            ("skipped", .number(Double(outcome.total - outcome.ran))),
            ("failures", .array(outcome.failures.map(JSON.string))),
            (
                "skipReasons",
                .object(
                    outcome.skipped.sorted { $0.key < $1.key }.map { ($0.key, JSON.number(Double($0.value))) })
            ),
        ])
    }
}
