/// An app whose keys are accepted: its package name and who signed it.
///
/// Where builds of one name are signed with different keys, each set of keys is an `AndroidApp` of its own.
public struct AndroidApp: Hashable, Sendable {
    /// The UTF-8 bytes of the package name, such as `com.example.app`.
    public let packageNameUTF8: [UInt8]
    /// The SHA-256 of every certificate that signs the app: the app's are these and no others.
    public let signingDigests: [[UInt8]]
    /// The first accepted version code; `nil`: any.
    public let minimumVersion: Int64?

    /// An app with the digests of all its signing certificates. With Play App Signing they are those of Google Play's key for the app:
    /// the console shows them.
    ///
    /// Of an app without digests no key is accepted: anybody can give an app of their own its name.
    public init(packageNameUTF8: [UInt8], signingDigests: [[UInt8]], minimumVersion: Int64? = nil) {
        self.packageNameUTF8 = packageNameUTF8
        self.signingDigests = signingDigests
        self.minimumVersion = minimumVersion
    }

    #if !hasFeature(Embedded)
        /// The same with the name as text.
        public init(packageName: String, signingDigests: [[UInt8]], minimumVersion: Int64? = nil) {
            self.init(
                packageNameUTF8: Array(packageName.utf8), signingDigests: signingDigests,
                minimumVersion: minimumVersion)
        }
    #endif

    /// Whether this is the app's name, byte by byte, and a version of it that is accepted.
    func isPackage(_ package: AttestationApplicationID.Package) -> Bool {
        packageNameUTF8.elementsEqual(package.name) && minimumVersion.map { package.version >= $0 } ?? true
    }

    /// Whether these are the app's digests, all of them, in any order.
    func isSigned(with digests: [ArraySlice<UInt8>]) -> Bool {
        !signingDigests.isEmpty
            && digests.allSatisfy { digest in signingDigests.contains { $0.elementsEqual(digest) } }
            && signingDigests.allSatisfy { digest in digests.contains { $0.elementsEqual(digest) } }
    }
}
