public import PureAttest

/// The object behind a caller's handle. It contains the options, and the verifier that is built from the options.
public final class Verifier {
    let environment: Environment
    private(set) var apps: [App] = []
    private let common = Policies()
    /// The policies that the caller's next calls change: a single app's policies, or ``common``.
    private(set) var selected: Policies
    var counterPolicy = CounterPolicy.strict
    var clockSkew: UInt32 = 0
    /// The cached verifier, rebuilt only after a change of an option, because parsing Apple's certificates is slow.
    private var made: MadeVerifier?
    /// A separate verifier without certificates, so that the assertion module contains no certificate code.
    private var madeForAssertions: MadeAssertionVerifier?

    /// Replaces the argument with a verifier that trusts test roots. Only the test module sets this property.
    public var substitute: ((AppAttestVerifier) -> AppAttestVerifier)? {
        didSet { made = nil }
    }

    init(_ environment: Environment) {
        self.environment = environment
        selected = common
    }

    func changed() { (made, madeForAssertions) = (nil, nil) }

    func add(_ id: AppID) { apps.append(App(id, common)) }

    /// Selects the policies of an app in ``apps`` for the following calls. The first call for an app
    /// copies the common policies to it.
    func select(_ index: Int) {
        let app = apps[index]
        if app.policies === common { app.policies = Policies(common) }
        selected = app.policies
    }

    func selectAll() { selected = common }

    private var acceptedApps: [AcceptedApp] {
        var accepted: [AcceptedApp] = []
        for app in apps { accepted.append(app.policies.accepting(app.id)) }
        return accepted
    }

    func makeForAssertions() -> MadeAssertionVerifier {
        if let madeForAssertions { return madeForAssertions }
        let made = MadeAssertionVerifier(
            AssertionVerifier(acceptedApps: acceptedApps, environment: environment, counterPolicy: counterPolicy))
        madeForAssertions = made
        return made
    }

    package func make() -> MadeVerifier {
        if let made { return made }
        var verifier = AppAttestVerifier(
            acceptedApps: acceptedApps, environment: environment, counterPolicy: counterPolicy, clockSkew: clockSkew)
        if let substitute { verifier = substitute(verifier) }
        let made = MadeVerifier(verifier)
        self.made = made
        return made
    }
}

final class MadeAssertionVerifier {
    let verifier: AssertionVerifier

    init(_ verifier: AssertionVerifier) { self.verifier = verifier }
}

/// A box that holds a verifier by reference, because copying the struct means copying many members.
package final class MadeVerifier {
    package let verifier: AppAttestVerifier

    init(_ verifier: AppAttestVerifier) { self.verifier = verifier }
}

final class App {
    let id: AppID
    /// The common policies, or the app's own policies.
    var policies: Policies

    init(_ id: AppID, _ policies: Policies) {
        self.id = id
        self.policies = policies
    }
}

/// Returns the verifier of a handle. The handle must come from ``createVerifier(_:)``, and must not be destroyed yet.
public func verifier(_ handle: OpaquePointer) -> Verifier {
    unsafe Unmanaged<Verifier>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Throws if the handle is null, which ``createVerifier(_:)`` returns for an unknown environment.
package func verifier(orNull handle: OpaquePointer?) throws(Refusal) -> Verifier {
    guard let handle = unsafe handle else { throw .malformedArgument }
    return unsafe verifier(handle)
}

/// Creates a verifier, which accepts no app yet and so rejects every object. Returns null unless `environment` is 1
/// (production) or 2 (development).
@c(pure_attest_verifier_create)
public func createVerifier(_ environment: Int32) -> OpaquePointer? {
    guard let environment = UInt8(exactly: environment).flatMap(Environment.init(rawValue:)) else { return nil }
    return unsafe OpaquePointer(Unmanaged.passRetained(Verifier(environment)).toOpaque())
}

/// Frees a verifier. Does nothing if the handle is null.
@c(pure_attest_verifier_destroy)
public func destroyVerifier(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Verifier>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// Accepts an app. The App ID is UTF-8: prefix, ".", bundle ID. `platform`: 0 for devices, 1 for macOS.
@c(pure_attest_verifier_add_app)
public func addApp(
    _ handle: OpaquePointer?, _ appID: UnsafeRawPointer?, _ appIDCount: Int32, _ platform: Int32
) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        verifier.add(AppID(bytes: unsafe try bytes(appID, appIDCount), platform: try appPlatform(platform)))
    }
}

/// Sets the counter policy: 0 (default) for strictly increasing values, 1 for a window of 64 values (`pure_attest.h`).
@c(pure_attest_verifier_set_counter_policy)
public func setCounterPolicy(_ handle: OpaquePointer?, _ policy: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        switch policy {
        case 0: verifier.counterPolicy = .strict
        case 1: verifier.counterPolicy = .slidingWindow
        default: throw .malformedArgument
        }
    }
}

/// Sets the clock skew in seconds; 0 by default.
@c(pure_attest_verifier_set_clock_skew)
public func setClockSkew(_ handle: OpaquePointer?, _ seconds: Int32) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        guard let seconds = UInt32(exactly: seconds) else { throw .malformedArgument }
        verifier.clockSkew = seconds
    }
}

/// Runs `body` and returns 0, or the code of the reason that `body` throws.
package func code(of body: () throws(Refusal) -> Void) -> Int32 {
    do throws(Refusal) {
        try body()
        return 0
    } catch {
        return error.code
    }
}

/// Throws unless the value is 0 or 1.
func flag(_ value: Int32) throws(Refusal) -> Bool {
    guard 0...1 ~= value else { throw .malformedArgument }
    return value == 1
}

/// 0 for devices, 1 for macOS.
func appPlatform(_ number: Int32) throws(Refusal) -> AppID.Platform {
    try flag(number) ? .macOS : .device
}

func change(_ handle: OpaquePointer?, _ body: (Verifier) throws(Refusal) -> Void) -> Int32 {
    code { () throws(Refusal) in
        let verifier = unsafe try verifier(orNull: handle)
        try body(verifier)
        verifier.changed()
    }
}
