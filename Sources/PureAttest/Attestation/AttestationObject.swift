import PureCBOR
import PureX509

/// The encoded parts of an attestation object. Nothing is verified.
///
/// The CBOR map and its nested map must contain exactly the members below (W3C WebAuthn §6.5.4 gives the shape),
/// because no step would verify another member. No step verifies `cdHash` either; it is accepted because genuine
/// devices send it.
public struct AttestationObject: Sendable {
    /// `attStmt.x5c`: DER certificates, the leaf first.
    public let certificates: [ArraySlice<UInt8>]
    /// `attStmt.receipt`. No step of the attestation verifies it.
    public let receipt: ArraySlice<UInt8>
    /// `authData`.
    public let authenticatorData: ArraySlice<UInt8>
    /// The member `cdHash` of iOS 18.5 to 26. No signature covers it, so the app may have written it.
    public let unverifiedCodeDirectoryHash: CodeDirectoryHash?

    /// Decodes an attestation object.
    ///
    /// - Throws: ``PureAttestError/inputTooLarge``, ``PureAttestError/malformedCBOR(_:)``,
    ///   ``PureAttestError/malformedAttestationObject``, ``PureAttestError/unsupportedFormat``.
    public init(decoding bytes: ArraySlice<UInt8>) throws(PureAttestError) {
        guard bytes.count <= InputLimits.attestation else { throw .inputTooLarge }
        let value: CBORValue
        do { value = try CBORValue(decoding: bytes, limits: InputLimits.attestationCBOR) } catch {
            throw .malformedCBOR(error)
        }
        guard let object = value.map, let format = object[text: "fmt"] else { throw .malformedAttestationObject }
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

    /// The leaf, if it can be parsed, for reports on attestations whose chain is rejected.
    var unverifiedLeaf: Certificate? { certificates.first.flatMap { try? Certificate(derEncoded: $0) } }
}
