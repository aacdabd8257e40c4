#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An object file, as `Vectors/README.md` describes it: the objects of one device with the values to verify them
/// against. Every member may be missing; members that are not here are for tests and for readers.
struct ObjectFile: Decodable {
    /// For the help of the commands that take one.
    static let help = """
        FILE.json is an object file (Vectors/README.md describes the format). An option wins over the file's value;
        values that only the file gives may have been written by whoever made the object.
        """

    /// An assertion of the attested key.
    struct Assertion: Decodable {
        var assertion: Base64Text
        /// The bytes that the device signed.
        var clientData: Base64Text
        /// The counter value that the server had stored.
        var previousCounter: UInt32?
    }

    /// A receipt of the attested key.
    struct Receipt: Decodable {
        /// The CMS object; `nil` for the one inside the attestation.
        var receipt: Base64Text?
        /// When it was received, in seconds since 1970.
        var verifyAt: Int64?
    }

    /// Bytes that are Base64 in the file.
    struct Base64Text: Decodable {
        var bytes: [UInt8]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do { bytes = try base64(try container.decode(String.self)) } catch let error as Base64Failure {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: error.reason)
            }
        }
    }

    var attestation: Base64Text?
    /// The key identifier.
    var keyID: Base64Text?
    /// What the client hashed to make ``clientDataHash``; `nil` if that was passed as it is.
    var challenge: Base64Text?
    var clientDataHash: Base64Text?
    /// Prefix, ".", bundle ID.
    var appID: String?
    /// `device` or `macOS`; `nil`: the platform that the certificate names.
    var platform: String?
    /// `production` or `development`.
    var environment: String?
    /// Seconds since 1970.
    var verifyAt: Int64?
    var assertions: [Assertion]?
    var receipts: [Receipt]?

    /// Whether the file has nothing that belongs in one: any JSON object can be decoded as such.
    var isEmpty: Bool {
        attestation == nil && keyID == nil && challenge == nil && clientDataHash == nil && appID == nil
            && environment == nil && verifyAt == nil && assertions?.isEmpty ?? true && receipts?.isEmpty ?? true
    }

    /// Reads a file.
    init(path: String) throws(UnusableInput) {
        self = try Self.decode(fileBytes(path), name: path)
    }

    /// Decodes a file's bytes; `name` is for messages.
    static func decode(_ bytes: [UInt8], name: String) throws(UnusableInput) -> ObjectFile {
        do {
            return try JSONDecoder().decode(ObjectFile.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw UnusableInput("\(name) is no object file: \(describe(error))")
        } catch {
            throw UnusableInput("\(name) is no object file: \(error)")
        }
    }
}

private func describe(_ error: DecodingError) -> String {
    func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
        return path.isEmpty ? "" : "\(path.joined(separator: ".")): "
    }
    return switch error {
    case .typeMismatch(let type, let context): "\(place(context))\(type) is expected"
    case .valueNotFound(_, let context): "\(place(context))null is not allowed"
    case .keyNotFound(let key, let context): "\(place(context))\(key.stringValue) is missing"
    case .dataCorrupted(let context):
        // The parser's own reason ("unexpected character") is in the underlying error, if there is one.
        "\(place(context))\(context.codingPath.isEmpty ? "not valid JSON" : context.debugDescription)"
    @unknown default: "not in the format"
    }
}
