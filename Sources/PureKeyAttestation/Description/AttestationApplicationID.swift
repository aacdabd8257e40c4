import PureDER

/// `AttestationApplicationId`: the operating system's list of the apps whose user ID owns the key.
public struct AttestationApplicationID: Hashable, Sendable {
    /// An app in the list.
    public struct Package: Hashable, Sendable {
        /// The package name: the contents of the OCTET STRING.
        public let name: ArraySlice<UInt8>
        /// The version code.
        public let version: Int64
    }

    /// The maximum number of packages, and of digests: 64. Usually, only a few packages share a user ID, all from one
    /// developer.
    public static var maximumEntryCount: Int { 64 }

    /// The apps.
    public let packages: [Package]
    /// The SHA-256 digests of the certificates that signed the apps.
    public let signatureDigests: [ArraySlice<UInt8>]

    /// Decodes the contents of the OCTET STRING in the member with tag 709.
    init(_ contents: ArraySlice<UInt8>) throws(DERError) {
        var outer = DERReader(contents)
        var reader = try outer.enter(.sequence)
        try outer.finish()
        // Deviation from X.690 §11.6: the elements of both sets may be in any order, because devices do not sort them.
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
