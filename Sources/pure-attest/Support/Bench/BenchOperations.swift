import PureAttest
import PureBytes
import PureDER
import PureECDSA
import PureRSA
import PureSHA2

struct BenchOperation {
    let name: String
    /// The number of bytes per operation, if throughput is more informative than a rate of operations.
    var byteCount: Int?
    /// Runs the operation the given number of times. Each run depends on the previous result, and throws on failure.
    let loop: (Int) throws -> Void

    static var names: [String] { ((try? all()) ?? []).map(\.name) }

    static func all() throws -> [BenchOperation] {
        let p256 = try P256.Signing.PublicKey(x963Representation: [UInt8](hexEncoded: BenchInputs.p256Key))
        let p384 = try P384.Signing.PublicKey(x963Representation: [UInt8](hexEncoded: BenchInputs.p384Key))
        let p256Signatures = try BenchInputs.p256Signatures.map {
            try P256.Signing.ECDSASignature(rawRepresentation: [UInt8](hexEncoded: $0))
        }
        let p384Signatures = try BenchInputs.p384Signatures.map {
            try P384.Signing.ECDSASignature(rawRepresentation: [UInt8](hexEncoded: $0))
        }
        let messages = ["sample", "test"].map { Array($0.utf8) }
        let sha256 = messages.map { SHA256.hash(data: $0) }
        let sha384 = messages.map { SHA384.hash(data: $0) }
        let p256Precomputed = P256.Signing.PrecomputedPublicKey(p256)
        let p384Precomputed = P384.Signing.PrecomputedPublicKey(p384)
        let p256Multiples = P256.Signing.PublicKeyMultiples(p256)
        return [
            signature("p256-verify") { p256.isValidSignature(p256Signatures[$0], for: sha256[$0]) },
            signature("p384-verify") { p384.isValidSignature(p384Signatures[$0], for: sha384[$0]) },
            signature("p256-verify-precomputed") {
                p256Precomputed.isValidSignature(p256Signatures[$0], for: sha256[$0])
            },
            signature("p256-verify-multiples") {
                p256Multiples.isValidSignature(p256Signatures[$0], for: sha256[$0])
            },
            batch("p256-verify-batch") { .init(p256Signatures[$0], for: sha256[$0], publicKey: p256) },
            batch("p256-verify-multiples-batch") {
                .init(p256Signatures[$0], for: sha256[$0], publicKey: p256Multiples)
            },
            signature("p384-verify-precomputed") {
                p384Precomputed.isValidSignature(p384Signatures[$0], for: sha384[$0])
            },
            try rsa("rsa2048-verify", BenchInputs.rsa2048Modulus, BenchInputs.rsa2048Signatures),
            try rsa("rsa4096-verify", BenchInputs.rsa4096Modulus, BenchInputs.rsa4096Signatures),
            hash("sha256-16k", SHA256.self), hash("sha384-16k", SHA384.self), hash("sha512-16k", SHA512.self),
            try attestation(), try assertion("assertion-verify", key: p256),
            try assertion("assertion-verify-multiples", key: p256) { $0.withPublicKeyMultiples() },
            try assertion("assertion-verify-table", key: p256) { $0.withPublicKeyTable() },
        ]
    }

    /// Verifies two signatures alternately. Each result selects the next signature.
    private static func signature(_ name: String, isValid: @escaping (Int) -> Bool) -> BenchOperation {
        BenchOperation(name: name) { iterations in
            var index = 0
            var validCount = 0
            for _ in 0..<iterations {
                let isValid = isValid(index)
                validCount += isValid ? 1 : 0
                index = (index + (isValid ? 1 : 2)) % 2
            }
            guard validCount == iterations else { throw Refusal("\(name): a valid signature did not verify") }
        }
    }

    /// Verifies batches of 64 signatures. One signature counts as one operation. The loop subtracts each batch's number
    /// of valid signatures from the number of signatures that remain.
    private static func batch(
        _ name: String, of signature: (Int) -> P256.Signing.SignatureToVerify
    ) -> BenchOperation {
        let signatures = (0..<64).map { signature($0 % 2) }
        return BenchOperation(name: name) { iterations in
            var rest = iterations
            while rest > 0 {
                let verdicts = P256.Signing.areValidSignatures(Array(signatures.prefix(rest)))
                let validCount = verdicts.count { $0 }
                guard validCount == min(rest, 64) else { throw Refusal("\(name): a valid signature did not verify") }
                rest -= validCount
            }
        }
    }

    /// Verifies signatures of "sample" and "test" by one key, with exponent 65,537.
    private static func rsa(_ name: String, _ modulus: String, _ signatures: [String]) throws -> BenchOperation {
        let key = try RSA.Signing.PublicKey(n: [UInt8](hexEncoded: modulus), e: [1, 0, 1])
        let signatures = try signatures.map {
            try RSA.Signing.RSASignature(rawRepresentation: [UInt8](hexEncoded: $0))
        }
        let digests = ["sample", "test"].map { SHA256.hash(data: Array($0.utf8)) }
        return signature(name) { key.isValidSignature(signatures[$0], for: digests[$0], padding: .insecurePKCS1v1_5) }
    }

    /// Hashes a message of 16 KiB that begins with the previous digest.
    private static func hash(_ name: String, _ function: (some HashFunction).Type) -> BenchOperation {
        var message = [UInt8](repeating: 0x61, count: 16_384)
        return BenchOperation(name: name, byteCount: message.count) { iterations in
            for _ in 0..<iterations {
                let digest = function.hash(data: message)
                message.replaceSubrange(0..<digest.count, with: digest)
            }
        }
    }

    /// Verifies a whole attestation, at a time that depends on the previous result.
    private static func attestation() throws -> BenchOperation {
        let verifier = AppAttestVerifier(
            apps: [BenchInputs.appID], environment: .production, launchPolicy: .reportOnly)
        let attestation = try [UInt8](base64Encoded: BenchInputs.attestation)
        let keyID = try [UInt8](base64Encoded: BenchInputs.keyID)
        let clientDataHash = Array(BenchInputs.clientDataHash.utf8)
        return BenchOperation(name: "attestation-verify") { iterations in
            var time = BenchInputs.time
            for _ in 0..<iterations {
                let verified = try verifier.verifyAttestation(
                    attestation, keyID: keyID, clientDataHash: clientDataHash, at: UnixTime(secondsSince1970: time))
                time += Int64(verified.key.counter)
            }
        }
    }

    /// Verifies one of two whole assertions. The previous counter selects the assertion.
    private static func assertion(
        _ name: String, key: P256.Signing.PublicKey, stored: (AttestedKey) -> AttestedKey = { $0 }
    ) throws -> BenchOperation {
        let verifier = AppAttestVerifier(
            apps: [BenchInputs.appID], environment: .production, launchPolicy: .reportOnly)
        let key = stored(
            try AttestedKey(
                trustingStoredKey: key.x963Representation, appID: BenchInputs.appID, environment: .production,
                counter: 0))
        let assertions = try BenchInputs.assertions.map { try [UInt8](base64Encoded: $0) }
        let clientData = Array(BenchInputs.clientData.utf8)
        return BenchOperation(name: name) { iterations in
            var index = 0
            for _ in 0..<iterations {
                let verified = try verifier.verifyAssertion(
                    assertions[index], challenge: clientData, key: key)
                index = Int(verified.counter) % 2
            }
        }
    }
}
