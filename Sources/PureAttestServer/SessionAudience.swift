import PureAttest
import PureKeyAttestation
import PureSHA2

/// Whom session tokens are for (`aud` of RFC 7519 §4.1.3): as relying parties may share a secret, each has to look (RFC 8725
/// §3.9).
///
/// A session's audience is the app whose device signed, by the SHA-256 of its App ID, and its environment is a claim beside it: any
/// relying party that accepts the app there accepts the session. Of an Android app it is a hash of its package name, of who may sign it
/// and of the environment. Without attestation nothing shows which app asks, so that
/// audience is all that a relying party accepts: its environment and the set of its apps.
struct SessionAudience: Sendable {
    private let apps: Set<[UInt8]>
    private let environment: Environment
    /// The audiences of the accepted Android apps, by the names of their packages.
    private let androidApps: [[UInt8]: [UInt8]]
    /// The audience of tokens of the unattested tier, 32 bytes.
    let service: [UInt8]

    init(apps: [AppID], environment: Environment, android: [AndroidApp]? = nil) {
        self.apps = Set(apps.map(\.rpIDHash))
        self.environment = environment
        let packages = Dictionary(grouping: android ?? [], by: \.packageNameUTF8)
        androidApps = packages.reduce(into: [:]) { audiences, package in
            audiences[package.key] = Self.audience(ofPackage: package.key, package.value, environment)
        }
        var service = SHA256()
        service.update(data: "PureAttest unattested audience".utf8)
        service.update(data: [environment.rawValue])
        // In order, as lists of the same apps are the same set. Each part has one length, so that no two sets are the same text.
        service.update(data: Self.inOrder(Array(self.apps)))
        // Nothing more without Android, as before there was any.
        if android != nil {
            service.update(data: "Android".utf8)
            service.update(data: Self.inOrder(packages.keys.map { Self.digest(ofPackage: $0) }))
        }
        self.service = [UInt8](service.finalize())
    }

    /// Whether the app with this RP ID hash is accepted.
    func includes(app rpIDHash: [UInt8]) -> Bool { apps.contains(rpIDHash) }

    /// Whether the Android app with this audience is accepted.
    func includes(androidApp audience: [UInt8]) -> Bool { androidApps.values.contains(audience) }

    /// The audience of sessions of an Android app, 32 bytes: of one that is not accepted, none that is.
    func audience(ofPackage name: [UInt8]) -> [UInt8] {
        androidApps[name] ?? Self.audience(ofPackage: name, [], environment)
    }

    /// Anybody can give an app any name, so that who signs it is part of which app it is: all the sets of keys with which builds of this
    /// name are accepted. And the environment, which no Android key has of itself.
    private static func audience(
        ofPackage name: [UInt8], _ apps: [AndroidApp], _ environment: Environment
    ) -> [UInt8] {
        let signers = apps.map { app in
            [UInt8](SHA256.hash(data: inOrder(app.signingDigests.map { [UInt8](SHA256.hash(data: $0)) })))
        }
        return [UInt8](
            SHA256.hash(
                data: Array("PureAttest Android app\0".utf8) + [environment.rawValue]
                    + [UInt8](SHA256.hash(data: inOrder(signers))) + name))
    }

    /// No App ID begins with this text, whose last character no identifier has.
    private static func digest(ofPackage name: [UInt8]) -> [UInt8] {
        [UInt8](SHA256.hash(data: Array("PureAttest Android package\0".utf8) + name))
    }

    /// A set of hashes as one text, whatever the order and however often each is listed.
    private static func inOrder(_ hashes: [[UInt8]]) -> [UInt8] {
        Set(hashes).sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }
}
