import PureBytes
@_exported public import struct PureDER.UnixTime
import PureECDSA
import PureSHA2

/// An attested key, with the attested properties that are needed to check later requests. The server stores this value.
public struct AttestedAndroidKey: Hashable, Sendable {
    /// The attested public key.
    public let publicKey: AndroidPublicKey
    /// The UTF-8 package name of the app that generated the key. If several apps share a user ID, they share the key.
    /// The name is then the first in the attestation.
    public let packageNameUTF8: [UInt8]
    /// The lower of the two security levels in the key description.
    public let securityLevel: SecurityLevel
    /// How the attestation key came to the device.
    public let provisioning: Provisioning
    /// The time at which the server verified the attestation.
    public let attestedAt: UnixTime

    /// The key identifier: the SHA-256 hash of the key's DER SubjectPublicKeyInfo, 32 bytes.
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
    /// The maximum length of a record: 1024 bytes. The longest name with the longest key needs 790 bytes.
    public static var maximumRecordSize: Int { 1024 }
    /// The maximum length of a package name: 255 bytes, because the record stores the length in one byte. Google Play
    /// limits package names to 150 characters.
    public static var maximumPackageNameSize: Int { 255 }

    /// Creates a P-256 key from 04 ‖ x ‖ y, or `nil` if the point is invalid. Does not check the other properties.
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

    /// The record to store, at most ``maximumRecordSize`` bytes long. The record is not authenticated, so clients must
    /// not be able to change it.
    public var serialized: [UInt8] {
        var bytes = [Self.recordVersion, securityLevel.rawValue, provisioning.rawValue]
        bytes += bigEndian(attestedAt.secondsSince1970)
        // The length fits into one byte, because the verifier rejects longer names.
        bytes.append(UInt8(truncatingIfNeeded: packageNameUTF8.count))
        return bytes + packageNameUTF8 + publicKey.recorded
    }

    /// Restores a key from ``serialized``. The encoding is canonical: serialising the key returns the same bytes.
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
        /// The package name of the app that generated the key.
        public var packageName: String { String(decoding: packageNameUTF8, as: UTF8.self) }
    }
#endif
