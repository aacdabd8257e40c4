public import PureAttest

/// What a caller's handle stands for: options, and the verifier that they make.
public final class Verifier {
    let environment: Environment
    var apps: [AppID] = []
    var categories: [ValidationCategory]?
    var versions = LaunchPolicy.Versions.any
    var acceptsMissing = true
    var believesForgeable = false
    var counterPolicy = CounterPolicy.strict
    var clockSkew: UInt32 = 0
    /// Made at the first use after an option changed: reading Apple's certificates takes a while.
    private var made: AppAttestVerifier?

    /// A verifier in place of the one that trusts Apple; only the tests' module sets it.
    public var substitute: (([AppID], Environment, LaunchPolicy, CounterPolicy, UInt32) -> AppAttestVerifier)? {
        didSet { made = nil }
    }

    init(_ environment: Environment) { self.environment = environment }

    func changed() { made = nil }

    var verifier: AppAttestVerifier {
        if let made { return made }
        var policy =
            if acceptsMissing {
                LaunchPolicy.onlyOrMissing(categories, versions: versions)
            } else {
                LaunchPolicy.only(categories, versions: versions)
            }
        if believesForgeable { policy = policy.believingForgeableInformation() }
        let verifier =
            substitute?(apps, environment, policy, counterPolicy, clockSkew)
            ?? AppAttestVerifier(
                apps: apps, environment: environment, launchPolicy: policy, counterPolicy: counterPolicy,
                clockSkew: clockSkew)
        made = verifier
        return verifier
    }
}

/// The verifier of a handle that ``createVerifier(_:)`` returned and ``destroyVerifier(_:)`` did not get yet.
public func verifier(_ handle: OpaquePointer) -> Verifier {
    unsafe Unmanaged<Verifier>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// A verifier for an environment, 1 production, 2 development; null for another number. It has no apps and refuses everything.
@c(pure_attest_verifier_create)
public func createVerifier(_ environment: Int32) -> OpaquePointer? {
    guard let environment = UInt8(exactly: environment).flatMap(Environment.init(rawValue:)) else { return nil }
    return unsafe OpaquePointer(Unmanaged.passRetained(Verifier(environment)).toOpaque())
}

/// Frees a verifier; no effect on null.
@c(pure_attest_verifier_destroy)
public func destroyVerifier(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Verifier>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// Accepts an app: UTF-8 of prefix, ".", bundle ID. `platform`: 0 a device's, 1 macOS.
@c(pure_attest_verifier_add_app)
public func addApp(
    _ handle: OpaquePointer, _ appID: UnsafeRawPointer?, _ appIDCount: Int32, _ platform: Int32
) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        guard let platform = UInt8(exactly: platform).flatMap(AppID.Platform.init(rawValue:)) else {
            throw .malformedArgument
        }
        verifier.apps.append(AppID(bytes: unsafe try bytes(appID, appIDCount), platform: platform))
    }
}

/// Accepts a validation category; before the first call any is accepted that an app can have (`LaunchPolicy.only`).
@c(pure_attest_verifier_accept_category)
public func acceptCategory(_ handle: OpaquePointer, _ category: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        verifier.categories = (verifier.categories ?? []) + [ValidationCategory(rawValue: UInt32(bitPattern: category))]
    }
}

/// Accepts exactly this bundle version, beside those of other calls; takes the place of a minimum.
@c(pure_attest_verifier_accept_version)
public func acceptVersion(_ handle: OpaquePointer, _ version: UnsafeRawPointer?, _ versionCount: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        let version = BundleVersion(utf8: unsafe try bytes(version, versionCount))
        if case .oneOf(let others) = verifier.versions {
            verifier.versions = .oneOf(others + [version])
        } else {
            verifier.versions = .oneOf([version])
        }
    }
}

/// Accepts this bundle version and later ones; takes the place of single versions.
@c(pure_attest_verifier_require_version)
public func requireVersion(_ handle: OpaquePointer, _ version: UnsafeRawPointer?, _ versionCount: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        verifier.versions = .atLeast(BundleVersion(utf8: unsafe try bytes(version, versionCount)))
    }
}

/// Whether devices that send no launch information, as all before iOS 27, are accepted: 1, the default, or 0.
@c(pure_attest_verifier_accept_missing)
public func acceptMissing(_ handle: OpaquePointer, _ accepts: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in verifier.acceptsMissing = accepts != 0 }
}

/// Whether launch information that the app can have written counts: 1, or 0, the default. See
/// `LaunchPolicy.believingForgeableInformation`.
@c(pure_attest_verifier_believe_forgeable)
public func believeForgeable(_ handle: OpaquePointer, _ believes: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        guard 0...1 ~= believes else { throw .malformedArgument }
        verifier.believesForgeable = believes == 1
    }
}

/// 0 each counter value greater than all before, the default; 1 each once, within a window of 64.
@c(pure_attest_verifier_set_counter_policy)
public func setCounterPolicy(_ handle: OpaquePointer, _ policy: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        switch policy {
        case 0: verifier.counterPolicy = .strict
        case 1: verifier.counterPolicy = .slidingWindow
        default: throw .malformedArgument
        }
    }
}

/// How many seconds the clock may be off; 0 by default.
@c(pure_attest_verifier_set_clock_skew)
public func setClockSkew(_ handle: OpaquePointer, _ seconds: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        guard let seconds = UInt32(exactly: seconds) else { throw .malformedArgument }
        verifier.clockSkew = seconds
    }
}

/// Runs `body` and returns 0 or the number of what it refuses.
func code(of body: () throws(Refusal) -> Void) -> Int32 {
    do throws(Refusal) {
        try body()
        return 0
    } catch {
        return error.code
    }
}

private func change(_ handle: OpaquePointer, _ body: (Verifier) throws(Refusal) -> Void) -> Int32 {
    code { () throws(Refusal) in
        let verifier = unsafe verifier(handle)
        try body(verifier)
        verifier.changed()
    }
}
