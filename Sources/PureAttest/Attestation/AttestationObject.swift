import PureCBOR
import PureX509

/// The encoded parts of an attestation object. Nothing is verified.
///
/// The CBOR map and its nested map must contain exactly the members below, because no step would verify an additional
/// member. W3C WebAuthn §6.5.4 specifies this structure. Only the member `cdHash` is optional: no step verifies it, but
/// genuine devices send it.
public struct AttestationObject: Sendable {
    /// `attStmt.x5c`: DER certificates, the leaf first.
    public let certificates: [ArraySlice<UInt8>]
    /// `attStmt.receipt`. No step of the attestation verifies the receipt.
    public let receipt: ArraySlice<UInt8>
    /// `authData`.
    public let authenticatorData: ArraySlice<UInt8>
    /// The member `cdHash`, which iOS 18.5 to 26 send. No signature covers this member, so the app may have written it.
    public let unverifiedCodeDirectoryHash: CodeDirectoryHash?

    /// Decodes an attestation object.
    ///
    /// - Throws: ``PureAttestError/inputTooLarge``, ``PureAttestError/malformedCBOR(_:)``,
    ///   ``PureAttestError/malformedAttestationObject``, ``PureAttestError/unsupportedFormat``.
    public init(decoding bytes: ArraySlice<UInt8>) throws(PureAttestError) {
        guard bytes.count <= InputLimits.attestation else { throw .inputTooLarge }
        guard let object = try CBORMap(decoding: bytes, limits: InputLimits.attestationCBOR),
            let format = object[text: "fmt"]
        else { throw .malformedAttestationObject }
        guard format.isText("apple-appattest") else { throw .unsupportedFormat }
        guard let authenticatorData = object[text: "authData"]?.byteString,
            let statement = object[text: "attStmt"]?.map, statement.count == 2,
            let chain = statement[text: "x5c"]?.array,
            let receipt = statement[text: "receipt"]?.byteString
        else { throw .malformedAttestationObject }
        unverifiedCodeDirectoryHash = object[text: "cdHash"].flatMap { CodeDirectoryHash(unsignedMember: $0) }
        guard object.count == (unverifiedCodeDirectoryHash == nil ? 3 : 4) else { throw .malformedAttestationObject }
        var certificates: [ArraySlice<UInt8>] = []
        for element in chain {
            guard let certificate = element.byteString else { throw .malformedAttestationObject }
            certificates.append(certificate)
        }
        self.certificates = certificates
        self.receipt = receipt
        self.authenticatorData = authenticatorData
    }

    /// The leaf, or `nil` if it cannot be parsed. Reports use this property if the chain is rejected.
    var unverifiedLeaf: Certificate? { certificates.first.flatMap { try? Certificate(derEncoded: $0) } }
}
