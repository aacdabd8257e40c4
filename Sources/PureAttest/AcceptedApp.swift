import PureDER

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

/// The declarations of one app that hold for an object: each of them has to accept it, in whatever order they were made.
struct AppDeclarations {
    /// Not empty.
    private let apps: [AcceptedApp]

    /// Rule A3: those with this SHA-256 of an App ID that are for `platform`, or all if that is not known. `nil` if there is none with the
    /// hash.
    ///
    /// - Throws: ``PureAttestError/platformNotAllowed(_:)`` if there are some, but for the other platform.
    init?(
        of rpIDHash: ArraySlice<UInt8>, among acceptedApps: [AcceptedApp], on platform: AppID.Platform?
    ) throws(PureAttestError) {
        var apps = acceptedApps.filter { $0.id.digest.elementsEqual(rpIDHash) }
        if apps.isEmpty { return nil }
        if let platform {
            apps = apps.filter { $0.id.platform == platform }
            if apps.isEmpty { throw .platformNotAllowed(platform) }
        }
        self.apps = apps
    }

    /// Those for devices, or all if there are none: what holds for a leaf that names no platform.
    var preferringDevices: AppDeclarations {
        let devices = apps.filter { $0.id.platform == .device }
        return devices.isEmpty ? self : AppDeclarations(apps: devices)
    }

    private init(apps: [AcceptedApp]) { self.apps = apps }

    /// The app.
    var id: AppID { apps[0].id }
    /// The first declaration, for a report.
    var first: AcceptedApp { apps[0] }

    func checkAttestation(
        _ system: SystemInformation, leafNotBefore: UnixTime, at time: UnixTime, clockSkew: UInt32
    ) throws(PureAttestError) {
        for app in apps {
            try app.systemPolicy.check(system, on: app.id.platform)
            try app.agePolicy.checkAttestation(leafNotBefore: leafNotBefore, at: time, clockSkew: clockSkew)
        }
    }

    func checkKey(_ key: AttestedKey, counter: UInt32, at time: UnixTime?) throws(PureAttestError) {
        for app in apps {
            try app.systemPolicy.check(key.system, on: app.id.platform)
            try app.agePolicy.checkKey(key, at: time)
            try app.agePolicy.checkCounter(counter, of: key)
        }
    }

    func checkLaunch(_ data: AuthenticatorData, in environment: Environment) throws(PureAttestError) {
        for app in apps { try app.launchPolicy.check(data, app: app.id, environment: environment) }
    }
}
