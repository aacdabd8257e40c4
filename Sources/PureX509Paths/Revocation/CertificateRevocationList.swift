public import PureDER
public import PureX509

/// A certificate revocation list (RFC 5280 §5), read completely. Reading checks neither the signature nor the dates.
///
/// Lists must have version 2 and a number, as §5.2.3 prescribes. Delta lists (§5.2.4), and indirect lists (§5.2.5,
/// `indirectCRL`), which cover certificates of other issuers, are read but never used.
///
/// This is a class for the same reason as `Certificate`.
public final class CertificateRevocationList: Sendable {
    /// The maximum length of the encoding: 67,108,864 bytes. Bounds memory; large public lists have tens of megabytes.
    public static var maximumEncodedSize: Int { 1 << 26 }

    /// The maximum number of distribution point names in one list or certificate: 64. Bounds their pairwise comparison,
    /// which precedes the verification of the list's signature.
    public static var maximumPointNameCount: Int { 64 }

    /// The encoding, exactly as read.
    public let derEncoded: ArraySlice<UInt8>
    /// `tbsCertList` with its header: the bytes that the signature covers.
    public let tbsCertList: ArraySlice<UInt8>
    /// The algorithm of ``signature``.
    public let signatureAlgorithm: SignatureAlgorithm
    /// The signature, not decoded.
    public let signature: ArraySlice<UInt8>
    /// The issuer's encoded name. Not empty.
    public let issuer: ArraySlice<UInt8>
    /// The time at which the list was issued.
    public let thisUpdate: UnixTime
    /// The latest time at which the next list is issued.
    public let nextUpdate: UnixTime
    /// The list's number, big-endian, as encoded.
    public let number: ArraySlice<UInt8>
    /// Whether the list may determine a status. False if a critical element is not processed, or if the list is a delta
    /// list, indirect, or only for attribute certificates (§5.2, §5.3).
    public let isUsable: Bool

    /// The certificates that the list covers.
    let scope: RevocationListScope
    /// The elements of revokedCertificates.
    private let entries: ArraySlice<UInt8>

    /// Reads exactly one list. Stores the bytes without copying them.
    public convenience init(derEncoded: ArraySlice<UInt8>) throws(PathError) {
        guard derEncoded.count <= Self.maximumEncodedSize else { throw .revocationListTooLarge }
        self.init(try wrapping { () throws(X509Error) in try RevocationListFields(derEncoded) })
    }

    /// Reads exactly one list from a copy of the bytes.
    public convenience init(derEncoded: some Collection<UInt8>) throws(PathError) {
        try self.init(derEncoded: ArraySlice(Array(derEncoded)))
    }

    /// Stores the fields. Does not throw, for the same reason as the private initialiser of `Certificate`.
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

    /// Whether `time` is from ``thisUpdate`` to ``nextUpdate``, both included.
    public func isCurrent(at time: UnixTime) -> Bool {
        thisUpdate <= time && time <= nextUpdate
    }

    /// Returns the entry of a serial number (the contents of its INTEGER), or `nil` if the list has none.
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

/// The fields after the serial number in an element of revokedCertificates (RFC 5280 §5.1.2.6, §5.3).
struct RevocationListEntry {
    /// The reason. The default is unspecified, which lists should omit (§5.3.1).
    private(set) var reason = RevocationReason.unspecified
    private(set) var isUsable = true

    init(afterSerialNumber reader: FieldReader) throws(X509Error) {
        var reader = reader
        _ = try reader.readTime()
        guard !reader.isAtEnd else { return }
        let extensions = try CertificateExtension.readAll(try reader.enter(.sequence))
        try reader.finish()
        for i in extensions.indices {
            if extensions[i].identifier == .reasonCode {
                reason = try RevocationReason(FieldReader(extensions[i].value, .revocationList))
            } else if extensions[i].isCritical {
                // §5.3: a critical extension that is not processed.
                isUsable = false
            }
        }
    }
}

extension ASN1ObjectIdentifier {
    /// id-ce-cRLReasons, 2.5.29.21.
    @inline(__always) fileprivate static var reasonCode: Self { Self(encodedAs: 0x55_1D_15) }
}
