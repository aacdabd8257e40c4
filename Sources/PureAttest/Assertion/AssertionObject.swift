import PureCBOR

/// The encoded parts of an assertion. Nothing is verified.
public struct AssertionObject: Sendable {
    /// An ECDSA signature in DER.
    public let signature: ArraySlice<UInt8>
    /// `authenticatorData`.
    public let authenticatorData: ArraySlice<UInt8>
    /// The member `cdHash`, which iOS 18.5 to 26 send. No signature covers this member, so the app may have written it.
    public let unverifiedCodeDirectoryHash: CodeDirectoryHash?

    /// Decodes a CBOR map of only `signature`, `authenticatorData` and optionally a well-formed `cdHash`.
    ///
    /// - Throws: ``PureAttestError/inputTooLarge``, ``PureAttestError/malformedCBOR(_:)``,
    ///   ``PureAttestError/malformedAssertionObject``.
    public init(decoding bytes: ArraySlice<UInt8>) throws(PureAttestError) {
        guard bytes.count <= InputLimits.assertion else { throw .inputTooLarge }
        guard let object = try CBORMap(decoding: bytes, limits: InputLimits.assertionCBOR),
            let signature = object[text: "signature"]?.byteString,
            let authenticatorData = object[text: "authenticatorData"]?.byteString
        else { throw .malformedAssertionObject }
        unverifiedCodeDirectoryHash = object[text: "cdHash"].flatMap { CodeDirectoryHash(unsignedMember: $0) }
        guard object.count == (unverifiedCodeDirectoryHash == nil ? 2 : 3) else { throw .malformedAssertionObject }
        self.signature = signature
        self.authenticatorData = authenticatorData
    }
}
