/// Objects of one genuine or virtual device, with their known values. `Vectors/README.md` describes this JSON format,
/// which the files in `Vectors/app-attest` use. Binary values are base64.
package struct ObjectFile: Decodable, Sendable {
    /// The place where the objects were published.
    package struct Source: Decodable, Sendable {
        /// The repository or document that published the objects.
        package let repo: String
        /// The path of the file in the repository, or the URL of the document.
        package let path: String
        /// The licence terms of the original.
        package let licence: String
        /// The commit of the repository.
        package let commit: String?
    }

    /// The expected results of a verification.
    package struct Expectation: Decodable, Sendable {
        /// Whether every step passes.
        package let verifies: Bool
        /// The attested key, uncompressed.
        package let publicKeyX963: Data
        /// The counter of the attestation, which is 0.
        package let counter: UInt32
        /// `nil` before iOS 27.
        package let validationCategory: UInt32?
        /// `nil` before iOS 27.
        package let bundleVersion: String?
        /// The system version in the leaf certificate.
        package let osVersion: String?
        /// The start of the leaf's validity, in seconds since 1970.
        package let leafNotBefore: Int64
        /// The end of the leaf's validity, in seconds since 1970.
        package let leafNotAfter: Int64
        /// The name of the expected error case. Present only for a virtual device's faulty attestation.
        package let reasonCode: String?
    }

    /// An assertion of the attested key.
    package struct Assertion: Decodable, Sendable {
        /// The CBOR object.
        package let assertion: Data
        /// The bytes whose hash the device signed.
        package let clientData: Data
        /// The server's challenge, which the client data must equal, or `nil` if the challenge is unknown.
        package let challenge: Data?
        /// The counter that the server had stored before the assertion.
        package let previousCounter: UInt32
        /// The assertion's counter.
        package let counter: UInt32
        /// The length of the assertion's authenticator data, in bytes.
        package let authenticatorDataLength: Int
        /// `nil` before iOS 27.
        package let validationCategory: UInt32?
        /// `nil` before iOS 27.
        package let bundleVersion: String?
        /// Whether every step passes.
        package let verifies: Bool
        /// The time of verification in seconds since 1970. Present only for a virtual device.
        package let verifyAt: Int64?
        /// The name of the expected error case. Present only for a virtual device's faulty assertion.
        package let reasonCode: String?
    }

    /// A receipt: the attestation's own receipt, or Apple's later answer to a risk query.
    package struct Receipt: Decodable, Sendable {
        /// The origin of the receipt: `attStmt.receipt`, or the name of the original file.
        package let `where`: String
        /// The CMS object; `nil` for the receipt inside the attestation.
        package let receipt: Data?
        /// Whether the receipt's encoding has indefinite lengths.
        package let indefiniteLength: Bool
        /// A time at which the receipt verifies, in seconds since 1970.
        package let verifyAt: Int64
        /// Payload fields by name, as text.
        package let fields: [String: String]
        /// Whether the signature and the chain are valid at `verifyAt`.
        package let verifies: Bool
        /// The name of the expected error case. Present only for a virtual device's faulty receipt.
        package let reasonCode: String?
    }

    /// The name of the file.
    package let name: String
    /// The origin of the file.
    package let source: Source
    /// Prefix, ".", bundle ID.
    package let appID: String
    /// `production` or `development`.
    package let environment: String
    /// A time at which the attestation verifies, in seconds since 1970.
    package let verifyAt: Int64
    /// The key identifier, 32 bytes.
    package let keyID: Data
    /// The challenge whose hash is ``clientDataHash``. `nil` if the device used the challenge itself instead of a hash.
    package let challenge: Data?
    /// The bytes that follow the authenticator data in the input of the nonce hash. They may have any length.
    package let clientDataHash: Data
    /// The CBOR object.
    package let attestation: Data
    /// The expected results of the attestation's verification.
    package let expect: Expectation
    /// Assertions of the same key.
    package let assertions: [Assertion]
    /// Receipts for the same key.
    package let receipts: [Receipt]
}

extension ObjectFile: CustomStringConvertible {
    /// The name, for reports.
    package var description: String { name }
}

extension ObjectFile {
    /// Decodes a file of this format.
    package init(json: Data) throws {
        self = try JSONDecoder().decode(ObjectFile.self, from: json)
    }

    /// Returns the object file in the repository, which is Apple's published sample.
    package static func committed() throws -> ObjectFile {
        try ObjectFile(json: VectorDirectory.committedFile("app-attest/apple-guide-2026.json"))
    }

    /// The folder `app-attest` in the directory that `PUREATTEST_EXTRA_VECTORS` names. `nil` if the variable is not
    /// set, or if the directory does not contain this folder.
    package static let extraDirectory: URL? = VectorDirectory.environmentFolder.flatMap { directory in
        let folder = directory.appending(path: "app-attest")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    /// Returns all object files: first the committed file, then the files in ``extraDirectory``, sorted by name.
    package static func all() throws -> [ObjectFile] {
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
