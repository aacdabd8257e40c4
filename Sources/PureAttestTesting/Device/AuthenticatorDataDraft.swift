import PureBytes
import PureAttest

/// Authenticator data that is not yet encoded (W3C WebAuthn §6.1, as App Attest uses it).
struct AuthenticatorDataDraft: Sendable {
    var rpIDHash: [UInt8]
    var flags: UInt8
    var counter: UInt32
    /// The credential data, which only attestations contain.
    var credential: CredentialDraft?
    /// The entries of the extensions map. If the list is empty, as on systems before iOS 27, no map is encoded.
    var extensions: [CBOREntry]
    /// An encoded item that is used instead of the ``extensions`` map.
    var encodedExtensions: [UInt8]?

    var encoded: [UInt8] {
        let map = encodedExtensions ?? (extensions.isEmpty ? [] : cbor(map: extensions))
        return rpIDHash + [flags] + bigEndian(counter) + (credential?.encoded ?? []) + map
    }
}

/// Attested credential data (WebAuthn §6.5.2).
struct CredentialDraft: Sendable {
    var aaguid: [UInt8]
    var id: [UInt8]
    /// The length that the data declares for ``id``, or `nil` to declare the actual length.
    var declaredLength: UInt16?
    var key: [CBOREntry]
    /// An encoded item that is used instead of the ``key`` map.
    var encodedKey: [UInt8]?

    var encoded: [UInt8] {
        aaguid + bigEndian(declaredLength ?? UInt16(id.count)) + id + (encodedKey ?? cbor(map: key))
    }
}

/// Returns the entries of a P-256 COSE key for ES256 (RFC 9053 §7.1.1): kty 2, alg −7, crv 1, x and y.
func coseKeyEntries(x963: [UInt8]) -> [CBOREntry] {
    [
        CBOREntry(cbor(1), cbor(2)), CBOREntry(cbor(3), cbor(-7)), CBOREntry(cbor(-1), cbor(1)),
        CBOREntry(cbor(-2), cbor(bytes: [UInt8](x963[1..<33]))), CBOREntry(cbor(-3), cbor(bytes: [UInt8](x963[33...]))),
    ]
}

/// Returns the entries of the extensions map that devices send since iOS 27, in the same order as genuine devices.
func launchInformationEntries(_ category: ValidationCategory, _ version: BundleVersion) -> [CBOREntry] {
    [
        CBOREntry(ExtensionName.version, cborHead(3, UInt64(version.utf8.count)) + version.utf8),
        CBOREntry(ExtensionName.category, cbor(bytes: bigEndian(category.rawValue.byteSwapped))),
    ]
}

extension Environment {
    /// The AAGUID, 16 bytes (Apple, attestation step 8).
    var aaguid: [UInt8] {
        switch self {
        case .development: Array("appattestdevelop".utf8)
        case .production: Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        }
    }

    var other: Environment { self == .production ? .development : .production }
}
