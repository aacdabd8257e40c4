import PureDER
import PureX509

/// `CertificateList` (RFC 5280 §5.1), split into its fields. Every entry is checked.
struct RevocationListFields {
    let derEncoded: ArraySlice<UInt8>
    /// The encoded `tbsCertList`, including the header. The signature covers these bytes.
    let tbsCertList: ArraySlice<UInt8>
    /// The algorithm of ``signature``.
    let signatureAlgorithm: SignatureAlgorithm
    /// The signature, not decoded.
    let signature: ArraySlice<UInt8>
    let issuer: ArraySlice<UInt8>
    let thisUpdate: UnixTime
    let nextUpdate: UnixTime
    let number: ArraySlice<UInt8>
    let isUsable: Bool
    let scope: RevocationListScope
    /// The elements of revokedCertificates.
    let entries: ArraySlice<UInt8>

    init(_ derEncoded: ArraySlice<UInt8>) throws(X509Error) {
        self.derEncoded = derEncoded
        var outer = try FieldReader.entering(.sequence, of: derEncoded, .revocationList)
        tbsCertList = try outer.readElement(.sequence).encoded
        let algorithm = try outer.read(.sequence)
        signature = try outer.readOctets()
        try outer.finish()

        var reader = try FieldReader.entering(.sequence, of: tbsCertList, .revocationList)
        // §5.1.2.1: the version must be 2, because extensions are present.
        guard try reader.readInt64() == 1 else { throw .unknownVersion }
        // §5.1.1.2: as in certificates, both algorithm identifiers must be the same.
        guard try reader.read(.sequence) == algorithm else { throw .signatureAlgorithmMismatch }
        signatureAlgorithm = try SignatureAlgorithm(algorithm)
        issuer = try reader.readElement(.sequence).encoded
        try DistinguishedName.read(issuer, .revocationList)
        // §5.1.2.3: the issuer must not be empty. §5.1.2.5: nextUpdate must be present.
        guard issuer.count > Certificate.emptyNameSize else { throw .emptyList(.revocationList) }
        thisUpdate = try reader.readTime()
        nextUpdate = try reader.readTime()
        var isUsable = true
        if let list = try reader.readIfPresent(.sequence) {
            entries = list
            var entryReader = FieldReader(list, .revocationList)
            // §5.1.2.6: revokedCertificates must not be an empty list.
            try entryReader.requireElement()
            while !entryReader.isAtEnd {
                var entry = try entryReader.enter(.sequence)
                _ = try entry.readInteger()
                isUsable = try RevocationListEntry(afterSerialNumber: entry).isUsable && isUsable
            }
        } else {
            entries = []
        }
        var wrapped = FieldReader(try reader.read(.context(0)), .revocationList)
        try reader.finish()
        let extensions = try CertificateExtension.readAll(try wrapped.enter(.sequence))
        try wrapped.finish()

        var number: ArraySlice<UInt8>?
        var scope = RevocationListScope()
        for i in extensions.indices {
            let isCritical = extensions[i].isCritical
            switch extensions[i].identifier {
            case .cRLNumber:
                // §5.2.3: cRLNumber must not be critical.
                guard !isCritical else { throw .invalidValue(.revocationList) }
                var value = FieldReader(extensions[i].value, .revocationList)
                number = try value.readInteger()
                try value.finish()
            case .issuingDistributionPoint:
                scope = try RevocationListScope(extensions[i].value, issuer: issuer)
            case .deltaCRLIndicator:
                // §5.2.4: this extension marks a delta list, and must be critical. If the extension is noncritical, the
                // list is not a full list either.
                isUsable = false
            case .authorityKeyIdentifier: _ = try AuthorityKeyIdentifier(extensions[i].value)
            // §5.2: this extension is not processed. If it is critical, the list must not be used.
            default: if isCritical { isUsable = false }
            }
        }
        // §5.2.3: every list must have a cRLNumber.
        guard let number else { throw .invalidValue(.revocationList) }
        self.number = number
        self.scope = scope
        self.isUsable = isUsable && !scope.isIndirect && !scope.hasOnlyAttributeCertificates
    }
}

/// The scope of a list: issuingDistributionPoint (RFC 5280 §5.2.5), or all certificates of the issuer if absent.
struct RevocationListScope {
    private(set) var names: DistributionPointNames?
    private(set) var hasOnlyUserCertificates = false
    private(set) var hasOnlyAuthorityCertificates = false
    private(set) var reasons = ReasonFlags.all
    private(set) var isIndirect = false
    private(set) var hasOnlyAttributeCertificates = false

    init() {}

    init(_ value: ArraySlice<UInt8>, issuer: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: value, .revocationList)
        // §5.2.5: the sequence must not be empty.
        try reader.requireElement()
        names = try reader.readIfPresent(.context(0)).map { (name) throws(X509Error) in
            try DistributionPointNames(name, issuer: issuer, .revocationList)
        }
        hasOnlyUserCertificates = try reader.readFlag(1)
        hasOnlyAuthorityCertificates = try reader.readFlag(2)
        if try reader.peekTag() == .contextPrimitive(3) { reasons = try ReasonFlags(&reader, 3) }
        isIndirect = try reader.readFlag(4)
        hasOnlyAttributeCertificates = try reader.readFlag(5)
        try reader.finish()
    }
}

extension FieldReader {
    /// Reads `[number] IMPLICIT BOOLEAN DEFAULT FALSE`. If present, the value must be TRUE (X.690 §11.1, §11.5).
    fileprivate mutating func readFlag(_ number: UInt32) throws(X509Error) -> Bool {
        guard let octets = try readIfPresent(.contextPrimitive(number)) else { return false }
        guard octets.elementsEqual([0xFF]) else { throw .invalidValue(field) }
        return true
    }
}

extension ASN1ObjectIdentifier {
    /// id-ce-cRLNumber, 2.5.29.20.
    @inline(__always) fileprivate static var cRLNumber: Self { Self(encodedAs: 0x55_1D_14) }
    /// id-ce-deltaCRLIndicator, 2.5.29.27.
    @inline(__always) fileprivate static var deltaCRLIndicator: Self { Self(encodedAs: 0x55_1D_1B) }
    /// id-ce-issuingDistributionPoint, 2.5.29.28.
    @inline(__always) fileprivate static var issuingDistributionPoint: Self { Self(encodedAs: 0x55_1D_1C) }
}
