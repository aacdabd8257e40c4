import PureBytes

/// NIST's ACVP vectors in the form of `internalProjection.json` (usnistgov/ACVP-Server): questions and answers in one file.
public enum ACVPSuites {
    struct File: Decodable {
        struct Group: Decodable {
            let testType: String?
            let conformance: String?
            let componentTest: Bool?
            let curve: String?
            let hashAlg: String?
            let mctVersion: String?
            let tests: [Case]
        }

        struct Case: Decodable {
            struct Checkpoint: Decodable { let md: Wycheproof.HexBytes }

            let tcId: Int
            // SHA-2
            let msg: Wycheproof.HexBytes?
            let len: Int?
            let md: Wycheproof.HexBytes?
            let resultsArray: [Checkpoint]?
            // ECDSA
            let message: Wycheproof.HexBytes?
            let randomValue: String?
            let qx: Wycheproof.HexBytes?
            let qy: Wycheproof.HexBytes?
            let r: Wycheproof.HexBytes?
            let s: Wycheproof.HexBytes?
            let testPassed: Bool?
        }

        let algorithm: String
        let mode: String?
        let testGroups: [Group]
    }

    /// Runs `SHA2-256`, `-384` and `-512` over whole bytes, ECDSA `sigVer` and `keyVer`; everything else is skipped. So are
    /// groups that conform to more than the algorithm (SP 800-106 hashes a message with random bits mixed in), and of components,
    /// whose message is a digest.
    public static func run(_ file: Data) throws -> SuiteOutcome {
        let suite = try JSONDecoder().decode(File.self, from: file)
        var outcome = SuiteOutcome()
        for group in suite.testGroups {
            if let conformance = group.conformance {
                outcome.skip("conformance \(conformance)", count: group.tests.count)
                continue
            }
            if group.componentTest == true {
                outcome.skip("component test", count: group.tests.count)
                continue
            }
            // Older files write "SigVer" and "KeyVer".
            switch (suite.algorithm, suite.mode?.lowercased()) {
            case ("ECDSA", "sigver"?): try runSignatures(group, &outcome)
            case ("ECDSA", "keyver"?): try runKeys(group, &outcome)
            default:
                if let hash = VectorHash(acvpName: suite.algorithm) {
                    try runDigests(group, hash, &outcome)
                } else {
                    outcome.skip(
                        "algorithm \(suite.algorithm) \(suite.mode ?? "")", count: group.tests.count)
                }
            }
        }
        return outcome
    }

    private static func runDigests(_ group: File.Group, _ hash: VectorHash, _ outcome: inout SuiteOutcome) throws {
        for test in group.tests {
            switch group.testType {
            case "AFT"?:
                let length = test.len ?? 8 * (test.msg?.bytes.count ?? 0)
                guard length % 8 == 0 else {
                    outcome.skip("message that is not whole bytes")
                    continue
                }
                let (message, digest) = (try required(test.msg), try required(test.md))
                outcome.record(
                    "tcId \(test.tcId)",
                    passed: message.count >= length / 8 && hash.digest(of: message.prefix(length / 8)) == digest)
            case "MCT"? where group.mctVersion ?? "standard" == "standard":
                var seed = try required(test.msg)
                let checkpoints = test.resultsArray ?? []
                let isChain = checkpoints.allSatisfy { checkpoint in
                    seed = SHA2Suites.checkpoint(after: seed, hash)
                    return seed == checkpoint.md.bytes
                }
                outcome.record("tcId \(test.tcId)", passed: isChain && !checkpoints.isEmpty)
            default: outcome.skip("test type \(group.testType ?? "none")")
            }
        }
    }

    private static func runSignatures(_ group: File.Group, _ outcome: inout SuiteOutcome) throws {
        guard let curve = VectorCurve(named: group.curve ?? "none") else {
            outcome.skip("curve \(group.curve ?? "none")", count: group.tests.count)
            return
        }
        guard let hash = VectorHash(acvpName: group.hashAlg ?? "none") else {
            outcome.skip("hash \(group.hashAlg ?? "none")", count: group.tests.count)
            return
        }
        for test in group.tests {
            guard test.randomValue == nil else {
                outcome.skip("randomised message (SP 800-106)")
                continue
            }
            let signature = try coordinate(test.r, curve) + coordinate(test.s, curve)
            let isValid = try key(test, curve)?.isValidSignature(
                signature, as: .raw, hash: hash, message: required(test.message))
            outcome.record("tcId \(test.tcId)", accepted: isValid ?? false, expected: try expectation(test))
        }
    }

    private static func runKeys(_ group: File.Group, _ outcome: inout SuiteOutcome) throws {
        guard let curve = VectorCurve(named: group.curve ?? "none") else {
            outcome.skip("curve \(group.curve ?? "none")", count: group.tests.count)
            return
        }
        for test in group.tests {
            outcome.record(
                "tcId \(test.tcId)", accepted: try key(test, curve) != nil, expected: try expectation(test))
        }
    }

    /// Files of questions alone (`prompt.json`) have none.
    private static func expectation(_ test: File.Case) throws(VectorFileError) -> Bool {
        guard let isExpected = test.testPassed else { throw .missingMember }
        return isExpected
    }

    /// The key of a case; `nil` if the package refuses it.
    private static func key(_ test: File.Case, _ curve: VectorCurve) throws -> VectorKey? {
        try? VectorKey(point: [4] + coordinate(test.qx, curve) + coordinate(test.qy, curve), on: curve)
    }

    /// Filled up with zeros to the curve's length; a longer one stays so.
    private static func coordinate(_ value: Wycheproof.HexBytes?, _ curve: VectorCurve) throws -> [UInt8] {
        let bytes = try required(value)
        return Array(repeating: 0, count: max(0, curve.byteCount - bytes.count)) + bytes
    }

    private static func required(_ value: Wycheproof.HexBytes?) throws(VectorFileError) -> [UInt8] {
        guard let value else { throw .missingMember }
        return value.bytes
    }
}

extension VectorHash {
    /// By ACVP's name.
    fileprivate init?(acvpName: String) {
        switch acvpName {
        case "SHA2-256": self = .sha256
        case "SHA2-384": self = .sha384
        case "SHA2-512": self = .sha512
        default: return nil
        }
    }
}
