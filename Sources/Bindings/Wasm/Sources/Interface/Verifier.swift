public import PureAttest

/// The object behind a caller's handle: options, and the verifier built from them.
public final class Verifier {
    let environment: Environment
    private(set) var apps: [App] = []
    private let common = Policies()
    /// The policies that the caller sets: one app's, or ``common``.
    private(set) var selected: Policies
    var counterPolicy = CounterPolicy.strict
    var clockSkew: UInt32 = 0
    /// Built at the first use after an option changed, because parsing Apple's certificates is slow.
    private var made: MadeVerifier?
    /// A verifier without certificates, so that a module with only assertion functions contains no certificate code.
    private var madeForAssertions: MadeAssertionVerifier?

    /// Makes a verifier trust other roots than Apple's; only the tests' module sets it.
    public var substitute: ((AppAttestVerifier) -> AppAttestVerifier)? {
        didSet { made = nil }
    }

    init(_ environment: Environment) {
        self.environment = environment
        selected = common
    }

    func changed() { (made, madeForAssertions) = (nil, nil) }

    func add(_ id: AppID) { apps.append(App(id, common)) }

    /// Makes the following calls set the policies of this app in ``apps``, as its own from now on.
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

/// A verifier of assertions, held by reference.
final class MadeAssertionVerifier {
    let verifier: AssertionVerifier

    init(_ verifier: AssertionVerifier) { self.verifier = verifier }
}

/// A verifier held by reference, because the struct has many members to copy.
package final class MadeVerifier {
    package let verifier: AppAttestVerifier

    init(_ verifier: AppAttestVerifier) { self.verifier = verifier }
}

/// An accepted app.
final class App {
    let id: AppID
    /// The common policies, or its own.
    var policies: Policies

    init(_ id: AppID, _ policies: Policies) {
        self.id = id
        self.policies = policies
    }
}

/// Returns the verifier of a handle between ``createVerifier(_:)`` and ``destroyVerifier(_:)``.
public func verifier(_ handle: OpaquePointer) -> Verifier {
    unsafe Unmanaged<Verifier>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Returns the verifier of a handle, or throws for the null that ``createVerifier(_:)`` returns for an unknown
/// environment.
package func verifier(orNull handle: OpaquePointer?) throws(Refusal) -> Verifier {
    guard let handle = unsafe handle else { throw .malformedArgument }
    return unsafe verifier(handle)
}

/// Creates a verifier for an environment, 1 production, 2 development; null for another number. It has no apps yet, so
/// it rejects everything.
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
    _ handle: OpaquePointer?, _ appID: UnsafeRawPointer?, _ appIDCount: Int32, _ platform: Int32
) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        verifier.add(AppID(bytes: unsafe try bytes(appID, appIDCount), platform: try appPlatform(platform)))
    }
}

/// Sets the counter policy. 0, the default: each value exceeds all before. 1: each value once, within a window of 64.
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

/// Runs `body` and returns 0, or the number of the reason that it throws.
package func code(of body: () throws(Refusal) -> Void) -> Int32 {
    do throws(Refusal) {
        try body()
        return 0
    } catch {
        return error.code
    }
}

/// Returns an option's 0 or 1.
func flag(_ value: Int32) throws(Refusal) -> Bool {
    guard 0...1 ~= value else { throw .malformedArgument }
    return value == 1
}

/// Returns the platform of a number: 0 a device's, 1 macOS.
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
