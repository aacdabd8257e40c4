import PureAttest
import PureKeyAttestation
import PureSHA2

/// Whom session tokens are for (`aud` of RFC 7519 §4.1.3): as relying parties may share a secret, each has to look (RFC 8725
/// §3.9).
///
/// A session's audience is the app whose device signed, by the SHA-256 of its App ID, and its environment is a claim beside it: any
/// relying party that accepts the app there accepts the session. Without attestation nothing shows which app asks, so that
/// audience is all that a relying party accepts: its environment and the set of its apps.
struct SessionAudience: Sendable {
    private let apps: Set<[UInt8]>
    private let androidApps: Set<[UInt8]>
    /// The audience of tokens of the unattested tier, 32 bytes.
    let service: [UInt8]

    init(apps: [AppID], environment: Environment, android: [AndroidApp]? = nil) {
        self.apps = Set(apps.map(\.rpIDHash))
        androidApps = Set((android ?? []).map { Self.audience(ofPackage: $0.packageNameUTF8) })
        var service = SHA256()
        service.update(data: "PureAttest unattested audience".utf8)
        service.update(data: [environment.rawValue])
        // In order, as lists of the same apps are the same set. Each part has one length, so that no two sets are the same text.
        for app in self.apps.sorted(by: { $0.lexicographicallyPrecedes($1) }) { service.update(data: app) }
        // Nothing more without Android, as before there was any.
        if android != nil {
            service.update(data: "Android".utf8)
            for app in androidApps.sorted(by: { $0.lexicographicallyPrecedes($1) }) { service.update(data: app) }
        }
        self.service = [UInt8](service.finalize())
    }

    /// Whether the app with this RP ID hash is accepted.
    func includes(app rpIDHash: [UInt8]) -> Bool { apps.contains(rpIDHash) }

    /// Whether the Android app with this audience is accepted.
    func includes(androidApp audience: [UInt8]) -> Bool { androidApps.contains(audience) }

    /// The audience of sessions of an Android app, 32 bytes. No App ID begins with this text, whose last character no identifier has.
    static func audience(ofPackage name: [UInt8]) -> [UInt8] {
        [UInt8](SHA256.hash(data: Array("PureAttest Android package\0".utf8) + name))
    }
}
