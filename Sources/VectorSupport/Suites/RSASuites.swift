package import PureRSA
private import PureSHA2

extension VectorHash {
    /// Returns `false` for an invalid signature, and for octets that are not a signature.
    package func isValidSignature(
        _ signature: [UInt8], of message: [UInt8], by key: RSA.Signing.PublicKey
    ) -> Bool {
        guard let signature = try? RSA.Signing.RSASignature(rawRepresentation: signature) else { return false }
        return switch self {
        case .sha256:
            key.isValidSignature(signature, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
        case .sha384:
            key.isValidSignature(signature, for: SHA384.hash(data: message), padding: .insecurePKCS1v1_5)
        case .sha512:
            key.isValidSignature(signature, for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
        }
    }
}

extension Wycheproof {
    /// `rsassa_pkcs1_verify_schema_v1.json`.
    private struct RSAFile: Decodable {
        let numberOfTests: Int
        let testGroups: [Group]

        struct Group: Decodable {
            let type: String
            let publicKey: PublicKey
            let publicKeyAsn: HexBytes
            let publicKeyDer: HexBytes
            let sha: String
            let tests: [ECDSAFile.Case]
        }

        struct PublicKey: Decodable {
            let modulus: HexBytes
            let publicExponent: HexBytes
        }
    }

    /// Runs a file of RSASSA-PKCS1-v1_5 signatures (`RsassaPkcs1Verify`).
    ///
    /// Only "valid" cases must be accepted. All known "acceptable" cases have the flag `MissingNull`: their DigestInfo
    /// lacks the parameters. They must be rejected, because RFC 8017 §9.2 never produces such a DigestInfo. An
    /// "acceptable" case with a different flag counts as failed, so that a developer adds a rule for the flag. Groups
    /// with an unsupported hash or modulus size are skipped. All encodings of a key must decode to the same key.
    package static func runRSA(_ file: Data) throws -> SuiteOutcome {
        let suite = try JSONDecoder().decode(RSAFile.self, from: file)
        var outcome = SuiteOutcome()
        for group in suite.testGroups {
            guard group.type == "RsassaPkcs1Verify" else {
                outcome.skip("type \(group.type)", count: group.tests.count)
                continue
            }
            guard let hash = VectorHash(named: group.sha) else {
                outcome.skip("hash \(group.sha)", count: group.tests.count)
                continue
            }
            let key: RSA.Signing.PublicKey?
            do throws(RSAError) {
                key = try RSA.Signing.PublicKey(
                    n: group.publicKey.modulus.bytes, e: group.publicKey.publicExponent.bytes)
            } catch .unsupportedModulusSize {
                outcome.skip("unsupported modulus size", count: group.tests.count)
                continue
            } catch {
                key = nil
            }
            let isSameKey =
                key != nil
                && key == (try? RSA.Signing.PublicKey(derRepresentation: group.publicKeyDer.bytes))
                && key == (try? RSA.Signing.PublicKey(pkcs1DERRepresentation: group.publicKeyAsn.bytes))
            for test in group.tests {
                let name = "tcId \(test.tcId)"
                guard isSameKey, let key else {
                    outcome.record(name, passed: false, detail: "the group's key is malformed")
                    continue
                }
                guard test.result != .acceptable || test.flags == ["MissingNull"] else {
                    outcome.record(name, passed: false, detail: "no expectation for its flags")
                    continue
                }
                outcome.record(
                    name, accepted: hash.isValidSignature(test.sig.bytes, of: test.msg.bytes, by: key),
                    expected: test.result == .valid, detail: test.comment)
            }
        }
        return try check(outcome, stated: suite.numberOfTests)
    }
}

extension CAVPSuites {
    /// Runs `SigVer15_186-3.rsp`. In each section `[mod = bits]`, a record with the modulus n precedes the signatures
    /// under this modulus.
    package static func runRSASignatureVerification(_ file: ResponseFile) throws -> SuiteOutcome {
        var outcome = SuiteOutcome()
        for section in file.sections {
            var modulus: [UInt8] = []
            for (index, record) in section.records.enumerated() {
                if record["n"] != nil { modulus = try record.integer("n") }
                guard let hashName = record["SHAAlg"] else { continue }
                guard let hash = hashName.removing(prefix: "SHA").flatMap({ VectorHash(named: "SHA-" + $0) }) else {
                    outcome.skip("hash \(hashName)")
                    continue
                }
                let key: RSA.Signing.PublicKey?
                do throws(RSAError) {
                    key = try RSA.Signing.PublicKey(n: modulus, e: try exponent(of: record))
                } catch .unsupportedModulusSize {
                    outcome.skip("[\(section.headers.joined(separator: "] ["))]")
                    continue
                } catch {
                    key = nil
                }
                let message = try record.bytes("Msg"), signature = try record.integer("S")
                outcome.record(
                    "[\(section.headers.joined(separator: "] ["))] \(index + 1)",
                    accepted: key.map { hash.isValidSignature(signature, of: message, by: $0) } ?? false,
                    expected: try isPositive(record))
            }
        }
        return outcome
    }

    /// Treats a missing exponent as unsupported.
    private static func exponent(of record: ResponseFile.Record) throws(RSAError) -> [UInt8] {
        guard let exponent = try? record.integer("e") else { throw .unsupportedExponent }
        return exponent
    }
}
