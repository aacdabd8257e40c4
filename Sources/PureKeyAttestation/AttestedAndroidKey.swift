import PureBytes
@_exported public import struct PureDER.UnixTime
import PureECDSA
import PureSHA2

/// An attested key, with the attested properties that later requests are checked against. The server stores it.
public struct AttestedAndroidKey: Hashable, Sendable {
    /// The attested public key.
    public let publicKey: AndroidPublicKey
    /// The UTF-8 package name of the app that made the key. Apps that share a user ID share the key. The name is then
    /// the first one in the attestation.
    public let packageNameUTF8: [UInt8]
    /// The lower of the two security levels in the key description.
    public let securityLevel: SecurityLevel
    /// How the attestation key came to the device.
    public let provisioning: Provisioning
    /// The time of attestation, by the server's clock.
    public let attestedAt: UnixTime

    /// The identifier, 32 bytes: SHA-256 of the key's DER SubjectPublicKeyInfo.
    public var keyID: [UInt8] { [UInt8](SHA256.hash(data: publicKey.derRepresentation)) }
}

// The stored form.
//
//   offset  bytes
//        0      1  version: 1
//        1      1  security level: 0 software, 1 trusted environment, 2 StrongBox
//        2      1  provisioning: 1 factory, 2 remote
//        3      8  attested at, seconds since 1970, big-endian, two's complement
//       11      1  length of the package name, 1 to 255
//       12         the package name, then the key up to the end: its kind (1 P-256, 2 P-384, 3 RSA), then 04 ‖ x ‖ y,
//                  or the exponent (8 bytes), the modulus length (2 bytes) and the modulus, all big-endian

extension AttestedAndroidKey {
    /// The maximum length of a record, 1024 bytes. The longest name and the longest key use 790.
    public static var maximumRecordSize: Int { 1024 }
    /// The maximum length of a package name in bytes, because the record stores the length in one byte. Google Play
    /// limits names to 150 characters.
    public static var maximumPackageNameSize: Int { 255 }

    /// Creates a P-256 key from 04 ‖ x ‖ y, or returns `nil` if it is invalid. Trusts the caller's properties.
    package init?(
        trustingP256 x963: [UInt8], packageNameUTF8: [UInt8], securityLevel: SecurityLevel, provisioning: Provisioning,
        attestedAt: UnixTime
    ) {
        guard let key = try? P256.Signing.PublicKey(x963Representation: x963) else { return nil }
        self.init(
            publicKey: .p256(key), packageNameUTF8: packageNameUTF8, securityLevel: securityLevel,
            provisioning: provisioning, attestedAt: attestedAt)
    }

    private static var recordVersion: UInt8 { 1 }

    /// The record to store, at most ``maximumRecordSize`` bytes. Not authenticated, so clients must not write it.
    public var serialized: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(Self.recordVersion)
        bytes.append(securityLevel.rawValue)
        bytes.append(provisioning.rawValue)
        bytes += bigEndian(attestedAt.secondsSince1970)
        // The verifier rejects names of other lengths.
        bytes.append(UInt8(truncatingIfNeeded: packageNameUTF8.count))
        return bytes + packageNameUTF8 + publicKey.recorded
    }

    /// Restores a key from ``serialized``. The encoding is canonical: an accepted record serialises to the same bytes.
    public init(serialized: some Collection<UInt8>) throws(KeyAttestationError) {
        guard serialized.count <= Self.maximumRecordSize else { throw .malformedKeyRecord }
        var reader = ByteReader(ArraySlice(serialized))
        guard let version = reader.peek() else { throw .malformedKeyRecord }
        guard version == Self.recordVersion else { throw .unsupportedKeyRecord(version: version) }
        let level, kind: UInt8
        let time: UInt64
        let name: ArraySlice<UInt8>
        do {
            _ = try reader.readByte()
            level = try reader.readByte()
            kind = try reader.readByte()
            time = try reader.readBigEndian()
            name = try reader.readBytes(Int(reader.readByte()))
        } catch { throw .malformedKeyRecord }
        guard let level = SecurityLevel(rawValue: level), let kind = Provisioning(rawValue: kind), !name.isEmpty,
            let key = AndroidPublicKey(recorded: reader.remaining)
        else { throw .malformedKeyRecord }
        self.init(
            publicKey: key, packageNameUTF8: [UInt8](name), securityLevel: level, provisioning: kind,
            attestedAt: UnixTime(secondsSince1970: Int64(bitPattern: time)))
    }
}

#if !hasFeature(Embedded)
    extension AttestedAndroidKey {
        /// The package name of the app that made the key.
        public var packageName: String { String(decoding: packageNameUTF8, as: UTF8.self) }
    }
#endif
