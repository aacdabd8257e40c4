/// Objects of one genuine device with their known values: the JSON format of `Vectors/app-attest`, described in
/// `Vectors/README.md`. Binary values are base64.
public struct ObjectFile: Decodable, Sendable {
    /// Where the objects were published.
    public struct Source: Decodable, Sendable {
        /// The repository or document.
        public let repo: String
        /// The file in the repository, or the document's address.
        public let path: String
        /// The terms of the original.
        public let licence: String
        /// The commit of the repository.
        public let commit: String?
    }

    /// The expected results of a verification.
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
        /// For a virtual device's faulty attestation: the case of the error.
        public let reasonCode: String?
    }

    /// An assertion of the attested key.
    public struct Assertion: Decodable, Sendable {
        /// The CBOR object.
        public let assertion: Data
        /// The hashed bytes.
        public let clientData: Data
        /// The server's challenge, which the client data must equal; `nil` if unknown.
        public let challenge: Data?
        /// The server's stored counter.
        public let previousCounter: UInt32
        /// The assertion's counter.
        public let counter: UInt32
        /// The length of the assertion's authenticator data, in bytes.
        public let authenticatorDataLength: Int
        /// `nil` before iOS 27.
        public let validationCategory: UInt32?
        /// `nil` before iOS 27.
        public let bundleVersion: String?
        /// Whether every step passes.
        public let verifies: Bool
        /// For a virtual device: when the server verifies the assertion, in seconds since 1970.
        public let verifyAt: Int64?
        /// For a virtual device's faulty assertion: the case of the error.
        public let reasonCode: String?
    }

    /// A receipt: the attestation's own, or Apple's later answer to a risk query.
    public struct Receipt: Decodable, Sendable {
        /// `attStmt.receipt`, or the original file.
        public let `where`: String
        /// The CMS object; `nil` for the receipt inside the attestation.
        public let receipt: Data?
        /// Whether the receipt's encoding has indefinite lengths.
        public let indefiniteLength: Bool
        /// A time at which the receipt verifies, in seconds since 1970.
        public let verifyAt: Int64
        /// Payload fields by name, as text.
        public let fields: [String: String]
        /// Whether signature and chain are valid at that time.
        public let verifies: Bool
        /// For a virtual device's faulty receipt: the case of the error.
        public let reasonCode: String?
    }

    /// The name of the file.
    public let name: String
    /// The origin of the file.
    public let source: Source
    /// Prefix, ".", bundle ID.
    public let appID: String
    /// `production` or `development`.
    public let environment: String
    /// A time at which the attestation verifies, in seconds since 1970.
    public let verifyAt: Int64
    /// The key identifier, 32 bytes.
    public let keyID: Data
    /// The input of the hash ``clientDataHash``; `nil` if the device got the challenge unhashed.
    public let challenge: Data?
    /// The bytes after the authenticator data in the nonce's hash, of any length.
    public let clientDataHash: Data
    /// The CBOR object.
    public let attestation: Data
    /// The expected results of the attestation's verification.
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

    /// Returns the committed objects: Apple's published sample.
    public static func committed() throws -> ObjectFile {
        try ObjectFile(json: VectorDirectory.committedFile("app-attest/apple-guide-2026.json"))
    }

    /// `app-attest` in the directory that `PUREATTEST_EXTRA_VECTORS` names; `nil` if the variable is not set or the
    /// directory has no such folder.
    public static let extraDirectory: URL? = {
        guard let path = ProcessInfo.processInfo.environment["PUREATTEST_EXTRA_VECTORS"], !path.isEmpty else {
            return nil
        }
        let folder = URL(filePath: path).appending(path: "app-attest")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Returns all object files: the committed file, then the files in ``extraDirectory`` by name.
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
