import PureECDSA

/// Whether `signature` (DER) by `publicKey` (X9.62 uncompressed, 65 bytes) covers the SHA-256 of the message: 1 or 0,
/// and −1 for a key or signature that is malformed.
@_expose(wasm, "verifyP256")
@c(pure_attest_verify_p256)
public func verifyP256(
    _ publicKey: UnsafeRawPointer, _ publicKeyCount: Int32, _ signature: UnsafeRawPointer, _ signatureCount: Int32,
    _ message: UnsafeRawPointer, _ messageCount: Int32
) -> Int32 {
    guard let key = try? P256.Signing.PublicKey(x963Representation: unsafe bytes(publicKey, publicKeyCount)),
        let signature = try? P256.Signing.ECDSASignature(
            derRepresentation: unsafe bytes(signature, signatureCount))
    else { return -1 }
    return key.isValidSignature(signature, for: unsafe bytes(message, messageCount)) ? 1 : 0
}

/// As ``verifyP256``, with P-384 and SHA-384; a public key has 97 bytes.
@_expose(wasm, "verifyP384")
@c(pure_attest_verify_p384)
public func verifyP384(
    _ publicKey: UnsafeRawPointer, _ publicKeyCount: Int32, _ signature: UnsafeRawPointer, _ signatureCount: Int32,
    _ message: UnsafeRawPointer, _ messageCount: Int32
) -> Int32 {
    guard let key = try? P384.Signing.PublicKey(x963Representation: unsafe bytes(publicKey, publicKeyCount)),
        let signature = try? P384.Signing.ECDSASignature(
            derRepresentation: unsafe bytes(signature, signatureCount))
    else { return -1 }
    return key.isValidSignature(signature, for: unsafe bytes(message, messageCount)) ? 1 : 0
}
