import PureAttest
import PureDER
import PureECDSA
import PureSHA2

/// The parts that attestations and assertions share before they are encoded.
protocol ObjectDraft: Sendable {
    var authenticatorData: AuthenticatorDataDraft { get set }
    var clientDataHash: [UInt8] { get set }
    var unsignedEntries: [CBOREntry] { get set }
    var replaceAuthenticatorData: @Sendable (inout [UInt8]) -> Void { get set }
}

/// An attestation that is not yet encoded. A fault changes parts of the draft, and all other parts remain consistent.
/// The encoding follows the dependencies: authenticator data, nonce, leaf certificate, object.
struct AttestationDraft: ObjectDraft {
    var authenticatorData: AuthenticatorDataDraft
    /// Changes the encoded authenticator data before the nonce is computed.
    var alterAuthenticatorData: @Sendable (inout [UInt8]) -> Void = { _ in }
    var clientDataHash: [UInt8]
    /// Additional entries of the object. No signature covers them.
    var unsignedEntries: [CBOREntry]
    var alterNonce: @Sendable (inout [UInt8]) -> Void = { _ in }
    var encodeNonce: @Sendable ([UInt8]) -> [UInt8] = { wrapped($0, tag: 1) }
    var leaf: CertificateDraft
    var intermediateKey: IssuerSigningKey
    var intermediate: CertificateDraft { didSet { signedIntermediate = nil } }
    var rootKey: IssuerSigningKey { didSet { signedIntermediate = nil } }
    /// The encoding of ``intermediate``, or `nil` if a fault changed it or its issuer's key. All attestations share it,
    /// because signing takes longer than the rest of the encoding.
    var signedIntermediate: [UInt8]?
    /// The root certificate in DER, for faults that include the root in the chain.
    let root: [UInt8]
    /// Changes the encoded certificates, leaf first.
    var alterCertificates: @Sendable (inout [[UInt8]]) -> Void = { _ in }
    var receipt: ReceiptDraft
    /// Changes the encoded authenticator data after the nonce is computed.
    var replaceAuthenticatorData: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// Changes the entries of `attStmt`: `x5c` and `receipt`.
    var alterStatement: @Sendable (inout [CBOREntry]) -> Void = { _ in }
    /// Changes the entries of the object: `fmt`, `attStmt` and `authData`.
    var alterEntries: @Sendable (inout [CBOREntry]) -> Void = { _ in }
    var alterObject: @Sendable (inout [UInt8]) -> Void = { _ in }

    private var attestedData: [UInt8] {
        var bytes = authenticatorData.encoded
        alterAuthenticatorData(&bytes)
        return bytes
    }

    var encodedLeaf: [UInt8] {
        var nonce = [UInt8](SHA256.hash(data: attestedData + clientDataHash))
        alterNonce(&nonce)
        return leaf.encoded(signedBy: intermediateKey, nonce: encodeNonce(nonce))
    }

    func encoded() -> [UInt8] {
        let leaf = encodedLeaf
        var authenticatorData = attestedData
        var certificates = [leaf, signedIntermediate ?? intermediate.encoded(signedBy: rootKey)]
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

struct AssertionDraft: ObjectDraft {
    var authenticatorData: AuthenticatorDataDraft
    /// Changes the encoded authenticator data before signing.
    var alterAuthenticatorData: @Sendable (inout [UInt8]) -> Void = { _ in }
    var clientDataHash: [UInt8]
    var unsignedEntries: [CBOREntry]
    var key: SigningKey<P256>
    /// Signs the 32 bytes of a nonce with ECDSA and SHA-256 (Apple, assertion step 3).
    var sign: @Sendable (SigningKey<P256>, [UInt8]) -> SignatureNumbers = { $0.sign($1, hash: SHA256.self) }
    var encodeSignature: @Sendable (SignatureNumbers) -> [UInt8] = { $0.derRepresentation }
    /// Changes the encoded authenticator data after signing.
    var replaceAuthenticatorData: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// Changes the entries of the object: `signature` and `authenticatorData`.
    var alterEntries: @Sendable (inout [CBOREntry]) -> Void = { _ in }
    var alterObject: @Sendable (inout [UInt8]) -> Void = { _ in }

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
