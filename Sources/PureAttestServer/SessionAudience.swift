import PureAttest
import PureSHA2

/// Whom session tokens are for (`aud` of RFC 7519 §4.1.3): as relying parties may share a secret, each has to look (RFC 8725
/// §3.9).
///
/// A session's audience is the app whose device signed, by the SHA-256 of its App ID, and its environment is a claim beside it: any
/// relying party that accepts the app there accepts the session. Without attestation nothing shows which app asks, so that
/// audience is all that a relying party accepts: its environment and the set of its apps.
struct SessionAudience: Sendable {
    private let apps: Set<[UInt8]>
    /// The audience of tokens of the unattested tier, 32 bytes.
    let service: [UInt8]

    init(apps: [AppID], environment: Environment) {
        self.apps = Set(apps.map(\.rpIDHash))
        var service = SHA256()
        service.update(data: "PureAttest unattested audience".utf8)
        service.update(data: [environment.rawValue])
        // In order, as lists of the same apps are the same set. Each part has one length, so that no two sets are the same text.
        for app in self.apps.sorted(by: { $0.lexicographicallyPrecedes($1) }) { service.update(data: app) }
        self.service = [UInt8](service.finalize())
    }

    /// Whether the app with this RP ID hash is accepted.
    func includes(app rpIDHash: [UInt8]) -> Bool { apps.contains(rpIDHash) }
}
