import Crypto
import CryptoExtras
import PureECDSA
import PureRSA
import PureSHA2

private typealias PureP256 = PureECDSA.P256
private typealias PureP384 = PureECDSA.P384

/// Measures the signature and hash operations of PureAttest and swift-crypto. Each verification starts from a parsed
/// key, a digest and an encoded signature.
func primitives() throws -> [Measurement] {
    let digests = ["sample", "test"].map { Crypto.SHA256.hash(data: Array($0.utf8)) }
    let key256 = Crypto.P256.Signing.PrivateKey()
    let signatures256 = try digests.map { Array(try key256.signature(for: $0).derRepresentation) }
    let public256 = try PureP256.Signing.PublicKey(x963Representation: Array(key256.publicKey.x963Representation))
    let precomputed256 = PureP256.Signing.PrecomputedPublicKey(public256)
    let ours256 = ["sample", "test"].map { PureSHA2.SHA256.hash(data: Array($0.utf8)) }

    let digests384 = ["sample", "test"].map { Crypto.SHA384.hash(data: Array($0.utf8)) }
    let key384 = Crypto.P384.Signing.PrivateKey()
    let signatures384 = try digests384.map { Array(try key384.signature(for: $0).derRepresentation) }
    let public384 = try PureP384.Signing.PublicKey(x963Representation: Array(key384.publicKey.x963Representation))
    let precomputed384 = PureP384.Signing.PrecomputedPublicKey(public384)
    let ours384 = ["sample", "test"].map { PureSHA2.SHA384.hash(data: Array($0.utf8)) }

    return [
        .verdict("pure/p256-verify") { i in
            try public256.isValidSignature(
                PureP256.Signing.ECDSASignature(derRepresentation: signatures256[i]), for: ours256[i])
        },
        .verdict("pure/p256-verify-precomputed") { i in
            try precomputed256.isValidSignature(
                PureP256.Signing.ECDSASignature(derRepresentation: signatures256[i]), for: ours256[i])
        },
        batch("pure/p256-batch") { i in
            try .init(
                PureP256.Signing.ECDSASignature(derRepresentation: signatures256[i]), for: ours256[i],
                publicKey: public256)
        },
        batch("pure/p256-batch-precomputed") { i in
            try .init(
                PureP256.Signing.ECDSASignature(derRepresentation: signatures256[i]), for: ours256[i],
                publicKey: precomputed256)
        },
        .verdict("swift-crypto/p256-verify") { [key = key256.publicKey] i in
            try key.isValidSignature(
                Crypto.P256.Signing.ECDSASignature(derRepresentation: signatures256[i]), for: digests[i])
        },
        .verdict("pure/p384-verify") { i in
            try public384.isValidSignature(
                PureP384.Signing.ECDSASignature(derRepresentation: signatures384[i]), for: ours384[i])
        },
        .verdict("pure/p384-verify-precomputed") { i in
            try precomputed384.isValidSignature(
                PureP384.Signing.ECDSASignature(derRepresentation: signatures384[i]), for: ours384[i])
        },
        .verdict("swift-crypto/p384-verify") { [key = key384.publicKey] i in
            try key.isValidSignature(
                Crypto.P384.Signing.ECDSASignature(derRepresentation: signatures384[i]), for: digests384[i])
        },
    ]
        + (try rsa(.bits2048)) + (try rsa(.bits4096)) + hashes()
}

/// Verifies batches of 64 signatures. One signature counts as one operation. As in a single verification, the operation
/// includes parsing the signature.
private func batch(
    _ name: String, _ signature: @escaping @Sendable (Int) throws -> PureP256.Signing.SignatureToVerify
) -> Measurement {
    Measurement(name) { iterations in
        let repetitions = (iterations + 63) / 64
        for _ in 0..<repetitions {
            let verdicts = PureP256.Signing.areValidSignatures(try (0..<64).map { try signature($0 % 2) })
            guard verdicts.count == 64, !verdicts.contains(false) else { throw WrongResult(name: name) }
        }
        return 64 * repetitions
    }
}

private func rsa(_ size: _RSA.Signing.KeySize) throws -> [Measurement] {
    let key = try _RSA.Signing.PrivateKey(keySize: size)
    let messages = ["sample", "test"].map { Array($0.utf8) }
    let theirs = messages.map { Crypto.SHA256.hash(data: $0) }
    let ours = messages.map { PureSHA2.SHA256.hash(data: $0) }
    let signatures = try theirs.map { Array(try key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation) }
    let publicKey = try RSA.Signing.PublicKey(derRepresentation: Array(key.publicKey.derRepresentation))
    return [
        .verdict("pure/rsa\(size.bitCount)-verify") { i in
            try publicKey.isValidSignature(
                RSA.Signing.RSASignature(rawRepresentation: signatures[i]), for: ours[i], padding: .insecurePKCS1v1_5)
        },
        .verdict("swift-crypto/rsa\(size.bitCount)-verify") { [key = key.publicKey] i in
            key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signatures[i]), for: theirs[i], padding: .insecurePKCS1v1_5
            )
        },
    ]
}

/// In bytes.
private let messageSizes = [16, 64, 256, 1_024, 4_096, 16_384, 65_536, 1_048_576]

private func hashes() -> [Measurement] {
    messageSizes.flatMap { size in
        [
            hash("pure/sha256/\(size)", size) { Array(PureSHA2.SHA256.hash(data: $0)) },
            hash("swift-crypto/sha256/\(size)", size) { Array(Crypto.SHA256.hash(data: $0)) },
            hash("pure/sha512/\(size)", size) { Array(PureSHA2.SHA512.hash(data: $0)) },
            hash("swift-crypto/sha512/\(size)", size) { Array(Crypto.SHA512.hash(data: $0)) },
        ]
    }
}

/// Hashes a message that begins with bytes of the previous digest, so that each hash depends on the one before.
private func hash(
    _ name: String, _ size: Int, _ digest: @escaping @Sendable ([UInt8]) -> [UInt8]
) -> Measurement {
    Measurement(name) { iterations in
        var message = [UInt8](repeating: 0x61, count: size)
        for _ in 0..<iterations {
            let digest = digest(message)
            for i in 0..<16 { message[i] = digest[i] }
        }
        return iterations
    }
}

/// Measures signature verification, including hashing, for each message size.
func messageVerifications() throws -> [Measurement] {
    let key = Crypto.P256.Signing.PrivateKey()
    let ours = try PureP256.Signing.PublicKey(x963Representation: Array(key.publicKey.x963Representation))
    return try messageSizes.flatMap { size -> [Measurement] in
        let messages = [UInt8(1), 2].map { [UInt8](repeating: $0, count: size) }
        let signatures = try messages.map { Array(try key.signature(for: $0).derRepresentation) }
        return [
            .verdict("pure/p256-verify-message/\(size)") { i in
                try ours.isValidSignature(
                    PureP256.Signing.ECDSASignature(derRepresentation: signatures[i]), for: messages[i])
            },
            .verdict("swift-crypto/p256-verify-message/\(size)") { [key = key.publicKey] i in
                try key.isValidSignature(
                    Crypto.P256.Signing.ECDSASignature(derRepresentation: signatures[i]), for: messages[i])
            },
        ]
    }
}
