/// An app whose keys are accepted, with the policies for it.
public struct AcceptedApp: Sendable {
    /// The app.
    public let id: AppID
    /// The launch information that is accepted of it.
    public let launchPolicy: LaunchPolicy
    /// The systems that it may run on.
    public let systemPolicy: SystemPolicy
    /// How old its attestations and keys may be.
    public let agePolicy: AgePolicy

    /// An app with policies of its own.
    public init(
        _ id: AppID, launchPolicy: LaunchPolicy, systemPolicy: SystemPolicy = .any, agePolicy: AgePolicy = .unlimited
    ) {
        self.id = id
        self.launchPolicy = launchPolicy
        self.systemPolicy = systemPolicy
        self.agePolicy = agePolicy
    }
}

extension [AcceptedApp] {
    /// The app with this SHA-256 of its App ID that is declared for `platform`.
    ///
    /// Rule A3: the platform is the one that the certificate names. Where it, or the key's record, names none, and the app is declared for
    /// both, `fallback` counts, in whatever order they were declared.
    ///
    /// - Returns: `nil` if no app has this hash.
    /// - Throws: ``PureAttestError/platformNotAllowed(_:)`` if one has, but on the other platform.
    func app(
        rpIDHash: ArraySlice<UInt8>, on platform: AppID.Platform?, otherwise fallback: AppID.Platform
    ) throws(PureAttestError) -> AcceptedApp? {
        var other: AcceptedApp?
        for app in self where app.id.digest.elementsEqual(rpIDHash) {
            if app.id.platform == platform ?? fallback { return app }
            other = app
        }
        if let platform, other != nil { throw .platformNotAllowed(platform) }
        return other
    }
}
