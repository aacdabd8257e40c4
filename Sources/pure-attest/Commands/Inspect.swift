import PureAttest
import PureBytes
import PureCBOR
import PureDER
import PureX509

/// Prints what is inside an object. Nothing is verified.
struct Inspect: Command {
    static let name = "inspect"
    static let summary =
        "Print what is inside an attestation, an assertion, a receipt, a certificate or an object file."
    static let operands = [Operand(value: Value(name: "FILE", kind: .file))]
    static let options: [Option] = [
        .value("--bytes", "BYTES", .bytes, "The object, in place of a file."), .json,
    ]
    static let discussion = """
        FILE, or - for standard input, is an object file (JSON), PEM certificates, or one object as bytes, Base64 or hexadecimal
        text. An object is an attestation or an assertion (CBOR), a receipt (CMS) or a certificate (DER). The command verifies
        nothing.
        \(byteValueHelp)
        """

    private let bytes: [UInt8]
    private let name: String
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        switch (arguments.operand, try arguments.bytes("--bytes")) {
        case (let path?, nil): (name, bytes) = (inputName(path), try fileBytes(path))
        case (nil, let value?): (name, bytes) = ("--bytes", value.value)
        case (nil, nil): throw UnusableInput("missing input: give FILE or --bytes")
        default: throw UnusableInput("FILE and --bytes cannot be combined; give one of them")
        }
    }

    func run() throws -> ExitStatus {
        let report = try Self.report(on: bytes, name: name)
        print(json ? report.json.text + "\n" : report.text)
        return .success
    }

    /// Recognises the kind of input by its first bytes.
    private static func report(on bytes: [UInt8], name: String) throws(UnusableInput) -> Report {
        guard let first = bytes.first else { throw UnusableInput("\(name) is empty") }
        if first == UInt8(ascii: "{") { return try report(on: ObjectFile.decode(bytes, name: name), name: name) }
        let isText = bytes.allSatisfy { (0x20..<0x7f).contains($0) || [0x09, 0x0a, 0x0d].contains($0) }
        guard isText else { return try report(onObject: bytes, name: name) }
        // Text may stand before the first block.
        if bytes.firstRange(of: Array("-----BEGIN".utf8)) != nil { return try report(pem: bytes, name: name) }
        let text = String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
        let object: [UInt8]
        do { object = try decodedText(text) } catch {
            throw UnusableInput("\(name): expected JSON, PEM, hexadecimal or Base64 text: \(error.reason)")
        }
        guard !object.isEmpty else { throw UnusableInput("\(name) contains only white space") }
        return try report(onObject: object, name: name)
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
            let object = try self.report(onObject: attestation.bytes, name: "\(name): attestation")
            report.fields += object.fields
        }
        if let assertions = file.assertions, !assertions.isEmpty {
            var reports: [Report] = []
            for (index, assertion) in assertions.enumerated() {
                let label = "\(name): assertion \(index + 1)"
                var inner = try self.report(onObject: assertion.assertion.bytes, name: label)
                if inner.fields.count == 1, case .group(let object) = inner.fields[0].content { inner = object }
                inner.add("clientData", "Client data", .bytes(assertion.clientData.bytes))
                reports.append(inner)
            }
            report.add("assertions", "Assertion", .list(reports))
        }
        // One without bytes is the attestation's own, shown there.
        let receipts = (file.receipts ?? []).compactMap(\.receipt)
        if !receipts.isEmpty {
            report.add("receipts", "Receipt (CMS)", .list(receipts.map { Report(receipt: $0.bytes[...]) }))
        }
        return report
    }

    /// CERTIFICATE blocks (RFC 7468 §5); text around them is passed over.
    private static func report(pem: [UInt8], name: String) throws(UnusableInput) -> Report {
        let blocks: [PEM.Block]
        do { blocks = try PEM.decodeAll(pem, label: .certificate) } catch {
            throw UnusableInput("\(name): \(error)")
        }
        var report = Report()
        report.add("certificates", "Certificate", .list(blocks.map { Report(certificate: $0.bytes[...]) }))
        return report
    }

    private static func report(onObject bytes: [UInt8], name: String) throws(UnusableInput) -> Report {
        // 30 opens a DER SEQUENCE; as CBOR it would be a negative integer.
        guard bytes.first != 0x30 else {
            if (try? SignedData(berEncoded: bytes[...])) != nil {
                var report = Report()
                report.add("receipt", "Receipt (CMS)", .group(Report(receipt: bytes[...])))
                return report
            }
            do { _ = try Certificate(derEncoded: bytes[...]) } catch {
                guard Report.keyDescription(ofLeaf: bytes[...]) != nil else {
                    throw UnusableInput("\(name) is neither a certificate nor a receipt: \(error)")
                }
            }
            var report = Report()
            report.add("certificate", "Certificate", .group(Report(certificate: bytes[...])))
            return report
        }
        let value: CBORValue
        do { value = try CBORValue(decoding: bytes) } catch {
            throw UnusableInput("\(name) is neither DER nor CBOR: \(error)")
        }
        var report = Report()
        if let map = value.map, map[text: "attStmt"] != nil {
            report.add("attestation", "Attestation", .group(Report(attestation: bytes[...], value)))
        } else if let map = value.map, map[text: "authenticatorData"] != nil {
            report.add("assertion", "Assertion", .group(Report(assertion: bytes[...], value)))
        } else {
            report.add("cbor", "CBOR", .text(value.diagnosticNotation))
        }
        return report
    }
}
