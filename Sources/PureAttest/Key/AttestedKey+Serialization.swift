import PureBytes
import PureDER
import PureECDSA

// The fields of a version 2 record. They follow the first 111 bytes, which ``AttestedKey/serialized`` documents. A
// version 2 record has one or more fields, in ascending order of their numbers. Each field consists of its number (1
// byte), its length (1 byte) and its value.
//
//   field  value
//       1      8  attested at, seconds since 1970, big-endian, two's complement
//       2  1..32  platform, Apple's name
//       3      6  system version: major, minor, patch, big-endian
//       4  1..32  system build
//       5  1..32  kind of release
//       6    192  2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q of the public key Q, each x ‖ y: only checked to be on the curve
//
// Each key has exactly one encoding, so stores may compare records byte by byte. A record without fields has version 1.

extension AttestedKey {
    /// The maximum record length in bytes. Current records have up to 425 bytes. Later fields may use the rest.
    public static let maximumRecordSize = 1_024

    private enum Version {
        static var withoutFields: UInt8 { 1 }
        static var withFields: UInt8 { 2 }
    }

    /// The key as bytes to store, at most ``maximumRecordSize``.
    ///
    /// The record has version 1 if ``attestedAt`` and ``system`` are unknown and no precomputed multiples are stored.
    /// Otherwise the record has version 2 and contains further fields. Both versions begin with the same 111 bytes:
    ///
    /// - version (1 byte: 1 or 2)
    /// - environment (1 byte: 1 production, 2 development)
    /// - RP ID hash (32)
    /// - public key as 04 ‖ x ‖ y (65)
    /// - greatest counter value (4, big-endian)
    /// - used counter values (8, big-endian; bit i: greatest − i)
    ///
    /// Records are not authenticated, so store them where clients cannot write. If a MAC protects records, it must
    /// cover the whole record, including the fields. Otherwise an attacker could replace the multiples by other points,
    /// under which a forged signature is valid.
    public var serialized: [UInt8] {
        let fields = KeyRecordFields(attestedAt: attestedAt, system: system, multiples: multiples).encoded
        var bytes = [fields.isEmpty ? Version.withoutFields : Version.withFields, environment.rawValue]
        bytes += rpIDHash
        bytes += publicKeyX963
        bytes += bigEndian(counterState.greatest)
        bytes += bigEndian(counterState.used)
        bytes += fields
        return bytes
    }

    /// Restores a key from ``serialized``, in either version. Serializing the restored key gives the same bytes again.
    ///
    /// - Throws: ``PureAttestError/unsupportedKeyRecord(version:)``, ``PureAttestError/malformedKeyRecord``,
    ///   ``PureAttestError/unknownKeyRecordField(_:)``, ``PureAttestError/invalidPublicKey(_:)``.
    public init(serialized: some Collection<UInt8>) throws(PureAttestError) {
        guard serialized.count <= AttestedKey.maximumRecordSize else { throw .malformedKeyRecord }
        var reader = ByteReader(ArraySlice(serialized))
        guard let version = reader.peek() else { throw .malformedKeyRecord }
        guard version == Version.withoutFields || version == Version.withFields else {
            throw .unsupportedKeyRecord(version: version)
        }
        let environment: UInt8
        let rpIDHash, x963: ArraySlice<UInt8>
        let greatest: UInt32
        let used: UInt64
        do {
            _ = try reader.readByte()
            environment = try reader.readByte()
            rpIDHash = try reader.readBytes(32)
            x963 = try reader.readBytes(65)
            greatest = try reader.readBigEndian()
            used = try reader.readBigEndian()
        } catch { throw .malformedKeyRecord }
        guard reader.isAtEnd == (version == Version.withoutFields),
            let environment = Environment(rawValue: environment),
            let counterState = CounterState(greatest: greatest, used: used)
        else { throw .malformedKeyRecord }
        let publicKey: P256.Signing.PublicKey
        do { publicKey = try P256.Signing.PublicKey(x963Representation: x963) } catch { throw .invalidPublicKey(error) }
        let fields = try KeyRecordFields(of: publicKey, decoding: reader)
        self.init(
            publicKey: publicKey, keyDigest: Self.digest(of: publicKey), environment: environment,
            rpIDHash: [UInt8](rpIDHash), counterState: counterState, attestedAt: fields.attestedAt,
            system: fields.system, multiples: fields.multiples)
    }
}

private struct KeyRecordFields {
    var attestedAt: UnixTime?
    var system: SystemInformation
    var multiples: P256.Signing.PublicKeyMultiples?

    private enum Number: UInt8 {
        case attestedAt = 1
        case platform, systemVersion, build, releaseType, multiples
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: Number, _ value: [UInt8]?) {
            guard let value else { return }
            // Every length fits in one byte, because the longest value is the multiples, 192 bytes.
            bytes.append(number.rawValue)
            bytes.append(UInt8(value.count))
            bytes += value
        }
        append(.attestedAt, attestedAt.map { bigEndian($0.secondsSince1970) })
        append(.platform, system.platform?.ascii)
        append(
            .systemVersion, system.version.map { bigEndian($0.major) + bigEndian($0.minor) + bigEndian($0.patch) })
        append(.build, system.build?.ascii)
        append(.releaseType, system.releaseTypeASCII)
        append(.multiples, multiples?.rawRepresentation)
        return bytes
    }
}

extension KeyRecordFields {
    /// Rule A11: reads all fields of the record, which must be in ascending order, each at most once.
    init(of publicKey: P256.Signing.PublicKey, decoding rest: ByteReader) throws(PureAttestError) {
        var rest = rest
        var last: UInt8 = 0
        var platform: SystemPlatform?
        var version: SystemVersion?
        var build: SystemBuild?
        var releaseType: [UInt8]?
        while !rest.isAtEnd {
            let number: UInt8
            let value: ArraySlice<UInt8>
            do {
                number = try rest.readByte()
                value = try rest.readBytes(Int(rest.readByte()))
            } catch { throw .malformedKeyRecord }
            guard number > last else { throw .malformedKeyRecord }
            last = number
            let isWellFormed: Bool
            switch Number(rawValue: number) {
            case .attestedAt:
                var reader = ByteReader(value)
                let seconds: UInt64? = try? reader.readBigEndian()
                attestedAt = seconds.map { UnixTime(secondsSince1970: Int64(bitPattern: $0)) }
                isWellFormed = seconds != nil && reader.isAtEnd
            case .platform:
                platform = SystemPlatform(ascii: value)
                isWellFormed = platform != nil
            case .systemVersion:
                var reader = ByteReader(value)
                version = try? SystemVersion(reader.readBigEndian(), reader.readBigEndian(), reader.readBigEndian())
                isWellFormed = version != nil && reader.isAtEnd
            case .build:
                build = SystemBuild(ascii: value)
                isWellFormed = build != nil
            case .releaseType:
                releaseType = SystemInformation.text(value)
                isWellFormed = releaseType != nil
            case .multiples:
                do {
                    multiples = try P256.Signing.PublicKeyMultiples(publicKey, rawRepresentation: value)
                    isWellFormed = true
                } catch { isWellFormed = false }
            case nil: throw .unknownKeyRecordField(number)
            }
            guard isWellFormed else { throw .malformedKeyRecord }
        }
        system = SystemInformation(
            platform: platform, version: version, build: build, releaseTypeASCII: releaseType)
    }
}
