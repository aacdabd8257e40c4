public import PureAttest

/// What a caller's handle stands for: options, and the verifier that they make.
public final class Verifier {
    let environment: Environment
    private(set) var apps: [App] = []
    private let common = Policies()
    /// Whose policies the caller sets: one app's, or ``common``.
    private(set) var selected: Policies
    var counterPolicy = CounterPolicy.strict
    var clockSkew: UInt32 = 0
    /// Made at the first use after an option changed: reading Apple's certificates takes a while.
    private var made: MadeVerifier?
    /// The same without certificates: a module that exports no function which needs them contains nothing of them.
    private var madeForAssertions: MadeAssertionVerifier?

    /// Makes a verifier trust others in place of Apple; only the tests' module sets it.
    public var substitute: ((AppAttestVerifier) -> AppAttestVerifier)? {
        didSet { made = nil }
    }

    init(_ environment: Environment) {
        self.environment = environment
        selected = common
    }

    func changed() { (made, madeForAssertions) = (nil, nil) }

    func add(_ id: AppID) { apps.append(App(id, common)) }

    /// Lets the calls that follow set the policies of this app, which is in ``apps``. They are its own from now on.
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

    func make() -> MadeVerifier {
        if let made { return made }
        var verifier = AppAttestVerifier(
            acceptedApps: acceptedApps, environment: environment, counterPolicy: counterPolicy, clockSkew: clockSkew)
        if let substitute { verifier = substitute(verifier) }
        let made = MadeVerifier(verifier)
        self.made = made
        return made
    }
}

/// A verifier of assertions by reference.
final class MadeAssertionVerifier {
    let verifier: AssertionVerifier

    init(_ verifier: AssertionVerifier) { self.verifier = verifier }
}

/// A verifier by reference: the struct has many members to copy.
final class MadeVerifier {
    let verifier: AppAttestVerifier

    init(_ verifier: AppAttestVerifier) { self.verifier = verifier }
}

/// An accepted app.
final class App {
    let id: AppID
    /// Those of all apps, or its own.
    var policies: Policies

    init(_ id: AppID, _ policies: Policies) {
        self.id = id
        self.policies = policies
    }
}

/// The verifier of a handle that ``createVerifier(_:)`` returned and ``destroyVerifier(_:)`` did not get yet.
public func verifier(_ handle: OpaquePointer) -> Verifier {
    unsafe Unmanaged<Verifier>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// The same, of a handle that may be the null that ``createVerifier(_:)`` returns for an environment that there is not.
func verifier(orNull handle: OpaquePointer?) throws(Refusal) -> Verifier {
    guard let handle = unsafe handle else { throw .malformedArgument }
    return unsafe verifier(handle)
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
    _ handle: OpaquePointer?, _ appID: UnsafeRawPointer?, _ appIDCount: Int32, _ platform: Int32
) -> Int32 {
    unsafe change(handle) { (verifier) throws(Refusal) in
        verifier.add(AppID(bytes: unsafe try bytes(appID, appIDCount), platform: try appPlatform(platform)))
    }
}

/// 0 each counter value greater than all before, the default; 1 each once, within a window of 64.
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

/// How many seconds the clock may be off; 0 by default.
@c(pure_attest_verifier_set_clock_skew)
public func setClockSkew(_ handle: OpaquePointer?, _ seconds: Int32) -> Int32 {
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

/// An option's 0 or 1.
func flag(_ value: Int32) throws(Refusal) -> Bool {
    guard 0...1 ~= value else { throw .malformedArgument }
    return value == 1
}

/// 0 a device's, 1 macOS.
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
