import PureECDSA
import PureSHA2

/// Verifies an ECDSA signature with P-256 and SHA-256. `publicKey` is 65 bytes long (X9.62 uncompressed), and
/// `signature` is DER. Returns 1 for a valid signature, otherwise 0. A malformed key or signature, or a
/// message longer than ``maximumMessageSize``, also returns 0.
@c(pure_attest_verify_p256)
public func verifyP256(
    _ publicKey: UnsafeRawPointer?, _ publicKeyCount: Int32, _ signature: UnsafeRawPointer?, _ signatureCount: Int32,
    _ message: UnsafeRawPointer?, _ messageCount: Int32
) -> Int32 {
    guard let key = unsafe try? bytes(publicKey, publicKeyCount),
        let signature = unsafe try? bytes(signature, signatureCount),
        let message = unsafe try? bytes(message, messageCount),
        let key = try? P256.Signing.PublicKey(x963Representation: key),
        let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
    else { return 0 }
    return key.isValidSignature(signature, for: message) ? 1 : 0
}

/// Verifies a signature like ``verifyP256``, with P-384 and SHA-384. `publicKey` is 97 bytes long.
@c(pure_attest_verify_p384)
public func verifyP384(
    _ publicKey: UnsafeRawPointer?, _ publicKeyCount: Int32, _ signature: UnsafeRawPointer?, _ signatureCount: Int32,
    _ message: UnsafeRawPointer?, _ messageCount: Int32
) -> Int32 {
    guard let key = unsafe try? bytes(publicKey, publicKeyCount),
        let signature = unsafe try? bytes(signature, signatureCount),
        let message = unsafe try? bytes(message, messageCount),
        let key = try? P384.Signing.PublicKey(x963Representation: key),
        let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature)
    else { return 0 }
    return key.isValidSignature(signature, for: message) ? 1 : 0
}

/// Writes the SHA-256 of the message to the 32 bytes at `digest`. Returns 0, or the reason for a malformed argument.
@c(pure_attest_sha256)
public func sha256(_ message: UnsafeRawPointer?, _ count: Int32, _ digest: UnsafeMutableRawPointer?) -> Int32 {
    code { () throws(Refusal) in
        let message = unsafe try bytes(message, count)
        unsafe copy(SHA256.hash(data: message), to: try room(digest, 32))
    }
}
