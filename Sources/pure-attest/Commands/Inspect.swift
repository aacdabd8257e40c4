import PureAttest

struct Inspect: Command {
    static let name = "inspect"
    static let summary =
        "Print what is inside an attestation, an assertion, a receipt, a certificate, a JWS or an object file."
    static let operands = [Operand(value: Value(name: "FILE", kind: .file), isRepeatable: true)]
    static let options: [Option] = [
        .value("--bytes", "OBJECT", .object, "The object, in place of a file."), .json,
    ]
    static let discussion = """
        FILE, or - for standard input, is an object file (JSON), PEM certificates, or one object as bytes, Base64 or hexadecimal
        text. An object is an attestation or an assertion (CBOR), a receipt (CMS) or a certificate (DER). FILE may also be a JWS in
        compact serialization. The command verifies nothing. Several files have a heading each. An unreadable file does not stop
        the others, but makes the status 2.
        \(objectValueHelp)
        """

    private struct Source {
        /// The input as the user named it. Results contain the whole path, because two long paths may have the same
        /// shortened name.
        let path: String
        /// The name in messages, which shorten long paths.
        let name: String
        let read: () throws(UnusableInput) -> [UInt8]
    }

    private let sources: [Source]
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        switch (arguments.operands, arguments.value("--bytes")) {
        case ([], nil): throw UnusableInput("missing input: give FILE or --bytes")
        case ([], let value?):
            let path = objectPath(value)
            sources = [
                Source(path: path ?? "--bytes", name: path.map(inputName) ?? "--bytes") { () throws(UnusableInput) in
                    if let path { return try fileBytes(path) }
                    return try byteValue(value, of: "--bytes")
                }
            ]
        case (let paths, nil):
            sources = paths.map { path in
                let name = inputName(path)
                return Source(path: path == "-" ? name : path, name: name) { () throws(UnusableInput) in
                    try fileBytes(path)
                }
            }
        default: throw UnusableInput("FILE and --bytes cannot be combined; give one of them")
        }
    }

    func run() throws -> ExitStatus {
        if let source = sources.first, sources.count == 1 {
            let report = try Self.report(on: source)
            print(json ? report.json.text + "\n" : report.text)
            return .success
        }
        var status = ExitStatus.success
        var members: [JSON] = []
        for (index, source) in sources.enumerated() {
            do {
                let report = try Self.report(on: source)
                members.append(.object([("file", .string(source.path)), ("report", report.json), ("error", .null)]))
                guard !json else { continue }
                print("\(index == 0 ? "" : "\n")==> \(source.path.printable) <==\n\(report.text)")
            } catch {
                members.append(
                    .object([("file", .string(source.path)), ("report", .null), ("error", .string(error.reason))]))
                printErrorLine(.unusable, error.reason)
                status = .unusable
            }
        }
        if json { print(JSON.object([("files", .array(members))]).text + "\n") }
        return status
    }

    private static func report(on source: Source) throws(UnusableInput) -> Report {
        let input = try ObjectInput(source.read(), name: source.name)
        guard case .objectFile(let file) = input else { return report(on: input) }
        return try report(on: file, name: source.name)
    }

    private static func report(on file: ObjectFile, name: String) throws(UnusableInput) -> Report {
        guard !file.isEmpty else { throw UnusableInput("\(name): the JSON has no member of an object file") }
        var report = Report()
        report.add("appID", "App ID", file.appID.map { .text($0) } ?? .absent)
        report.add("environment", "Environment", file.environment.map { .text($0) } ?? .absent)
        report.add(
            "verifyAt", "Verification time",
            file.verifyAt.map { .time(UnixTime(secondsSince1970: $0)) } ?? .absent)
        report.add("keyID", "Key ID", file.keyID.map { .base64($0.bytes) } ?? .absent)
        report.add("challenge", "Challenge", file.challenge.map { .bytes($0.bytes) } ?? .absent)
        report.add("clientDataHash", "Client data hash", file.clientDataHash.map { .bytes($0.bytes) } ?? .absent)
        if let attestation = file.attestation {
            let object = try self.report(on: ObjectInput.object(attestation.bytes, name: "\(name): attestation"))
            report.fields += object.fields
        }
        if let assertions = file.assertions, !assertions.isEmpty {
            var reports: [Report] = []
            for (index, assertion) in assertions.enumerated() {
                let label = "\(name): assertion \(index + 1)"
                var inner = try self.report(on: ObjectInput.object(assertion.assertion.bytes, name: label))
                if inner.fields.count == 1, case .group(let object) = inner.fields[0].content { inner = object }
                inner.add("clientData", "Client data", .bytes(assertion.clientData.bytes))
                reports.append(inner)
            }
            report.add("assertions", "Assertion", .list(reports))
        }
        // An entry without bytes represents the attestation's own receipt, which is already shown with the attestation.
        let receipts = (file.receipts ?? []).compactMap(\.receipt)
        if !receipts.isEmpty {
            report.add("receipts", "Receipt (CMS)", .list(receipts.map { Report(receipt: $0.bytes[...]) }))
        }
        return report
    }

    private static func report(on input: ObjectInput) -> Report {
        var report = Report()
        switch input {
        case .objectFile: break
        case .certificates(let certificates):
            report.add("certificates", "Certificate", .list(certificates.map { Report(certificate: $0[...]) }))
        case .attestation(let bytes, let value):
            report.add("attestation", "Attestation", .group(Report(attestation: bytes[...], value)))
        case .assertion(let bytes, let value):
            report.add("assertion", "Assertion", .group(Report(assertion: bytes[...], value)))
        case .receipt(let bytes): report.add("receipt", "Receipt (CMS)", .group(Report(receipt: bytes[...])))
        case .certificate(let bytes):
            report.add("certificate", "Certificate", .group(Report(certificate: bytes[...])))
        case .signedText(let jws): report.add("jws", "JWS, unverified", .group(Report(jws)))
        case .other(let value): report.add("cbor", "CBOR", .text(value.diagnosticNotation))
        }
        return report
    }
}
