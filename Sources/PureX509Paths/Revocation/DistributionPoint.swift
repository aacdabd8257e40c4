import PureDER
import PureX509

/// `DistributionPoint` of cRLDistributionPoints (RFC 5280 §4.2.1.13).
struct DistributionPoint {
    let names: DistributionPointNames?
    let reasons: ReasonFlags
    /// Whether the distribution point names an issuer of its lists (`cRLIssuer`), as for indirect lists.
    let hasIssuer: Bool

    /// Creates an implicit distribution point, for the issuer's lists that no distribution point names (§6.3.3).
    init(issuer: ArraySlice<UInt8>) throws(X509Error) {
        names = DistributionPointNames(directory: try comparableBytes(issuer))
        reasons = .all
        hasIssuer = false
    }

    private init(_ reader: FieldReader, issuer: ArraySlice<UInt8>) throws(X509Error) {
        var reader = reader
        try reader.requireElement()
        names = try reader.readIfPresent(.context(0)).map { (name) throws(X509Error) in
            try DistributionPointNames(name, issuer: issuer, reader.field)
        }
        reasons = try reader.peekTag() == .contextPrimitive(1) ? try ReasonFlags(&reader, 1) : .all
        if let issuers = try reader.readIfPresent(.context(2)) {
            try GeneralName.readAll(FieldReader(issuers, reader.field))
            hasIssuer = true
        } else {
            hasIssuer = false
        }
        try reader.finish()
    }

    static func all(of certificate: Certificate) throws(X509Error) -> [DistributionPoint] {
        var points: [DistributionPoint] = []
        guard let value = certificate.extension(.cRLDistributionPoints)?.value else { return points }
        var reader = try FieldReader.entering(.sequence, of: value, .cRLDistributionPoints)
        try reader.requireElement()
        while !reader.isAtEnd {
            points.append(try DistributionPoint(try reader.enter(.sequence), issuer: certificate.issuer))
            guard points.reduce(0, { $0 + ($1.names?.count ?? 1) }) <= CertificateRevocationList.maximumPointNameCount
            else {
                throw .invalidValue(.cRLDistributionPoints)
            }
        }
        return points
    }
}

/// `DistributionPointName` (RFC 5280 §4.2.1.13): the names of a place at which lists are published.
struct DistributionPointNames {
    /// Directory names, in the canonical form of `comparableBytes(_:)`.
    private var directories: [ArraySlice<UInt8>] = []
    /// Other names, as encoded.
    private var others: [ArraySlice<UInt8>] = []

    init(directory: ArraySlice<UInt8>) {
        directories = [directory]
    }

    /// Reads `fullName` or `nameRelativeToCRLIssuer` inside the explicit tag. Appends `nameRelativeToCRLIssuer` to
    /// `issuer`.
    init(_ contents: ArraySlice<UInt8>, issuer: ArraySlice<UInt8>, _ field: CertificateField) throws(X509Error) {
        var reader = FieldReader(contents, field)
        if var list = try reader.readIfPresent(.context(0)).map({ FieldReader($0, field) }) {
            try reader.finish()
            try GeneralName.readAll(list)
            while !list.isAtEnd {
                guard count < CertificateRevocationList.maximumPointNameCount else { throw .invalidValue(field) }
                let name = try list.readElement()
                if name.tag == .context(4) {
                    directories.append(try comparableBytes(name.content))
                } else {
                    others.append(name.encoded)
                }
            }
            return
        }
        let relativeName = try reader.read(.context(1))
        try reader.finish()
        var name = try ComparableName(issuer, field)
        try name.append(relativeName: relativeName, field)
        directories.append(name.encoded[...])
    }

    var count: Int { directories.count + others.count }

    /// Whether the two sets have a name in common (§6.3.3 (b)(2)(i)).
    func intersects(_ other: DistributionPointNames) -> Bool {
        directories.contains { other.directories.contains($0) } || others.contains { other.others.contains($0) }
    }
}
