/// An accepted app: its package name and its signing certificates. If builds with the same package name are signed with
/// different keys, declare an `AndroidApp` for each set of keys.
public struct AndroidApp: Hashable, Sendable {
    /// The UTF-8 bytes of the package name, such as `com.example.app`.
    public let packageNameUTF8: [UInt8]
    /// The SHA-256 digests of all certificates that sign the app. Attestations must contain the same set of digests.
    public let signingDigests: [[UInt8]]
    /// The minimum version code, or `nil` to accept any version.
    public let minimumVersion: Int64?

    /// Creates a declaration from the digests of all the app's signing certificates.
    ///
    /// With Play App Signing, pass the digest of the certificate with which Google Play signs the app. The Play Console
    /// shows this digest. An empty list rejects every key of the app, because anyone can build an app with this package
    /// name.
    public init(packageNameUTF8: [UInt8], signingDigests: [[UInt8]], minimumVersion: Int64? = nil) {
        self.packageNameUTF8 = packageNameUTF8
        self.signingDigests = signingDigests
        self.minimumVersion = minimumVersion
    }

    #if !hasFeature(Embedded)
        /// Creates a declaration from the package name as text.
        public init(packageName: String, signingDigests: [[UInt8]], minimumVersion: Int64? = nil) {
            self.init(
                packageNameUTF8: Array(packageName.utf8), signingDigests: signingDigests,
                minimumVersion: minimumVersion)
        }
    #endif

    /// Whether this declaration accepts the package: the names are equal byte by byte, and the version is not too low.
    func isPackage(_ package: AttestationApplicationID.Package) -> Bool {
        packageNameUTF8.elementsEqual(package.name) && minimumVersion.map { package.version >= $0 } ?? true
    }

    func isSigned(with digests: [ArraySlice<UInt8>]) -> Bool {
        !signingDigests.isEmpty
            && digests.allSatisfy { digest in signingDigests.contains { $0.elementsEqual(digest) } }
            && signingDigests.allSatisfy { digest in digests.contains { $0.elementsEqual(digest) } }
    }
}
