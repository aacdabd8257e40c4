public import PureDER
import PureX509

/// A certificate revocation list (RFC 5280 §5), read completely. Reading checks neither the signature nor the dates.
///
/// A list must have version 2 and a cRLNumber, as §5.2.3 prescribes. Delta lists (§5.2.4) can be read, but are never
/// used. The same applies to indirect lists (§5.2.5, `indirectCRL`), which cover certificates of other issuers.
///
/// This type is a class for the same reason as `Certificate`.
public final class CertificateRevocationList: Sendable {
    /// The maximum length of the encoding: 67,108,864 bytes, to bound memory. Large public lists have tens of MB.
    public static var maximumEncodedSize: Int { 1 << 26 }

    /// The maximum number of distribution point names in a list or certificate: 64. The limit bounds the time for
    /// comparing all pairs of names, because this comparison precedes the verification of the list's signature.
    public static var maximumPointNameCount: Int { 64 }

    let fields: RevocationListFields

    /// The encoding, exactly as read.
    public var derEncoded: ArraySlice<UInt8> { fields.derEncoded }
    /// The issuer's encoded name. Not empty.
    public var issuer: ArraySlice<UInt8> { fields.issuer }
    /// The time at which the list was issued.
    public var thisUpdate: UnixTime { fields.thisUpdate }
    /// The time by which the next list will be issued.
    public var nextUpdate: UnixTime { fields.nextUpdate }
    /// The cRLNumber, big-endian, as encoded.
    public var number: ArraySlice<UInt8> { fields.number }
    /// Whether the list may determine a certificate's status. False if the list or an entry has an unprocessed critical
    /// extension (§5.2, §5.3), and for delta lists, indirect lists, and lists that cover only attribute certificates.
    public var isUsable: Bool { fields.isUsable }

    /// Reads exactly one list. Stores the bytes without copying them.
    public convenience init(derEncoded: ArraySlice<UInt8>) throws(PathError) {
        guard derEncoded.count <= Self.maximumEncodedSize else { throw .revocationListTooLarge }
        self.init(try wrapping { () throws(X509Error) in try RevocationListFields(derEncoded) })
    }

    /// Reads exactly one list from a copy of the bytes.
    public convenience init(derEncoded: some Collection<UInt8>) throws(PathError) {
        try self.init(derEncoded: ArraySlice(Array(derEncoded)))
    }

    /// This initialiser must not throw, for the same reason as the private initialiser of `Certificate`.
    private init(_ fields: RevocationListFields) {
        self.fields = fields
    }

    /// Whether `time` is in the period from ``thisUpdate`` to ``nextUpdate``, which includes both limits.
    public func isCurrent(at time: UnixTime) -> Bool {
        thisUpdate <= time && time <= nextUpdate
    }

    /// Returns the entry for a serial number (the contents of the INTEGER), or `nil` if the list has no such entry.
    func entry(of serialNumber: ArraySlice<UInt8>) throws(X509Error) -> RevocationListEntry? {
        var reader = FieldReader(fields.entries, .revocationList)
        while !reader.isAtEnd {
            var entry = try reader.enter(.sequence)
            guard try entry.readInteger() == serialNumber else { continue }
            return try RevocationListEntry(afterSerialNumber: entry)
        }
        return nil
    }
}

/// An entry of revokedCertificates, without the serial number (RFC 5280 §5.1.2.6, §5.3).
struct RevocationListEntry {
    /// The reason for the revocation. If the entry has no reason code, the reason is `unspecified` (§5.3.1).
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
                // §5.3: this critical extension is not processed, so the list must not be used.
                isUsable = false
            }
        }
    }
}

extension ASN1ObjectIdentifier {
    /// id-ce-cRLReasons, 2.5.29.21.
    @inline(__always) fileprivate static var reasonCode: Self { Self(encodedAs: 0x55_1D_15) }
}
