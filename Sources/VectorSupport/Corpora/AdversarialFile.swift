import PureCBOR

/// A file of `Vectors/adversarial`: objects with one defect each, and the expected errors.
/// `Tests/Corpora/AdversarialCorpus/generate.py` writes these files.
package struct AdversarialFile: Sendable {
    /// The maximum size of an expanded recipe, and of a case's decoys. `Vectors/adversarial` needs 1 MiB and one byte.
    static let maximumExpandedByteCount: UInt64 = 16 << 20

    /// The cases, with all recipes expanded to bytes.
    package let cases: [AdversarialCase]

    /// Reads a file.
    package init(json: Data) throws {
        let file = try JSONDecoder().decode(Contents.self, from: json)
        guard file.numberOfTests == file.adversarialCases.count else { throw VectorFileError.missingMember }
        cases = try file.adversarialCases.map { try AdversarialCase($0, in: file) }
    }

    /// The top-level members, which are also the default values for each chain.
    struct Contents: Decodable {
        let numberOfTests: Int
        let time: Int64
        let leaf: Bytes
        let intermediates: [Bytes]
        let anchors: [Bytes]
        let adversarialCases: [Case]
    }

    struct Case: Decodable {
        let error: Expectation
        let id: String
        let rows: [String]
        // A chain.
        let appAttestError: Expectation?
        let signatureError: Expectation?
        let maximumSignatureChecks: Int?
        let leaf: Bytes?
        let intermediates: [Bytes]?
        let anchors: [Bytes]?
        let decoys: Decoys?
        // A CBOR item or a BER element.
        let cbor: Bytes?
        let limits: Limits?
        let ber: Bytes?
        // An attestation.
        let attestation: Bytes?
        let keyID: Bytes?
        let challenge: Bytes?
        let appID: String?
        let clockSkew: UInt32?
        // A receipt.
        let receipt: Bytes?
        let publicKey: Bytes?
    }

    /// The expected error text; `nil` if the object must be accepted. A file writes it as a text or null.
    struct Expectation: Decodable {
        let text: String?
    }

    /// Additional intermediates that differ only in a counter.
    struct Decoys: Decodable {
        let certificate: Bytes
        let count: UInt64
    }

    struct Limits: Decodable {
        let maximumDepth: Int?
        let maximumItems: Int?
        let maximumSize: Int?
        let allowIndefiniteLengths: Bool?
    }

    /// Bytes that the file writes as Base64, or as a list of pieces. A piece is Base64 or a recipe.
    struct Bytes: Decodable {
        private let pieces: [Piece]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            pieces = try (try? [container.decode(Piece.self)]) ?? container.decode([Piece].self)
        }

        /// Adds `offset` to every counter in the recipes.
        func expanded(offset: UInt64 = 0) -> [UInt8] { pieces.flatMap { $0.expanded(offset) } }
    }

    private enum Piece: Decodable {
        case literal([UInt8])
        case recipe(Recipe)

        /// Repeats a sequence `count` times: `repeat`, a big-endian counter of `counterBytes` bytes, and `suffix`.
        struct Recipe: Decodable {
            let `repeat`: Data
            let count: UInt64
            let counterBytes: UInt64?
            let start: UInt64?
            let suffix: Data?

            var isTooLong: Bool {
                guard let counterBytes = UInt8(exactly: counterBytes ?? 0) else { return true }
                let period = self.repeat.count + Int(counterBytes) + (suffix?.count ?? 0)
                return count > AdversarialFile.maximumExpandedByteCount / UInt64(max(period, 1))
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let data = try? container.decode(Data.self) {
                self = .literal([UInt8](data))
            } else {
                let recipe = try container.decode(Recipe.self)
                guard !recipe.isTooLong else { throw VectorFileError.tooManyValues }
                self = .recipe(recipe)
            }
        }

        func expanded(_ offset: UInt64) -> [UInt8] {
            switch self {
            case .literal(let bytes): return bytes
            case .recipe(let recipe):
                let (repeated, suffix) = ([UInt8](recipe.repeat), [UInt8](recipe.suffix ?? Data()))
                var bytes: [UInt8] = []
                for index in 0..<recipe.count {
                    bytes += repeated
                    let counter = (recipe.start ?? 0) &+ index &+ offset
                    for octet in (0..<(recipe.counterBytes ?? 0)).reversed() {
                        bytes.append(UInt8(truncatingIfNeeded: counter >> (8 * octet)))
                    }
                    bytes += suffix
                }
                return bytes
            }
        }
    }
}

/// The initialiser of ``AdversarialFile/Case`` decodes expectations with these functions. Unlike the library's, they
/// distinguish null from an absent member.
extension KeyedDecodingContainer {
    fileprivate func decode(
        _ type: AdversarialFile.Expectation.Type, forKey key: Key
    ) throws -> AdversarialFile.Expectation {
        guard let expectation = try decodeIfPresent(type, forKey: key) else { throw VectorFileError.missingMember }
        return expectation
    }

    fileprivate func decodeIfPresent(
        _ type: AdversarialFile.Expectation.Type, forKey key: Key
    ) throws -> AdversarialFile.Expectation? {
        contains(key) ? AdversarialFile.Expectation(text: try decodeIfPresent(String.self, forKey: key)) : nil
    }
}
