import PureSHA2

/// An app whose keys are accepted.
///
/// Apple hashes "prefix.bundleID" into every object. The prefix is the team ID for every app created since 2011. Older
/// apps may have another prefix, shown as "App ID Prefix" in the developer account. For an App Clip, pass the full
/// app's App ID.
public struct AppID: Hashable, Sendable {
    /// The platform of an app. Only platforms that are verified differently are distinguished.
    ///
    /// Declare an app for both platforms (universal purchase) twice. The key's certificate selects the declaration.
    public enum Platform: UInt8, Hashable, Sendable {
        /// iOS, iPadOS, tvOS, watchOS, visionOS.
        case device
        /// macOS. The leaf certificate's access control list must equal the value that Apple documents, because a Mac
        /// with System Integrity Protection off can attest too.
        ///
        /// A Mac app signed for development attests in the production environment, with category 3.
        case macOS
    }

    /// The App ID's UTF-8 bytes: prefix, ".", bundle ID (on macOS, the signing identifier).
    public let bytes: [UInt8]
    /// The app's platform.
    public let platform: Platform
    let digest: SHA256Digest

    /// SHA-256 of ``bytes``, 32 bytes: the RP ID hash in authenticator data.
    public var rpIDHash: [UInt8] { [UInt8](digest) }

    /// Creates an app from the UTF-8 bytes of its whole App ID, which are hashed without checks or normalization.
    public init(bytes: some Collection<UInt8>, platform: Platform = .device) {
        self.bytes = [UInt8](bytes)
        self.platform = platform
        digest = SHA256.hash(data: self.bytes)
    }
}

#if !hasFeature(Embedded)
    extension AppID {
        /// Creates an app from its team ID and bundle ID, such as "A1B2C3D4E5" and "com.example.app".
        public init(teamID: String, bundleID: String) {
            self.init(prefix: teamID, bundleID: bundleID)
        }

        /// Creates an app whose App ID prefix is not its team's ID.
        public init(prefix: String, bundleID: String) {
            self.init(bytes: "\(prefix).\(bundleID)".utf8)
        }

        /// Creates a macOS app from its team ID and code signing identifier.
        public init(teamID: String, macOSSigningIdentifier identifier: String) {
            self.init(bytes: "\(teamID).\(identifier)".utf8, platform: .macOS)
        }
    }

    extension AppID: CustomStringConvertible {
        /// The App ID as text.
        public var description: String { String(decoding: bytes, as: UTF8.self) }
    }
#endif
