private import PureBytes

/// The members of C2SP/wycheproof files (`testvectors_v1`) that the suite runners use.
package enum Wycheproof {
    /// The verdict that the file states for a case.
    enum Result: String, Decodable, Sendable {
        case valid
        case invalid
        /// Implementations may accept or reject the case. For each flag, the runner defines the required verdict.
        case acceptable
    }

    /// `ecdsa_verify_schema_v1.json` and `ecdsa_p1363_verify_schema_v1.json`.
    struct ECDSAFile: Decodable, Sendable {
        let numberOfTests: Int
        let testGroups: [Group]

        struct Group: Decodable, Sendable {
            let type: String
            let publicKey: PublicKey
            let publicKeyDer: HexBytes
            let sha: String
            let tests: [Case]
        }

        struct PublicKey: Decodable, Sendable {
            let curve: String
            let uncompressed: HexBytes
        }

        struct Case: Decodable, Sendable {
            let tcId: Int
            let comment: String
            let flags: [String]
            let msg: HexBytes
            let sig: HexBytes
            let result: Result
        }
    }

    /// `ecdh_test_schema_v1.json` and `ecdh_ecpoint_test_schema_v1.json`.
    struct ECDHFile: Decodable, Sendable {
        let numberOfTests: Int
        let testGroups: [Group]

        struct Group: Decodable, Sendable {
            let curve: String
            let encoding: String
            let tests: [Case]
        }

        struct Case: Decodable, Sendable {
            let tcId: Int
            let comment: String
            let flags: Set<String>
            let `public`: HexBytes
            /// A two's complement integer, with a leading zero if its top bit is set.
            let `private`: HexBytes
            let shared: HexBytes
            let result: Result
        }
    }

    struct HexBytes: Decodable, Sendable {
        let bytes: [UInt8]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let bytes = try? [UInt8](hexEncoded: text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
            }
            self.bytes = bytes
        }
    }

    /// The actual number of cases in the file differs from the number that the file states.
    package struct CountMismatch: Error {
        let stated: Int
        let found: Int
    }

    static func check(_ outcome: SuiteOutcome, stated: Int) throws(CountMismatch) -> SuiteOutcome {
        guard outcome.total == stated else { throw CountMismatch(stated: stated, found: outcome.total) }
        return outcome
    }
}
