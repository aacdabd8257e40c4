import VectorSupport

/// An object file (see `Vectors/README.md`). It contains a device's objects, and the values that their verification
/// needs. Every member is optional. The tool ignores unknown members, because they are for tests and readers.
struct ObjectFile: Decodable {
    static let help = """
        FILE is an object file (JSON; format: Vectors/README.md) or an attestation: CBOR, or its Base64 or hexadecimal text.
        - is standard input. Options override the file's values.
        Do not trust values that only the file gives: the object's maker may have written them.
        """

    struct Assertion: Decodable {
        var assertion: Base64Text
        /// The bytes whose hash the device signed.
        var clientData: Base64Text
        var previousCounter: UInt32?
        /// The verification time in seconds since 1970.
        var verifyAt: Int64?
    }

    struct Receipt: Decodable {
        /// The receipt as a CMS object; `nil` for the attestation's own receipt.
        var receipt: Base64Text?
        /// The time of receiving the receipt, in seconds since 1970.
        var verifyAt: Int64?
    }

    struct Base64Text: Decodable {
        var bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do { bytes = try base64(try container.decode(String.self)) } catch let error as Base64Failure {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: error.reason)
            }
        }
    }

    var attestation: Base64Text?
    var keyID: Base64Text?
    /// The preimage of ``clientDataHash``; `nil` if the file contains only the hash.
    var challenge: Base64Text?
    var clientDataHash: Base64Text?
    /// Prefix, ".", bundle ID.
    var appID: String?
    /// The app's platform, `device` or `macOS`; `nil` means the platform that the certificate names.
    var platform: String?
    /// `production` or `development`.
    var environment: String?
    /// The time of verifying the attestation, in seconds since 1970.
    var verifyAt: Int64?
    var assertions: [Assertion]?
    var receipts: [Receipt]?
    /// The roots to trust and the server's policies. Only files of `simulate` contain these members.
    var testAnchor: TestAnchors?
    var launchPolicy: ObjectFilePolicies.Launch?
    var systemPolicy: ObjectFilePolicies.System?
    var agePolicy: ObjectFilePolicies.Age?

    var policies: ObjectFilePolicies {
        ObjectFilePolicies(launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: agePolicy)
    }

    /// True if the file contains no known member other than a platform, test roots, policies and empty lists. Callers
    /// must check this, because any JSON object can be decoded.
    var isEmpty: Bool {
        attestation == nil && keyID == nil && challenge == nil && clientDataHash == nil && appID == nil
            && environment == nil && verifyAt == nil && assertions?.isEmpty ?? true && receipts?.isEmpty ?? true
    }

    init(path: String) throws(UnusableInput) {
        let name = inputName(path)
        let input = try ObjectInput(fileBytes(path), name: name)
        switch input {
        case .objectFile(let file): self = file
        case .attestation(let bytes, _):
            self = try Self.decode(Array("{}".utf8), name: name)
            attestation = Base64Text(bytes)
        case .assertion: throw UnusableInput("\(name) is an assertion; use --assertion \(path) with --client-data")
        case .receipt: throw UnusableInput("\(name) is a receipt; use the command receipt with --receipt \(path)")
        case .signedText: throw UnusableInput("\(name) is a JWS; for App Store data, use verify-transaction \(path)")
        case .certificates, .certificate, .other:
            throw UnusableInput("\(name) is \(input.name); expected an object file or an attestation")
        }
    }

    /// `name` is for messages.
    static func decode(_ bytes: [UInt8], name: String) throws(UnusableInput) -> ObjectFile {
        do {
            return try JSONDecoder().decode(ObjectFile.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw UnusableInput("\(name): \(describe(error, in: name))")
        } catch {
            throw UnusableInput("\(name): invalid object file: \(plainText(of: error))")
        }
    }
}

private func describe(_ error: DecodingError, in name: String) -> String {
    let invalid = "invalid object file: "
    func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
        return path.isEmpty ? "" : "\(path.joined(separator: ".")): "
    }
    return switch error {
    case .typeMismatch(let type, let context): "\(invalid)\(place(context))expected \(jsonName(of: type))"
    case .valueNotFound(_, let context): "\(invalid)\(place(context))null is not allowed"
    case .keyNotFound(let key, let context): "\(invalid)\(place(context))\(key.stringValue) is missing"
    case .dataCorrupted(let context):
        context.codingPath.isEmpty
            ? "invalid JSON; expected an object file"
            : "\(invalid)\(place(context))\(context.debugDescription)"
    @unknown default: "invalid object file"
    }
}

private func jsonName(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is Int64.Type, is UInt32.Type: "a number"
    default: "\(type)".utf8.starts(with: "Array".utf8) ? "a list" : "an object"
    }
}
