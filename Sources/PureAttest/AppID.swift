import PureSHA2

/// An app whose keys are accepted.
///
/// The App ID is "prefix.bundleID". Every attestation and assertion contains the SHA-256 of the App ID. The prefix is
/// the team ID for every app created since 2011. Older apps may have a different prefix, which the developer account
/// shows as "App ID Prefix". For an App Clip, pass the full app's App ID.
public struct AppID: Hashable, Sendable {
    /// The platform of an app. Platforms with the same verification rules share one case.
    ///
    /// An app for both platforms (universal purchase) needs two declarations. The platform in the key's certificate
    /// selects the declaration that applies.
    public enum Platform: UInt8, Hashable, Sendable {
        /// iOS, iPadOS, tvOS, watchOS, visionOS.
        case device
        /// macOS. A Mac can attest even if System Integrity Protection is off. Therefore, the leaf certificate's access
        /// control list must equal the value that Apple documents.
        ///
        /// A development build of a Mac app attests in the production environment and reports validation category 3.
        case macOS
    }

    /// The App ID's UTF-8 bytes: the prefix, ".", and the bundle ID (on macOS, the signing identifier).
    public let bytes: [UInt8]
    /// The app's platform.
    public let platform: Platform
    let digest: SHA256Digest

    /// The RP ID hash in authenticator data: SHA-256 of ``bytes``, 32 bytes.
    public var rpIDHash: [UInt8] { [UInt8](digest) }

    /// Creates an app from the UTF-8 bytes of its whole App ID. The bytes are hashed without checks or normalization.
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

        /// Creates an app whose App ID prefix differs from its team ID.
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
