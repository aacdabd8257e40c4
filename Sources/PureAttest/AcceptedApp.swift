@_spi(Steps) import PureBytes
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
    /// In the order in which they were made; not empty.
    let all: [AcceptedApp]

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
        all = apps
    }

    /// All declarations, if they are of one app: the likeliest for a report on an object whose app is not known.
    init?(ofOnlyAppIn acceptedApps: [AcceptedApp]) {
        guard let first = acceptedApps.first, acceptedApps.allSatisfy({ $0.id == first.id }) else { return nil }
        all = acceptedApps
    }

    /// Those for devices, or all if there are none: what holds for a leaf that names no platform.
    var preferringDevices: AppDeclarations {
        let devices = all.filter { $0.id.platform == .device }
        return devices.isEmpty ? self : AppDeclarations(all: devices)
    }

    private init(all: [AcceptedApp]) { self.all = all }

    /// The app.
    var id: AppID { all[0].id }
}

extension StepRunner<VerificationReport.Check, PureAttestError> {
    /// Attestation steps 10 and 11, assertion steps 7 and 8, and rule A6, for each declaration.
    @inline(__always)
    mutating func takeLaunchSteps(
        on data: borrowing AuthenticatorData?, of app: AppDeclarations?, in environment: Environment
    ) throws(Stop) {
        try run(.validationCategory, each: app?.all, on: data) {
            (app, data) throws(PureAttestError) in
            let (policy, id) = (app.launchPolicy, app.id)
            try policy.checkCategory(of: policy.information(in: data), app: id, environment: environment)
        }
        try run(.bundleVersion, each: app?.all, on: data) {
            (app, data) throws(PureAttestError) in
            try app.launchPolicy.checkVersion(of: app.launchPolicy.information(in: data))
        }
        try run(.build, each: app?.all, on: data) {
            (app, data) throws(PureAttestError) in
            try app.launchPolicy.checkBuild(of: app.launchPolicy.information(in: data))
        }
    }
}
