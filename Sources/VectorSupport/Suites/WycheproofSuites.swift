extension Wycheproof {
    /// Runs a file of ECDSA signatures, RSA signatures or key agreement, depending on the type of its first group.
    /// Skips files of other types.
    package static func run(_ file: Data) throws -> (form: String, outcome: SuiteOutcome) {
        struct Suite: Decodable {
            struct Group: Decodable {
                struct Case: Decodable {}
                let type: String?
                let tests: [Case]
            }
            let testGroups: [Group]
        }
        let groups = try JSONDecoder().decode(Suite.self, from: file).testGroups
        switch groups.first?.type {
        case "EcdsaVerify"?, "EcdsaP1363Verify"?: return ("Wycheproof ECDSA", try runECDSA(file))
        case "RsassaPkcs1Verify"?: return ("Wycheproof RSASSA-PKCS1-v1_5", try runRSA(file))
        case "EcdhTest"?, "EcdhEcpointTest"?: return ("Wycheproof ECDH public keys", try runECDH(file))
        default:
            var outcome = SuiteOutcome()
            for group in groups { outcome.skip("type \(group.type ?? "none")", count: group.tests.count) }
            return ("Wycheproof", outcome)
        }
    }

    /// Runs a file of ECDSA signatures (`EcdsaVerify`: DER; `EcdsaP1363Verify`: raw).
    ///
    /// Every case must have exactly the verdict in the file. The files contain no "acceptable" cases, and this package
    /// does not deviate for any flag. Groups with an unsupported curve or hash are skipped. Both encodings of a group's
    /// key must decode to the same key.
    package static func runECDSA(_ file: Data) throws -> SuiteOutcome {
        let suite = try JSONDecoder().decode(ECDSAFile.self, from: file)
        var outcome = SuiteOutcome()
        for group in suite.testGroups {
            guard let curve = VectorCurve(named: group.publicKey.curve) else {
                outcome.skip("curve \(group.publicKey.curve)", count: group.tests.count)
                continue
            }
            guard let hash = VectorHash(named: group.sha) else {
                outcome.skip("hash \(group.sha)", count: group.tests.count)
                continue
            }
            let form: VectorSignatureForm
            switch group.type {
            case "EcdsaVerify": form = .der
            case "EcdsaP1363Verify": form = .raw
            default:
                outcome.skip("type \(group.type)", count: group.tests.count)
                continue
            }
            let key = try? VectorKey(point: group.publicKey.uncompressed.bytes, on: curve)
            let isSameKey =
                key != nil && key == (try? VectorKey(group.publicKeyDer.bytes, as: .der, on: curve))
            for test in group.tests {
                guard isSameKey, let key else {
                    outcome.record("tcId \(test.tcId)", passed: false, detail: "the group's key is malformed")
                    continue
                }
                outcome.record(
                    "tcId \(test.tcId)",
                    accepted: key.isValidSignature(test.sig.bytes, as: form, hash: hash, message: test.msg.bytes),
                    expected: test.result == .valid, detail: test.comment)
            }
        }
        return try check(outcome, stated: suite.numberOfTests)
    }

    /// Computes the x coordinate of kQ, `byteCount` bytes long; `nil` for the point at infinity.
    package typealias KeyAgreement = (_ scalar: [UInt8], _ publicKey: VectorKey, _ curve: VectorCurve) -> [UInt8]?

    /// Runs a file of ECDH cases (`encoding` "ecpoint": a point in SEC 1 form; "asn": a `SubjectPublicKeyInfo`).
    ///
    /// Tests the decoding of the public key and, if `agreement` is given, the shared secret of every accepted key.
    ///
    /// Every "valid" case must be accepted. "Acceptable" cases with the flag `CompressedPublic` must also be accepted,
    /// because the package implements SEC 1 §2.3.4 step 2. Every "invalid" case must be rejected, and also "acceptable"
    /// cases with these flags:
    /// - `InvalidAsn`: the encoding is not DER (X.690 §10–11), or is not a key in DER;
    /// - `UnnamedCurve`, whether or not a parameter is modified: RFC 5480 §2.1.1 allows only the choice `namedCurve`.
    ///
    /// An "acceptable" case with none of these flags counts as failed, so that a developer adds a rule for it.
    package static func runECDH(_ file: Data, agreement: KeyAgreement? = nil) throws -> SuiteOutcome {
        let suite = try JSONDecoder().decode(ECDHFile.self, from: file)
        var outcome = SuiteOutcome()
        for group in suite.testGroups {
            guard let curve = VectorCurve(named: group.curve) else {
                outcome.skip("curve \(group.curve)", count: group.tests.count)
                continue
            }
            for test in group.tests {
                let bytes = test.public.bytes
                let key: VectorKey?
                switch group.encoding {
                case "ecpoint": key = try? VectorKey(point: bytes, on: curve)
                case "asn": key = try? VectorKey(bytes, as: .der, on: curve)
                default:
                    outcome.skip("encoding \(group.encoding)")
                    continue
                }
                let name = "tcId \(test.tcId)"
                guard let isAcceptable = verdict(test) else {
                    outcome.record(name, passed: false, detail: "no expectation for its flags")
                    continue
                }
                if isAcceptable, let key, let agreement {
                    let scalar = Array(repeating: 0, count: curve.byteCount) + test.private.bytes
                    let secret = agreement(scalar.suffix(curve.byteCount), key, curve)
                    outcome.record(name, passed: secret == test.shared.bytes, detail: test.comment)
                } else {
                    outcome.record(name, accepted: key != nil, expected: isAcceptable, detail: test.comment)
                }
            }
        }
        return try check(outcome, stated: suite.numberOfTests)
    }

    /// Returns whether this package must accept the key of the case; `nil` if no rule covers the case.
    private static func verdict(_ test: ECDHFile.Case) -> Bool? {
        switch test.result {
        case .valid: true
        case .invalid: false
        case .acceptable:
            if test.flags.contains("InvalidAsn") || test.flags.contains("UnnamedCurve") {
                false
            } else if test.flags.contains("CompressedPublic") {
                true
            } else {
                nil
            }
        }
    }
}
