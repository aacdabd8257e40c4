import PureAttest
import PureKeyAttestation
import PureBytes
import PureSHA2

/// The audience of session tokens (`aud` of RFC 7519 §4.1.3). Relying parties may share a secret, so each relying party
/// must check the audience (RFC 8725 §3.9).
///
/// - Apple: the SHA-256 of the signing app's App ID. The environment is a separate claim of the token. Every relying
///   party that accepts the app in this environment accepts the session.
/// - Android: a hash of the package name, the accepted signers and the environment.
/// - Unattested: a hash of the relying party's environment and the set of its accepted apps. A client of this tier does
///   not prove which app it is, so the hash covers all of them.
package struct SessionAudience: Sendable {
    private let apps: [[UInt8]]
    private let environment: Environment
    private let androidApps: [(package: [UInt8], audience: [UInt8])]
    /// The audience of tokens of the unattested tier, 32 bytes.
    let service: [UInt8]

    init(apps: [AppID], environment: Environment, android: [AndroidApp]? = nil) {
        self.apps = apps.map { $0.rpIDHash }
        self.environment = environment
        // The parts are sorted, so that the order of the apps has no effect. Each part has a fixed length, so different
        // sets have different encodings.
        var service = ascii("PureAttest unattested audience") + [environment.rawValue] + Self.inOrder(self.apps)
        // Nothing is appended if `android` is `nil`, so that tokens of package versions without Android support stay
        // valid.
        if let android {
            service += ascii("Android") + Self.inOrder(android.map { Self.digest(ofPackage: $0.packageNameUTF8) })
        }
        self.service = [UInt8](SHA256.hash(data: service))
        let android = android ?? []
        androidApps = android.map { app in
            let builds = android.filter { $0.packageNameUTF8 == app.packageNameUTF8 }
            return (app.packageNameUTF8, Self.audience(ofPackage: app.packageNameUTF8, builds, environment))
        }
    }

    func includes(app rpIDHash: [UInt8]) -> Bool { apps.contains(rpIDHash) }

    func includes(androidApp audience: [UInt8]) -> Bool { androidApps.contains { $0.audience == audience } }

    /// Returns the audience of an Android app's sessions, 32 bytes. An app that is not accepted gets an audience that
    /// no relying party accepts.
    func audience(ofPackage name: [UInt8]) -> [UInt8] {
        androidApps.first { $0.package == name }?.audience ?? Self.audience(ofPackage: name, [], environment)
    }

    /// Hashes the package name with the signers of all accepted builds of this name, because anybody can give an app
    /// any name. Also hashes the environment, because Android keys have no environment.
    private static func audience(
        ofPackage name: [UInt8], _ apps: [AndroidApp], _ environment: Environment
    ) -> [UInt8] {
        let signers = apps.map { app in
            [UInt8](SHA256.hash(data: inOrder(app.signingDigests.map { [UInt8](SHA256.hash(data: $0)) })))
        }
        return [UInt8](
            SHA256.hash(
                data: ascii("PureAttest Android app\0") + [environment.rawValue]
                    + [UInt8](SHA256.hash(data: inOrder(signers))) + name))
    }

    /// No App ID begins with this prefix, because the prefix's last character is not allowed in identifiers.
    private static func digest(ofPackage name: [UInt8]) -> [UInt8] {
        [UInt8](SHA256.hash(data: ascii("PureAttest Android package\0") + name))
    }

    /// Encodes a set of hashes independently of order and repetition.
    private static func inOrder(_ hashes: [[UInt8]]) -> [UInt8] {
        var encoded: [UInt8] = []
        var last: [UInt8] = []
        // Appends the least hash above the last hash, until there is none. The lists are short.
        while true {
            let rest = hashes.filter { last.lexicographicallyPrecedes($0) }
            guard let next = rest.min(by: { $0.lexicographicallyPrecedes($1) }) else { return encoded }
            encoded += next
            last = next
        }
    }
}
