/// Objects of one genuine device with what is known of them: the JSON format of `Vectors/app-attest`, described in
/// `Vectors/README.md`. Binary values are base64.
public struct ObjectFile: Decodable, Sendable {
    /// Where the objects were published.
    public struct Source: Decodable, Sendable {
        /// Repository or document.
        public let repo: String
        /// File in it, or its address.
        public let path: String
        /// Terms of the original.
        public let licence: String
        /// Commit of the repository.
        public let commit: String?
    }

    /// What a verification must find.
    public struct Expectation: Decodable, Sendable {
        /// Whether every step passes.
        public let verifies: Bool
        /// The attested key, uncompressed.
        public let publicKeyX963: Data
        /// The attestation's counter, 0.
        public let counter: UInt32
        /// `nil` before iOS 27.
        public let validationCategory: UInt32?
        /// `nil` before iOS 27.
        public let bundleVersion: String?
        /// From the leaf certificate.
        public let osVersion: String?
        /// The leaf's validity, in seconds since 1970.
        public let leafNotBefore: Int64
        /// The leaf's validity, in seconds since 1970.
        public let leafNotAfter: Int64
        /// Of a virtual device's faulty attestation: the case of the error.
        public let reasonCode: String?
    }

    /// An assertion of the attested key.
    public struct Assertion: Decodable, Sendable {
        /// The CBOR object.
        public let assertion: Data
        /// The bytes that were hashed.
        public let clientData: Data
        /// What the server had issued, which the client data have to be; `nil` where that is not known.
        public let challenge: Data?
        /// The counter that the server had stored.
        public let previousCounter: UInt32
        /// The counter that the assertion carries.
        public let counter: UInt32
        /// The length of its authenticator data, in bytes.
        public let authenticatorDataLength: Int
        /// `nil` before iOS 27.
        public let validationCategory: UInt32?
        /// `nil` before iOS 27.
        public let bundleVersion: String?
        /// Whether every step passes.
        public let verifies: Bool
        /// Of a virtual device's: when the server verifies it, in seconds since 1970.
        public let verifyAt: Int64?
        /// Of a virtual device's faulty assertion: the case of the error.
        public let reasonCode: String?
    }

    /// A receipt: the attestation's own, or Apple's later answer to a risk query.
    public struct Receipt: Decodable, Sendable {
        /// `attStmt.receipt`, or the file it came in.
        public let `where`: String
        /// The CMS object; `nil` for the one inside the attestation.
        public let receipt: Data?
        /// Whether its encoding has indefinite lengths.
        public let indefiniteLength: Bool
        /// A time at which it verifies, in seconds since 1970.
        public let verifyAt: Int64
        /// Payload fields by name, as text.
        public let fields: [String: String]
        /// Whether signature and chain are good at that time.
        public let verifies: Bool
        /// Of a virtual device's faulty receipt: the case of the error.
        public let reasonCode: String?
    }

    /// What the file is called.
    public let name: String
    /// Where it comes from.
    public let source: Source
    /// Prefix, ".", bundle ID.
    public let appID: String
    /// `production` or `development`.
    public let environment: String
    /// A time at which the attestation verifies, in seconds since 1970.
    public let verifyAt: Int64
    /// The key identifier, 32 bytes.
    public let keyID: Data
    /// What was hashed to give ``clientDataHash``; `nil` if that was passed as it is.
    public let challenge: Data?
    /// What follows the authenticator data in the hash that gives the nonce; of any length.
    public let clientDataHash: Data
    /// The CBOR object.
    public let attestation: Data
    /// What verifying it must find.
    public let expect: Expectation
    /// Assertions of the same key.
    public let assertions: [Assertion]
    /// Receipts for the same key.
    public let receipts: [Receipt]
}

extension ObjectFile: CustomStringConvertible {
    /// The name, for reports.
    public var description: String { name }
}

extension ObjectFile {
    /// Decodes a file of this format.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(ObjectFile.self, from: json)
    }

    /// The objects that the repository holds: Apple's published sample.
    public static func committed() throws -> ObjectFile {
        try ObjectFile(json: VectorDirectory.committedFile("app-attest/apple-guide-2026.json"))
    }

    /// `app-attest` in the directory that `PUREATTEST_EXTRA_VECTORS` names; `nil` if it is not set or has no such folder.
    public static let extraDirectory: URL? = {
        guard let path = ProcessInfo.processInfo.environment["PUREATTEST_EXTRA_VECTORS"], !path.isEmpty else {
            return nil
        }
        let folder = URL(filePath: path).appending(path: "app-attest")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Every object file there is: the committed one, then those of ``extraDirectory`` by name.
    public static func all() throws -> [ObjectFile] {
        let committed = try committed()
        guard let extraDirectory else { return [committed] }
        let names = try FileManager.default.contentsOfDirectory(atPath: extraDirectory.path).filter {
            $0.removing(suffix: ".json") != nil
        }
        let extra = try names.sorted().map {
            try ObjectFile(json: Data(contentsOf: extraDirectory.appending(path: $0)))
        }
        return [committed] + extra.filter { $0.name != committed.name }
    }
}
