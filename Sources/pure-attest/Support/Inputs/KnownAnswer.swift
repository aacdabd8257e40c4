import PureAttest
import PureBytes
import PureCBOR
import PureDER
import PureECDSA
import PureSHA2
import PureX509
import PureX509Paths

/// A known-answer test: a computation with a published result.
struct KnownAnswer: Sendable {
    let name: String
    /// The publication that contains the input and the answer.
    let source: String
    var expected: String
    let compute: @Sendable () throws -> String

    init(_ name: String, _ source: String, _ expected: String, _ compute: @escaping @Sendable () throws -> String) {
        self.name = name
        self.source = source
        self.expected = expected
        self.compute = compute
    }

    /// Returns the computed answer, or the text of the error.
    func result() -> String {
        do { return try compute() } catch { return "error: \(plainText(of: error))" }
    }

    /// The same computation with a changed expected answer. If the original answer is right, this test must fail.
    var damaged: KnownAnswer {
        var damaged = self
        damaged.expected = String(expected.dropLast()) + (expected.last == "0" ? "1" : "0")
        return damaged
    }

    /// The known-answer tests for each primitive and each kind of verification, in ascending order of complexity.
    static let all = hashes + encodings + signatures + constants + objects
}

// MARK: Hash functions

extension KnownAnswer {
    private static let twoBlocks256 = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    private static let twoBlocks512 = """
        abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu
        """
    private static let hashSource = "FIPS 180-2 appendices B.2, C.2 and D.2"
    private static let macSource = "RFC 4231 §4.3"

    private static let hashes = [
        KnownAnswer(
            "SHA-256", hashSource, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ) { hex(SHA256.hash(data: twoBlocks256.utf8)) },
        KnownAnswer(
            "SHA-384", hashSource,
            "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"
        ) { hex(SHA384.hash(data: twoBlocks512.utf8)) },
        KnownAnswer(
            "SHA-512", hashSource,
            """
            8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
            501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909
            """
        ) { hex(SHA512.hash(data: twoBlocks512.utf8)) },
        KnownAnswer(
            "HMAC-SHA-256", macSource, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ) { mac(SHA256.self) },
        KnownAnswer(
            "HMAC-SHA-384", macSource,
            "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"
        ) { mac(SHA384.self) },
        KnownAnswer(
            "HMAC-SHA-512", macSource,
            """
            164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554\
            9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
            """
        ) { mac(SHA512.self) },
    ]

    private static func mac<H: HashFunction>(_ hash: H.Type) -> String {
        var mac = HMAC<H>(key: Array("Jefe".utf8))
        mac.update(data: Array("what do ya want for nothing?".utf8))
        return hex(Array(mac.finalize()))
    }
}

// MARK: Encodings

extension KnownAnswer {
    private static let encodings = [
        KnownAnswer("DER OBJECT IDENTIFIER", "X.690 §8.19.5", "2.999.3") {
            var reader = DERReader(try bytes("0603883703"))
            return try reader.readObjectIdentifier().description
        },
        KnownAnswer("DER BIT STRING", "X.690 §8.6.4.2", "0a3b5f291cd0 without 4 bits") {
            var reader = DERReader(try bytes("0307040a3b5f291cd0"))
            let bits = try reader.readBitString()
            return "\(hex(bits.bytes)) without \(bits.unusedBitCount) bits"
        },
        KnownAnswer("DER BOOLEAN that is BER", "X.690 §11.1", "refused") {
            var reader = DERReader(try bytes("010101"))
            return (try? reader.readBoolean()) == nil ? "refused" : "accepted"
        },
        KnownAnswer("CBOR map", "RFC 8949 appendix A", #"{"a": 1, "b": [2, 3]}"#) {
            try CBORValue(decoding: bytes("a26161016162820203")).diagnosticNotation
        },
        KnownAnswer("CBOR negative integer", "RFC 8949 appendix A", "-18446744073709551616") {
            try CBORValue(decoding: bytes("3bffffffffffffffff")).diagnosticNotation
        },
        KnownAnswer("CBOR that is not well-formed", "RFC 8949 appendix F", "refused") {
            (try? CBORValue(decoding: bytes("5affffffff00"))) == nil ? "refused" : "accepted"
        },
    ]
}

// MARK: Constants

extension KnownAnswer {
    private static let constants = [
        KnownAnswer("constants of this build", "RFC 6979 appendix A.2.5; Apple's certificates", "right") {
            do throws(PureAttest.SelfTest.Failure) {
                try PureAttest.SelfTest.run()
                return "right"
            } catch { return "wrong: \(error.part)" }
        }
    ]
}

// MARK: Signatures

extension KnownAnswer {
    private static let source256 = "RFC 6979 appendix A.2.5, SHA-256"
    private static let source384 = "RFC 6979 appendix A.2.6, SHA-384"

    /// `BenchInputs` contains the signatures of "sample" and "test", in this order.
    private static let signatures = [
        KnownAnswer("P-256 signature", source256, "valid, invalid for another message") {
            let (key, signature) = try p256()
            return verdict { key.isValidSignature(signature, for: Array($0.utf8)) }
        },
        KnownAnswer("P-256 signature, precomputed key", source256, "valid, invalid for another message") {
            let (key, signature) = try p256()
            let table = P256.Signing.PrecomputedPublicKey(key)
            return verdict { table.isValidSignature(signature, for: Array($0.utf8)) }
        },
        KnownAnswer("P-384 signature", source384, "valid, invalid for another message") {
            let (key, signature) = try p384()
            return verdict { key.isValidSignature(signature, for: Array($0.utf8)) }
        },
        KnownAnswer("P-384 signature, precomputed key", source384, "valid, invalid for another message") {
            let (key, signature) = try p384()
            let table = P384.Signing.PrecomputedPublicKey(key)
            return verdict { table.isValidSignature(signature, for: Array($0.utf8)) }
        },
    ]

    private static func p256() throws -> (P256.Signing.PublicKey, P256.Signing.ECDSASignature) {
        (
            try P256.Signing.PublicKey(x963Representation: bytes(BenchInputs.p256Key)),
            try P256.Signing.ECDSASignature(rawRepresentation: bytes(BenchInputs.p256Signatures[0]))
        )
    }

    private static func p384() throws -> (P384.Signing.PublicKey, P384.Signing.ECDSASignature) {
        (
            try P384.Signing.PublicKey(x963Representation: bytes(BenchInputs.p384Key)),
            try P384.Signing.ECDSASignature(rawRepresentation: bytes(BenchInputs.p384Signatures[0]))
        )
    }

    private static func verdict(_ isValid: (String) -> Bool) -> String {
        "\(isValid("sample") ? "valid" : "invalid"), \(isValid("test") ? "valid" : "invalid") for another message"
    }
}

// MARK: Objects

extension KnownAnswer {
    private static let sampleSource = "Apple, \"Attestation Object Validation Guide\": the sample"
    private static let time = UnixTime(secondsSince1970: BenchInputs.time)

    private static let objects = [
        KnownAnswer(
            "root of receipts", "Apple, certificateauthority: SHA-256 fingerprint of Apple Root CA - G3",
            "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"
        ) { hex(SHA256.hash(data: try receipt().certificates[2].derEncoded)) },
        KnownAnswer("certificate path", sampleSource + ", its receipt's certificates", "valid, later expired") {
            let certificates = try receipt().certificates
            let verifier = CertificatePathVerifier(trustAnchors: [try TrustAnchor(certificates[2])])
            let intermediates = [certificates[1]]
            _ = try verifier.validate(leaf: certificates[0], intermediates: intermediates, at: time)
            do throws(PathError) {
                let later = UnixTime(secondsSince1970: certificates[0].notAfter.secondsSince1970 + 1)
                _ = try verifier.validate(leaf: certificates[0], intermediates: intermediates, at: later)
                return "valid, later too"
            } catch {
                guard case .certificate(.expired) = error else { return "valid, later \(error)" }
                return "valid, later expired"
            }
        },
        KnownAnswer("attestation", sampleSource, BenchInputs.keyID) {
            base64EncodedString(try attest(BenchInputs.clientDataHash).key.keyID)
        },
        KnownAnswer("attestation of another challenge", sampleSource, "\(PureAttestError.nonceMismatch)") {
            do throws(PureAttestError) {
                _ = try attest("another_challenge_of_server")
                return "accepted"
            } catch { return "\(error)" }
        },
        KnownAnswer("receipt", sampleSource, "1234567890.com.example.myapp") {
            let receipt = try attest(BenchInputs.clientDataHash).unverifiedReceipt
            return String(decoding: try receipt.verify(at: time).payload.appIDUTF8, as: UTF8.self)
        },
        // No assertion has been published together with its key. Therefore a different library signed the two
        // assertions in `BenchInputs`, with the key of RFC 6979 A.2.5.
        KnownAnswer("assertion", "RFC 6979 appendix A.2.5: the key", "counters 1, 2") {
            let first = try assert(0, after: storedKey())
            return "counters \(first.counter), \(try assert(1, after: first.key).counter)"
        },
        KnownAnswer(
            "assertion once more", "Apple, \"Verify the assertion\", step 5",
            "\(PureAttestError.counterNotIncreased(previous: 1, received: 1))"
        ) {
            let first = try assert(0, after: storedKey())
            do throws(PureAttestError) {
                _ = try assert(0, after: first.key)
                return "accepted"
            } catch { return "\(error)" }
        },
    ]

    private static let verifier = AppAttestVerifier(
        apps: [BenchInputs.appID], environment: .production, launchPolicy: .reportOnly)

    private static func sample() -> [UInt8] {
        (try? [UInt8](base64Encoded: BenchInputs.attestation)) ?? []
    }

    private static func receipt() throws -> SignedData {
        try SignedData(berEncoded: AttestationObject(decoding: sample()[...]).receipt)
    }

    private static func attest(_ challenge: String) throws(PureAttestError) -> VerifiedAttestation {
        try verifier.verifyAttestation(
            sample(), keyID: (try? [UInt8](base64Encoded: BenchInputs.keyID)) ?? [],
            clientDataHash: Array(challenge.utf8), at: time)
    }

    private static func storedKey() throws -> AttestedKey {
        try AttestedKey(
            trustingStoredKey: bytes(BenchInputs.p256Key), appID: BenchInputs.appID, environment: .production,
            counter: 0)
    }

    private static func assert(_ index: Int, after key: AttestedKey) throws(PureAttestError) -> VerifiedAssertion {
        let clientData = Array(BenchInputs.clientData.utf8)
        return try verifier.verifyAssertion(
            (try? [UInt8](base64Encoded: BenchInputs.assertions[index])) ?? [], challenge: clientData, key: key)
    }
}

private func hex(_ bytes: some Collection<UInt8>) -> String { hexEncodedString(bytes) }

private func bytes(_ hex: String) throws -> ArraySlice<UInt8> { try [UInt8](hexEncoded: hex)[...] }
