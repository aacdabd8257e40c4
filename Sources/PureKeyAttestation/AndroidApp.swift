/// An accepted app: its package name and its signing certificates. If builds with one package name are signed with
/// different keys, declare one `AndroidApp` for each set of keys.
public struct AndroidApp: Hashable, Sendable {
    /// The UTF-8 bytes of the package name, such as `com.example.app`.
    public let packageNameUTF8: [UInt8]
    /// The SHA-256 digests of all certificates that sign the app. The attestation must contain exactly these, in any order.
    public let signingDigests: [[UInt8]]
    /// The lowest accepted version code, or `nil` to accept any.
    public let minimumVersion: Int64?

    /// Creates a declaration from the digests of all the app's signing certificates.
    ///
    /// With Play App Signing, use the digests of Google Play's key for the app, which the console shows. An empty list
    /// rejects every key of the app, because anyone can build an app with this package name.
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

    /// Whether name (byte by byte) and version are accepted.
    func isPackage(_ package: AttestationApplicationID.Package) -> Bool {
        packageNameUTF8.elementsEqual(package.name) && minimumVersion.map { package.version >= $0 } ?? true
    }

    func isSigned(with digests: [ArraySlice<UInt8>]) -> Bool {
        !signingDigests.isEmpty
            && digests.allSatisfy { digest in signingDigests.contains { $0.elementsEqual(digest) } }
            && signingDigests.allSatisfy { digest in digests.contains { $0.elementsEqual(digest) } }
    }
}
