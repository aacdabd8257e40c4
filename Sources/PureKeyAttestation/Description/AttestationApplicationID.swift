import PureDER

/// `AttestationApplicationId`: the apps that share the user ID which made the key, as the system knows them.
public struct AttestationApplicationID: Hashable, Sendable {
    /// One app.
    public struct Package: Hashable, Sendable {
        /// Its name: what is in the OCTET STRING.
        public let name: ArraySlice<UInt8>
        /// Its version code.
        public let version: Int64
    }

    /// The most packages, and the most digests, that are read: 64. Packages that share a user ID are a maker's own few.
    public static var maximumEntryCount: Int { 64 }

    /// The apps.
    public let packages: [Package]
    /// The SHA-256 of each certificate that signed them.
    public let signatureDigests: [ArraySlice<UInt8>]

    /// Reads what the OCTET STRING of tag 709 holds.
    init(_ contents: ArraySlice<UInt8>) throws(DERError) {
        var outer = DERReader(contents)
        var reader = try outer.enter(.sequence)
        try outer.finish()
        // Deviation from X.690 §11.6: devices write both sets in any order.
        var packageReader = try reader.enter(.set)
        var packages: [Package] = []
        while !packageReader.isAtEnd {
            guard packages.count < Self.maximumEntryCount else { throw .lengthTooLarge }
            var package = try packageReader.enter(.sequence)
            packages.append(Package(name: try package.readOctetString(), version: try package.readInt64()))
            try package.finish()
        }
        var digestReader = try reader.enter(.set)
        var digests: [ArraySlice<UInt8>] = []
        while !digestReader.isAtEnd {
            guard digests.count < Self.maximumEntryCount else { throw .lengthTooLarge }
            digests.append(try digestReader.readOctetString())
        }
        try reader.finish()
        (self.packages, signatureDigests) = (packages, digests)
    }
}
