import PureBytes
import PureCBOR
import PureSHA2

/// The authenticator data (W3C WebAuthn §6.1, as App Attest uses it) of an attestation or an assertion.
///
/// Genuine devices do not set the AT and ED flags as WebAuthn specifies. In assertions, AT is set although there is no
/// credential data. Some betas of iOS 27 and macOS 27 appended extensions although ED was clear. The parser therefore
/// ignores AT: it reads credential data in every attestation and in no assertion. If bytes remain, they must be exactly
/// one CBOR map.
///
/// **The ED flag shows whether the system wrote that map.** The nonce is SHA-256(authenticator data ‖ client data
/// hash). Nothing marks the boundary between the two parts, and the app chooses the client data hash. On a system that
/// writes no map, the app can pass `map ‖ h` as the client data hash. After signing, the app can move `map` to the end
/// of the authenticator data, and the nonce stays the same.
///
/// The app cannot change the flags, because it can only move bytes to the end of the authenticator data. If ED is set,
/// the system has appended its own map. The parser then rejects a second map as trailing bytes. This type verifies
/// nothing.
public struct AuthenticatorData: Sendable {
    /// The credential data of an attestation: the new key.
    public struct Credential: Sendable {
        /// The 16 bytes that identify the environment, as a big-endian number.
        public let aaguid: UInt128
        /// The key identifier, whose length the authenticator data declare.
        public let id: ArraySlice<UInt8>
        /// The x coordinate in the COSE key, 32 bytes.
        public let x: ArraySlice<UInt8>
        /// The y coordinate in the COSE key, 32 bytes.
        public let y: ArraySlice<UInt8>
    }

    /// The bytes as received, which the nonce covers.
    public let encoded: ArraySlice<UInt8>
    /// SHA-256 of the App ID, 32 bytes.
    public let rpIDHash: ArraySlice<UInt8>
    /// The flags, unchecked. Only ED (0x80) affects the result: see ``launchInformation``.
    public let flags: UInt8
    /// The number of signatures that the key has made.
    public let counter: UInt32
    /// The credential data; `nil` in an assertion.
    public let credential: Credential?
    /// Rule A1: the information in the extensions if ED is set. Otherwise, every value is missing. ED is clear before
    /// iOS 27 and for apps built with an older SDK.
    public let launchInformation: LaunchInformation
    /// The extensions that the data contain although ED is clear, or `nil` if there are none. Either the system or the
    /// app has written these extensions.
    public let unverifiedLaunchInformation: LaunchInformation?

    /// Parses the authenticator data of an attestation.
    public init(attestation bytes: ArraySlice<UInt8>) throws(PureAttestError) {
        try self.init(bytes, hasCredential: true)
    }

    /// Parses the authenticator data of an assertion.
    public init(assertion bytes: ArraySlice<UInt8>) throws(PureAttestError) {
        try self.init(bytes, hasCredential: false)
    }

    // Inlined, so that a program that verifies no attestations does not link the credential parser.
    @inline(__always)
    private init(_ bytes: ArraySlice<UInt8>, hasCredential: Bool) throws(PureAttestError) {
        encoded = bytes
        var reader = ByteReader(bytes)
        do {
            rpIDHash = try reader.readBytes(32)
            flags = try reader.readByte()
            counter = try reader.readBigEndian()
        } catch { throw .truncatedAuthenticatorData }
        var rest = reader.remaining
        credential = hasCredential ? try Credential(readingFrom: &rest) : nil
        let extensions = rest.isEmpty ? nil : try LaunchInformation(decoding: rest)
        if flags & Self.extensionDataFlag != 0 {
            // Rule A2: ED states that the system wrote a map. If the map is missing, the data are truncated.
            guard let extensions else { throw .truncatedAuthenticatorData }
            launchInformation = extensions
            unverifiedLaunchInformation = nil
        } else {
            launchInformation = LaunchInformation()
            unverifiedLaunchInformation = extensions
        }
    }

    /// WebAuthn §6.1: bit 7 of the flags, "extension data included" (ED).
    private static var extensionDataFlag: UInt8 { 0x80 }
}

extension AuthenticatorData {
    /// Attestation step 3: "Generate a new SHA256 hash of the composite item to create nonce". The composite item is
    /// the authenticator data as received, followed by the client data hash. Assertion step 2 is the same.
    func nonce(clientDataHash: some Collection<UInt8>) -> SHA256Digest {
        var hash = SHA256()
        hash.update(data: encoded)
        hash.update(data: clientDataHash)
        return hash.finalize()
    }
}

extension AuthenticatorData.Credential {
    /// Reads AAGUID, identifier length, identifier and COSE key (WebAuthn §6.5.2) from the start of `rest`.
    fileprivate init(readingFrom rest: inout ArraySlice<UInt8>) throws(PureAttestError) {
        var reader = ByteReader(rest)
        do {
            aaguid = try reader.readBigEndian()
            let length: UInt16 = try reader.readBigEndian()
            id = try reader.readBytes(Int(length))
        } catch { throw .truncatedAuthenticatorData }
        let value: CBORValue
        do {
            var key = try CBORReader(reader.remaining, limits: InputLimits.attestationCBOR)
            value = try key.readValue()
            rest = key.remaining
        } catch { throw .malformedCBOR(error) }
        // RFC 9053 §7.1.1: kty (1) EC2 (2), alg (3) ES256 (−7), crv (−1) P-256 (1), x (−2) and y (−3) of full length.
        guard let map = value.map, map.count == 5,
            map[.unsignedInteger(1)] == .unsignedInteger(2),
            map[.unsignedInteger(3)] == .negativeInteger(6),
            map[.negativeInteger(0)] == .unsignedInteger(1),
            let x = map[.negativeInteger(1)]?.byteString, x.count == 32,
            let y = map[.negativeInteger(2)]?.byteString, y.count == 32
        else { throw .malformedCredentialKey }
        self.x = x
        self.y = y
    }
}
