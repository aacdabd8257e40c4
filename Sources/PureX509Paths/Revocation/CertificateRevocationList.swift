public import PureDER
public import PureX509

/// A certificate revocation list (RFC 5280 §5): read completely, and neither verified nor known to be of a time.
///
/// Lists of version 2 with a number, as §5.2.3 prescribes. Lists of changes (§5.2.4) and lists of other issuers' certificates
/// (§5.2.5, `indirectCRL`) are read but never used.
///
/// A class for the reason that `Certificate` is one.
public final class CertificateRevocationList: Sendable {
    /// The longest encoding that is read: 67,108,864 bytes. A bound for memory; the largest public lists have tens of megabytes.
    public static var maximumEncodedSize: Int { 1 << 26 }

    /// The most names of distribution points, of one list and of one certificate: 64. It bounds the comparison of each with each,
    /// which comes before the list's signature is verified.
    public static var maximumPointNameCount: Int { 64 }

    /// The encoding: exactly what was read.
    public let derEncoded: ArraySlice<UInt8>
    /// `tbsCertList` with its header: what the signature covers.
    public let tbsCertList: ArraySlice<UInt8>
    /// How the list is signed.
    public let signatureAlgorithm: SignatureAlgorithm
    /// The signature, which has not been read.
    public let signature: ArraySlice<UInt8>
    /// The encoded name of the issuer. Not empty.
    public let issuer: ArraySlice<UInt8>
    /// When the list was issued.
    public let thisUpdate: UnixTime
    /// When the next one is issued at the latest.
    public let nextUpdate: UnixTime
    /// The number of the list, big-endian, as in the encoding.
    public let number: ArraySlice<UInt8>
    /// Whether something critical in it is not processed, so that it says nothing of any certificate (§5.2, §5.3).
    public let isUsable: Bool

    /// Which certificates it is about.
    let scope: RevocationListScope
    /// The elements of revokedCertificates.
    private let entries: ArraySlice<UInt8>

    /// Reads exactly one list. The bytes are kept, not copied.
    public convenience init(derEncoded: ArraySlice<UInt8>) throws(PathError) {
        guard derEncoded.count <= Self.maximumEncodedSize else { throw .revocationListTooLarge }
        self.init(try wrapping { () throws(X509Error) in try RevocationListFields(derEncoded) })
    }

    /// Reads exactly one list, from a copy of the bytes.
    public convenience init(derEncoded: some Collection<UInt8>) throws(PathError) {
        try self.init(derEncoded: ArraySlice(Array(derEncoded)))
    }

    /// It does not throw, as `Certificate`'s does not.
    private init(_ fields: RevocationListFields) {
        derEncoded = fields.derEncoded
        tbsCertList = fields.tbsCertList
        signatureAlgorithm = fields.signatureAlgorithm
        signature = fields.signature
        issuer = fields.issuer
        thisUpdate = fields.thisUpdate
        nextUpdate = fields.nextUpdate
        number = fields.number
        isUsable = fields.isUsable
        scope = fields.scope
        entries = fields.entries
    }

    /// Whether the list is one for `time`: both ends count.
    public func isCurrent(at time: UnixTime) -> Bool {
        thisUpdate <= time && time <= nextUpdate
    }

    /// The entry of a serial number, the contents of its INTEGER; `nil` if there is none.
    func entry(of serialNumber: ArraySlice<UInt8>) throws(X509Error) -> RevocationListEntry? {
        var reader = FieldReader(entries, .revocationList)
        while !reader.isAtEnd {
            var entry = try reader.enter(.sequence)
            guard try entry.readInteger() == serialNumber else { continue }
            return try RevocationListEntry(afterSerialNumber: entry)
        }
        return nil
    }
}

/// What follows the serial number in an element of revokedCertificates (RFC 5280 §5.1.2.6, §5.3).
struct RevocationListEntry {
    /// The reason; if none is named, unspecified, which §5.3.1 has lists leave out.
    private(set) var reason = RevocationReason.unspecified
    /// Whether all critical extensions are processed.
    private(set) var isUsable = true

    init(afterSerialNumber reader: FieldReader) throws(X509Error) {
        var reader = reader
        _ = try reader.readTime()
        guard !reader.isAtEnd else { return }
        let extensions = try CertificateExtension.readAll(try reader.enter(.sequence))
        try reader.finish()
        for i in extensions.indices {
            if extensions[i].identifier == .reasonCode {
                // §5.3.1
                var value = FieldReader(extensions[i].value, .revocationList)
                let number = try value.readInt64(.enumerated)
                try value.finish()
                guard let code = UInt8(exactly: number), let reason = RevocationReason(rawValue: code) else {
                    throw .invalidValue(.revocationList)
                }
                self.reason = reason
            } else if extensions[i].isCritical {
                // §5.3: a critical extension that is not processed.
                isUsable = false
            }
        }
    }
}

extension DERTag {
    fileprivate static var enumerated: DERTag { DERTag(.universal, 10, constructed: false) }
}

extension ASN1ObjectIdentifier {
    /// id-ce-cRLReasons, 2.5.29.21.
    @inline(__always) fileprivate static var reasonCode: Self { Self(encodedAs: 0x55_1D_15) }
}
