@_spi(Steps) import PureBytes
import PureDER
import PureSHA2

/// An accepted app with its policies.
public struct AcceptedApp: Sendable {
    /// The app.
    public let id: AppID
    /// The accepted launch information.
    public let launchPolicy: LaunchPolicy
    /// The accepted operating systems.
    public let systemPolicy: SystemPolicy
    /// The limits on the ages of the app's attestations and keys, and on increases of the counter.
    public let agePolicy: AgePolicy

    /// Creates an accepted app with its own policies.
    public init(
        _ id: AppID, launchPolicy: LaunchPolicy, systemPolicy: SystemPolicy = .any, agePolicy: AgePolicy = .unlimited
    ) {
        self.id = id
        self.launchPolicy = launchPolicy
        self.systemPolicy = systemPolicy
        self.agePolicy = agePolicy
    }
}

/// The declarations of one app that apply to an object. Each declaration must accept the object. Their order does not
/// matter.
struct AppDeclarations {
    /// Never empty.
    let all: [AcceptedApp]

    /// Rule A3: selects the declarations for `platform` whose App ID has this SHA-256. If `platform` is `nil`, selects
    /// the declarations for all platforms. Returns `nil` if no declaration has the hash.
    ///
    /// - Throws: ``PureAttestError/platformNotAllowed(_:)`` if all declarations with this hash are for the other
    ///   platform.
    init?(
        of rpIDHash: ArraySlice<UInt8>, among acceptedApps: [AcceptedApp], on platform: AppID.Platform?
    ) throws(PureAttestError) {
        let apps = Self.select(acceptedApps) { $0.digest.elementsEqual(rpIDHash) }
        if apps.isEmpty { return nil }
        all = platform == nil ? apps : Self.select(apps) { $0.platform == platform }
        if let platform, all.isEmpty { throw .platformNotAllowed(platform) }
    }

    /// Returns the declarations whose app satisfies `condition`. If all do, the array is not copied.
    private static func select(_ apps: [AcceptedApp], where condition: (AppID) -> Bool) -> [AcceptedApp] {
        apps.allSatisfy { condition($0.id) } ? apps : apps.filter { condition($0.id) }
    }

    /// Selects all declarations, for reports on objects whose app is unknown. Returns `nil` unless all are for the same
    /// app.
    init?(ofOnlyAppIn acceptedApps: [AcceptedApp]) {
        guard let first = acceptedApps.first, acceptedApps.allSatisfy({ $0.id == first.id }) else { return nil }
        all = acceptedApps
    }

    /// The declarations for devices or, if there are no such declarations, all. They apply if a leaf names no platform.
    var preferringDevices: AppDeclarations {
        let devices = all.filter { $0.id.platform == .device }
        return devices.isEmpty ? self : AppDeclarations(all: devices)
    }

    private init(all: [AcceptedApp]) { self.all = all }

    var id: AppID { all[0].id }
}

extension StepRunner<VerificationReport.Check, PureAttestError> {
    /// Checks the launch information: attestation steps 10 and 11, assertion steps 7 and 8, and rule A6. Runs each step
    /// for each declaration.
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
