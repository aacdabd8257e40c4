/// Objects of one genuine or virtual device, with their known values. `Vectors/README.md` describes this JSON format,
/// which the files in `Vectors/app-attest` use. Binary values are base64.
public struct ObjectFile: Decodable, Sendable {
    /// The place where the objects were published.
    public struct Source: Decodable, Sendable {
        /// The repository or document that published the objects.
        public let repo: String
        /// The path of the file in the repository, or the URL of the document.
        public let path: String
        /// The licence terms of the original.
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
        /// The counter of the attestation, which is 0.
        public let counter: UInt32
        /// `nil` before iOS 27.
        public let validationCategory: UInt32?
        /// `nil` before iOS 27.
        public let bundleVersion: String?
        /// The system version in the leaf certificate.
        public let osVersion: String?
        /// The start of the leaf's validity, in seconds since 1970.
        public let leafNotBefore: Int64
        /// The end of the leaf's validity, in seconds since 1970.
        public let leafNotAfter: Int64
        /// The name of the expected error case. Present only for a virtual device's faulty attestation.
        public let reasonCode: String?
    }

    /// An assertion of the attested key.
    public struct Assertion: Decodable, Sendable {
        /// The CBOR object.
        public let assertion: Data
        /// The bytes whose hash the device signed.
        public let clientData: Data
        /// The server's challenge, which the client data must equal, or `nil` if the challenge is unknown.
        public let challenge: Data?
        /// The counter that the server had stored before the assertion.
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
        /// The time of verification in seconds since 1970. Present only for a virtual device.
        public let verifyAt: Int64?
        /// The name of the expected error case. Present only for a virtual device's faulty assertion.
        public let reasonCode: String?
    }

    /// A receipt: the attestation's own receipt, or Apple's later answer to a risk query.
    public struct Receipt: Decodable, Sendable {
        /// The origin of the receipt: `attStmt.receipt`, or the name of the original file.
        public let `where`: String
        /// The CMS object; `nil` for the receipt inside the attestation.
        public let receipt: Data?
        /// Whether the receipt's encoding has indefinite lengths.
        public let indefiniteLength: Bool
        /// A time at which the receipt verifies, in seconds since 1970.
        public let verifyAt: Int64
        /// Payload fields by name, as text.
        public let fields: [String: String]
        /// Whether the signature and the chain are valid at `verifyAt`.
        public let verifies: Bool
        /// The name of the expected error case. Present only for a virtual device's faulty receipt.
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
    /// The challenge whose hash is ``clientDataHash``. `nil` if the device used the challenge itself instead of a hash.
    public let challenge: Data?
    /// The bytes that follow the authenticator data in the input of the nonce hash. They may have any length.
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

    /// Returns the object file in the repository, which is Apple's published sample.
    public static func committed() throws -> ObjectFile {
        try ObjectFile(json: VectorDirectory.committedFile("app-attest/apple-guide-2026.json"))
    }

    /// The folder `app-attest` in the directory that `PUREATTEST_EXTRA_VECTORS` names. `nil` if the variable is not
    /// set, or if the directory does not contain this folder.
    public static let extraDirectory: URL? = {
        guard let path = ProcessInfo.processInfo.environment["PUREATTEST_EXTRA_VECTORS"], !path.isEmpty else {
            return nil
        }
        let folder = URL(filePath: path).appending(path: "app-attest")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Returns all object files: first the committed file, then the files in ``extraDirectory``, sorted by name.
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
