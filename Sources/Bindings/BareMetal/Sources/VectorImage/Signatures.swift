import PureAttest
import PureECDSA
import PureSHA2
import Runtime

/// Verifies an ECDSA signature. The loaded objects are curve (1 P-256, 2 P-384), hash (1 SHA-256, 2 SHA-384, 3
/// SHA-512), form (1 DER, 2 r ‖ s), public key 04 ‖ x ‖ y, message and signature. Treats a malformed key or signature
/// as an invalid signature.
func verifySignature(
    _ objects: inout LoadedObjects, _ counter: inout InstructionCounter
) throws(PureAttestError) {
    let curve = objects.nextNumber()
    let isValid =
        curve == 1
        ? try verify(P256.Signing.PublicKey.self, &objects, &counter)
        : try verify(P384.Signing.PublicKey.self, &objects, &counter)
    if !isValid { throw .invalidSignature }
}

private func verify<Key: SigningKey>(
    _: Key.Type, _ objects: inout LoadedObjects, _ counter: inout InstructionCounter
) throws(PureAttestError) -> Bool {
    let hash = objects.nextNumber(), form = objects.nextNumber()
    let key = objects.next(), message = objects.next(), signature = objects.next()
    guard let key = try? Key(x963Representation: key),
        let signature = try? form == 1
            ? Key.Signature(derRepresentation: signature) : Key.Signature(rawRepresentation: signature)
    else { return false }
    func isValid(_ digest: some Digest) throws(PureAttestError) -> Bool {
        try counter.count { () throws(PureAttestError) in key.isValidSignature(signature, for: digest) }
    }
    switch hash {
    case 1: return try isValid(SHA256.hash(data: message))
    case 2: return try isValid(SHA384.hash(data: message))
    default: return try isValid(SHA512.hash(data: message))
    }
}

private protocol SigningKey {
    associatedtype Signature: SigningKeySignature
    init(x963Representation bytes: some Collection<UInt8>) throws(ECDSAError)
    func isValidSignature(_ signature: Signature, for digest: some Digest) -> Bool
}

private protocol SigningKeySignature {
    init(derRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(rawRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
}

extension P256.Signing.PublicKey: SigningKey {}
extension P256.Signing.ECDSASignature: SigningKeySignature {}
extension P384.Signing.PublicKey: SigningKey {}
extension P384.Signing.ECDSASignature: SigningKeySignature {}
