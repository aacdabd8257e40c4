import PureAttest

/// The policies of a single app, or the common policies for all apps without their own policies.
final class Policies {
    fileprivate var categories: [ValidationCategory]?
    fileprivate var versions: [BundleVersion]?
    fileprivate var minimumVersion: BundleVersion?
    fileprivate var builds: [CodeDirectoryHash]?
    fileprivate var systemBuilds: [SystemBuild]?
    fileprivate var minimumSystem: SystemVersion?
    fileprivate var minimumMacOS: SystemVersion?
    fileprivate var flags: Flags = [.acceptsMissing, .acceptsPrereleases]
    fileprivate var age = AgePolicy()

    init() {}

    init(_ other: Policies) {
        categories = other.categories
        versions = other.versions
        minimumVersion = other.minimumVersion
        builds = other.builds
        systemBuilds = other.systemBuilds
        minimumSystem = other.minimumSystem
        minimumMacOS = other.minimumMacOS
        flags = other.flags
        age = other.age
    }

    func accepting(_ app: AppID) -> AcceptedApp {
        var accepted = LaunchPolicy.Versions.any
        if let minimumVersion { accepted = .atLeast(minimumVersion) }
        if let versions { accepted = .oneOf(versions) }
        var builds = LaunchPolicy.Builds.any
        if let hashes = self.builds {
            builds = .oneOf(hashes, acceptsTruncated: flags.contains(.acceptsTruncatedBuilds))
        }
        var launch =
            if flags.contains(.acceptsMissing) {
                LaunchPolicy.onlyOrMissing(categories, versions: accepted, builds: builds)
            } else {
                LaunchPolicy.only(categories, versions: accepted, builds: builds)
            }
        if flags.contains(.believesForgeable) { launch = launch.believingForgeableInformation() }
        var system = SystemPolicy(
            minimumVersion: minimumSystem, minimumMacOSVersion: minimumMacOS,
            acceptsPrereleases: flags.contains(.acceptsPrereleases), acceptsUnknown: flags.contains(.acceptsUnknown))
        if let systemBuilds { system.builds = .oneOf(systemBuilds) }
        return AcceptedApp(app, launchPolicy: launch, systemPolicy: system, agePolicy: age)
    }
}

private struct Flags: OptionSet {
    let rawValue: UInt8

    static var acceptsMissing: Flags { Flags(rawValue: 1) }
    static var believesForgeable: Flags { Flags(rawValue: 2) }
    static var acceptsTruncatedBuilds: Flags { Flags(rawValue: 4) }
    static var acceptsPrereleases: Flags { Flags(rawValue: 8) }
    static var acceptsUnknown: Flags { Flags(rawValue: 16) }
}

/// Selects by index the app whose policies the following calls set. −1 (default) selects the common policies.
@c(pure_attest_verifier_select_app)
public func selectApp(_ handle: OpaquePointer?, _ index: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        if index == -1 { return verifier.selectAll() }
        guard let index = Int(exactly: index), verifier.apps.indices.contains(index) else { throw .malformedArgument }
        verifier.select(index)
    }
}

// MARK: - Launch information

/// Adds an accepted validation category. By default, every category that an app can have is accepted
/// (`LaunchPolicy.only`).
@c(pure_attest_verifier_accept_category)
public func acceptCategory(_ handle: OpaquePointer?, _ category: Int32) -> Int32 {
    unsafe setPolicy(handle) { (policies) throws(Refusal) in
        policies.categories = policies.categories ?? []
        policies.categories?.append(ValidationCategory(rawValue: UInt32(bitPattern: category)))
    }
}

/// Adds a bundle version to the list of accepted versions. Replaces a minimum version.
@c(pure_attest_verifier_accept_version)
public func acceptVersion(_ handle: OpaquePointer?, _ version: UnsafeRawPointer?, _ versionCount: Int32) -> Int32 {
    unsafe setPolicy(handle) { (policies) throws(Refusal) in
        let version = BundleVersion(utf8: unsafe try bytes(version, versionCount))
        policies.versions = policies.versions ?? []
        policies.versions?.append(version)
    }
}

/// Accepts this bundle version and all later versions. Replaces the list of accepted versions.
@c(pure_attest_verifier_require_version)
public func requireVersion(_ handle: OpaquePointer?, _ version: UnsafeRawPointer?, _ versionCount: Int32) -> Int32 {
    unsafe setPolicy(handle) { (policies) throws(Refusal) in
        policies.minimumVersion = BundleVersion(utf8: unsafe try bytes(version, versionCount))
        policies.versions = nil
    }
}

/// Adds an accepted build: the SHA-256 of its code directory, or the first 20 bytes of this hash.
@c(pure_attest_verifier_accept_build)
public func acceptBuild(_ handle: OpaquePointer?, _ hash: UnsafeRawPointer?, _ hashCount: Int32) -> Int32 {
    unsafe setPolicy(handle) { (policies) throws(Refusal) in
        guard let hash = CodeDirectoryHash(unsafe try bytes(hash, hashCount)) else { throw .malformedArgument }
        policies.builds = policies.builds ?? []
        policies.builds?.append(hash)
    }
}

/// Sets whether a match of 20 bytes suffices if the device's hash or the listed hash is only 20 bytes long: 1 for yes,
/// 0 (default) for no.
@c(pure_attest_verifier_accept_truncated_builds)
public func acceptTruncatedBuilds(_ handle: OpaquePointer?, _ accepts: Int32) -> Int32 {
    unsafe setFlag(handle, .acceptsTruncatedBuilds, accepts)
}

/// Sets whether to accept devices without launch information, such as every device before iOS 27: 1 (default) for yes,
/// 0 for no.
@c(pure_attest_verifier_accept_missing)
public func acceptMissing(_ handle: OpaquePointer?, _ accepts: Int32) -> Int32 {
    unsafe setFlag(handle, .acceptsMissing, accepts)
}

/// Sets whether to accept launch information that the app may have forged: 1 for yes, 0 (default) for no. See
/// `LaunchPolicy.believingForgeableInformation`.
@c(pure_attest_verifier_believe_forgeable)
public func believeForgeable(_ handle: OpaquePointer?, _ believes: Int32) -> Int32 {
    unsafe setFlag(handle, .believesForgeable, believes)
}

// MARK: - Systems

/// Sets the minimum system version for a platform: 0 for devices, 1 for macOS. Each number must be below 65,536.
@c(pure_attest_verifier_require_system)
public func requireSystem(
    _ handle: OpaquePointer?, _ platform: Int32, _ major: Int32, _ minor: Int32, _ patch: Int32
) -> Int32 {
    unsafe setPolicy(handle) { (policies) throws(Refusal) in
        guard let major = UInt16(exactly: major), let minor = UInt16(exactly: minor), let patch = UInt16(exactly: patch)
        else { throw .malformedArgument }
        let version = SystemVersion(major, minor, patch)
        switch try appPlatform(platform) {
        case .device: policies.minimumSystem = version
        case .macOS: policies.minimumMacOS = version
        }
    }
}

/// Adds a system build to the list of accepted system builds.
@c(pure_attest_verifier_accept_system_build)
public func acceptSystemBuild(_ handle: OpaquePointer?, _ build: UnsafeRawPointer?, _ buildCount: Int32) -> Int32 {
    unsafe setPolicy(handle) { (policies) throws(Refusal) in
        guard let build = SystemBuild(ascii: unsafe try bytes(build, buildCount)) else { throw .malformedArgument }
        policies.systemBuilds = policies.systemBuilds ?? []
        policies.systemBuilds?.append(build)
    }
}

/// Sets whether to accept prerelease systems, such as betas: 1 (default) for yes, or 0 for no.
@c(pure_attest_verifier_accept_prereleases)
public func acceptPrereleases(_ handle: OpaquePointer?, _ accepts: Int32) -> Int32 {
    unsafe setFlag(handle, .acceptsPrereleases, accepts)
}

/// Sets whether a system with an unknown version or build is accepted if a policy restricts that property: 1 for yes, 0
/// (default) for no.
@c(pure_attest_verifier_accept_unknown_systems)
public func acceptUnknownSystems(_ handle: OpaquePointer?, _ accepts: Int32) -> Int32 {
    unsafe setFlag(handle, .acceptsUnknown, accepts)
}

// MARK: - Ages

/// Sets the maximum age of an attestation, in seconds. −1 (default): an attestation is accepted while its certificate
/// is valid.
@c(pure_attest_verifier_limit_attestation_age)
public func limitAttestationAge(_ handle: OpaquePointer?, _ seconds: Int32) -> Int32 {
    unsafe setLimit(handle, .attestationAge, seconds)
}

/// Sets the maximum time since a key's attestation, in seconds. −1 (default): no limit.
@c(pure_attest_verifier_limit_key_age)
public func limitKeyAge(_ handle: OpaquePointer?, _ seconds: Int32) -> Int32 {
    unsafe setLimit(handle, .keyAge, seconds)
}

/// Sets how far a counter may exceed the greatest value used so far. −1 (default): no limit.
@c(pure_attest_verifier_limit_counter_step)
public func limitCounterStep(_ handle: OpaquePointer?, _ step: Int32) -> Int32 {
    unsafe setLimit(handle, .counterStep, step)
}

private enum Limit { case attestationAge, keyAge, counterStep }

@inline(never)
private func setLimit(_ handle: OpaquePointer?, _ limit: Limit, _ number: Int32) -> Int32 {
    unsafe setPolicy(handle) { (policies) throws(Refusal) in
        guard number >= -1 else { throw .malformedArgument }
        let number = UInt32(exactly: number)
        switch limit {
        case .attestationAge: policies.age.maximumAttestationAge = number
        case .keyAge: policies.age.maximumKeyAge = number
        case .counterStep: policies.age.maximumCounterStep = number
        }
    }
}

@inline(never)
private func setFlag(_ handle: OpaquePointer?, _ option: Flags, _ value: Int32) -> Int32 {
    unsafe setPolicy(handle) { (policies) throws(Refusal) in
        if try flag(value) { policies.flags.insert(option) } else { policies.flags.remove(option) }
    }
}

private func setPolicy(_ handle: OpaquePointer?, _ body: (Policies) throws(Refusal) -> Void) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in try body(verifier.selected) }
}
