import PureAttest
import PureDER
import PureECDSA
import PureSHA2

/// An attestation before it is encoded: everything that a fault can change. What is not changed fits together.
///
/// The order of encoding is that of the dependencies: authenticator data, nonce, leaf certificate, object.
struct AttestationDraft: Sendable {
    var authenticatorData: AuthenticatorDataDraft
    /// Changes the encoded authenticator data; the nonce covers the result.
    var alterAuthenticatorData: @Sendable (inout [UInt8]) -> Void = { _ in }
    var clientDataHash: [UInt8]
    /// Entries of the object that nothing covers.
    var unsignedEntries: [CBOREntry]
    /// Changes the nonce that is certified.
    var alterNonce: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// The value of the nonce extension.
    var encodeNonce: @Sendable ([UInt8]) -> [UInt8] = { wrapped($0, tag: 1) }
    var leaf: CertificateDraft
    /// What the leaf is signed with.
    var intermediateKey: IssuerSigningKey
    var intermediate: CertificateDraft
    /// What the intermediate certificate is signed with.
    var rootKey: IssuerSigningKey
    /// The root's DER, for a chain that contains it.
    let root: [UInt8]
    /// Changes the encoded certificates, the leaf first.
    var alterCertificates: @Sendable (inout [[UInt8]]) -> Void = { _ in }
    /// Makes the receipt.
    var receipt: ReceiptDraft
    /// Changes the encoded authenticator data after the nonce was made of them.
    var replaceAuthenticatorData: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// Changes the entries of `attStmt`, which are `x5c` and `receipt`.
    var alterStatement: @Sendable (inout [CBOREntry]) -> Void = { _ in }
    /// Changes the entries of the object, which are `fmt`, `attStmt` and `authData`.
    var alterEntries: @Sendable (inout [CBOREntry]) -> Void = { _ in }
    /// Changes the encoded object.
    var alterObject: @Sendable (inout [UInt8]) -> Void = { _ in }

    /// The authenticator data that the nonce covers.
    private var attestedData: [UInt8] {
        var bytes = authenticatorData.encoded
        alterAuthenticatorData(&bytes)
        return bytes
    }

    /// The leaf certificate's DER.
    var encodedLeaf: [UInt8] {
        var nonce = [UInt8](SHA256.hash(data: attestedData + clientDataHash))
        alterNonce(&nonce)
        return leaf.encoded(signedBy: intermediateKey, nonce: encodeNonce(nonce))
    }

    /// The CBOR object.
    func encoded() -> [UInt8] {
        let leaf = encodedLeaf
        var authenticatorData = attestedData
        var certificates = [leaf, intermediate.encoded(signedBy: rootKey)]
        alterCertificates(&certificates)
        replaceAuthenticatorData(&authenticatorData)

        var receipt = receipt
        receipt.setCertificate(leaf)
        var statement = [
            CBOREntry("x5c", cbor(array: certificates.map(cbor(bytes:)))),
            CBOREntry("receipt", cbor(bytes: receipt.encoded())),
        ]
        alterStatement(&statement)
        var entries =
            [
                CBOREntry("fmt", cbor(text: "apple-appattest")), CBOREntry("attStmt", cbor(map: statement)),
                CBOREntry("authData", cbor(bytes: authenticatorData)),
            ] + unsignedEntries
        alterEntries(&entries)
        var object = cbor(map: entries)
        alterObject(&object)
        return object
    }
}

/// An assertion before it is encoded.
struct AssertionDraft: Sendable {
    var authenticatorData: AuthenticatorDataDraft
    /// Changes the encoded authenticator data; the signature covers the result.
    var alterAuthenticatorData: @Sendable (inout [UInt8]) -> Void = { _ in }
    var clientDataHash: [UInt8]
    /// Entries of the object that nothing covers.
    var unsignedEntries: [CBOREntry]
    /// What signs; the device's key.
    var key: SigningKey<P256>
    /// Computes the signature of a nonce: ECDSA with SHA-256 over its 32 bytes (Apple, assertion step 3).
    var sign: @Sendable (SigningKey<P256>, [UInt8]) -> SignatureNumbers = { $0.sign($1, hash: SHA256.self) }
    /// Encodes the signature.
    var encodeSignature: @Sendable (SignatureNumbers) -> [UInt8] = { $0.derRepresentation }
    /// Changes the encoded authenticator data after they were signed.
    var replaceAuthenticatorData: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// Changes the entries of the object, which are `signature` and `authenticatorData`.
    var alterEntries: @Sendable (inout [CBOREntry]) -> Void = { _ in }
    /// Changes the encoded object.
    var alterObject: @Sendable (inout [UInt8]) -> Void = { _ in }

    /// The CBOR object.
    func encoded() -> [UInt8] {
        var authenticatorData = authenticatorData.encoded
        alterAuthenticatorData(&authenticatorData)
        let nonce = [UInt8](SHA256.hash(data: authenticatorData + clientDataHash))
        let signature = encodeSignature(sign(key, nonce))
        replaceAuthenticatorData(&authenticatorData)
        var entries =
            [
                CBOREntry("signature", cbor(bytes: signature)),
                CBOREntry("authenticatorData", cbor(bytes: authenticatorData)),
            ] + unsignedEntries
        alterEntries(&entries)
        var object = cbor(map: entries)
        alterObject(&object)
        return object
    }
}
