import PureBytes
@_exported public import struct PureDER.UnixTime
import PureECDSA
import PureSHA2

/// A key that was attested, with what of it later requests are judged by: what a server stores.
public struct AttestedAndroidKey: Hashable, Sendable {
    /// The key.
    public let publicKey: AndroidPublicKey
    /// The UTF-8 bytes of the name of the app that made it; of apps that share a user ID, and with it the key, the first that was named.
    public let packageNameUTF8: [UInt8]
    /// Where it is kept: the lower of the two levels of its description.
    public let securityLevel: SecurityLevel
    /// How the key that attested it came to the device.
    public let provisioning: Provisioning
    /// When it was attested, by the server's clock.
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
//       12         the package name; then up to the end the key: its kind (1 P-256, 2 P-384, 3 RSA), and 04 ‖ x ‖ y, or the exponent in
//                  eight bytes, the length of the modulus in two, and the modulus, all big-endian

extension AttestedAndroidKey {
    /// The longest record in bytes, 1024: of the longest name and the longest key 790 are used.
    public static var maximumRecordSize: Int { 1024 }
    /// The longest package name in bytes: its length is one of the record's bytes. Google Play takes up to 150 characters.
    public static var maximumPackageNameSize: Int { 255 }

    /// A key of P-256 that nothing attests, from its point 04 ‖ x ‖ y: what the caller passes is trusted. `nil` if that is no point.
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

    /// The key as bytes to store, at most ``maximumRecordSize``. Not authenticated: keep it where clients can't write.
    public var serialized: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(Self.recordVersion)
        bytes.append(securityLevel.rawValue)
        bytes.append(provisioning.rawValue)
        bytes.append(bigEndian: UInt64(bitPattern: attestedAt.secondsSince1970))
        // A name of another length was refused where the key was made.
        bytes.append(UInt8(truncatingIfNeeded: packageNameUTF8.count))
        return bytes + packageNameUTF8 + publicKey.recorded
    }

    /// Restores what ``serialized`` wrote. Each value has one encoding: whatever is accepted serialises to the same bytes.
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
        /// The name of the app that made the key.
        public var packageName: String { String(decoding: packageNameUTF8, as: UTF8.self) }
    }
#endif
