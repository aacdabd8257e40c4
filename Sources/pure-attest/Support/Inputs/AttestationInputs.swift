import PureAttest
import PureBytes
import PureSHA2
import VectorSupport

/// All inputs for verifying an attestation, from options and an object file. An option takes precedence over the file.
struct AttestationInputs {
    static let options: [Option] = [
        .value("--attestation", "OBJECT", .object, "The attestation object (CBOR)."),
        .value("--key-id", "BYTES", .bytes, "The key identifier, 32 bytes."),
        .value("--challenge", "BYTES", .bytes, "The attestation's challenge; its SHA-256 is the client data hash."),
        .value(
            "--client-data-hash", "BYTES", .bytes, "The client data hash as the app passed it, in place of a challenge."
        ),
    ]
    static let commonOptions: [Option] = [
        .value("--team", "ID", .text, "The team ID (App ID prefix); with --bundle."),
        .value("--bundle", "ID", .text, "The bundle ID; with --team."),
        .value("--environment", "NAME", .words(["production", "development"]), "production or development."),
        .value(
            "--platform", "NAME", .words(["device", "macOS"]),
            "device or macOS (default: the platform in the certificate)."),
    ]
    /// The options for the server's policies, which are requirements beyond Apple's unconditional steps.
    static let policyOptions: [Option] = [
        .value(
            "--code-directory-hash", "HEX", .text,
            "Reject builds that are not listed; repeatable. 64 digits, or the\n40 that codesign prints, which also match whole hashes.",
            isRepeatable: true),
        .value(
            "--minimum-system", "VERSION", .text,
            "Reject keys that were attested on an older system than this, such as 26.1."),
    ]
    static let trustOption = Option.flag(
        "--trust-test-anchor",
        "Trust the root in the file and apply its policies: for files of simulate.\nProves nothing about a device: anyone can make such a root."
    )
    static let timeOption = Option.value(
        "--at", "TIME", .time, "When it was registered: ISO 8601 or Unix seconds (default: now).")

    var attestation: [UInt8]
    var keyID: Sourced<[UInt8]>
    /// The preimage of ``clientDataHash``, if an option or the file contains it.
    var challenge: Sourced<[UInt8]>?
    /// The bytes of the `--challenge` value, when the value is read as text instead of Base64.
    private let challengeAsText: (bytes: [UInt8], alphabet: String)?
    var clientDataHash: Sourced<[UInt8]>
    var app: AppInputs
    var time: Sourced<UnixTime>

    init(_ arguments: Arguments, file: ObjectFile?) throws {
        try arguments.checkAtMostOne(of: "--challenge", "--client-data-hash")
        attestation = try required(
            arguments.object("--attestation") ?? fromFile(file?.attestation?.bytes), in: file, "attestation"
        ).value
        keyID = try required(arguments.bytes("--key-id") ?? fromFile(file?.keyID?.bytes), in: file, "key-id")
        app = try AppInputs(arguments, file: file)
        time = try arguments.time("--at", inFile: file?.verifyAt)
        challengeAsText = arguments.value("--challenge").flatMap(byteValueAsText)

        if let hash = try arguments.bytes("--client-data-hash") {
            clientDataHash = hash
        } else if let challenge = try arguments.bytes("--challenge") ?? fromFile(file?.challenge?.bytes) {
            self.challenge = challenge
            clientDataHash = Sourced(value: [UInt8](SHA256.hash(data: challenge.value)), origin: challenge.origin)
            if challenge.origin == .file, let hash = file?.clientDataHash, hash.bytes != clientDataHash.value {
                throw UnusableInput(
                    "clientDataHash in the file is not the SHA-256 of its challenge; remove one of them")
            }
        } else if let hash = fromFile(file?.clientDataHash?.bytes) {
            clientDataHash = hash
        } else {
            throw UnusableInput("missing challenge: give --challenge, --client-data-hash or an object file with one")
        }
    }

    func verify() throws(PureAttestError) -> VerifiedAttestation { try verify(challenge: challenge?.value) }

    private func verify(challenge: [UInt8]?) throws(PureAttestError) -> VerifiedAttestation {
        if let challenge {
            return try app.verifier.verifyAttestation(
                attestation, keyID: keyID.value, challenge: challenge, at: time.value)
        }
        return try app.verifier.verifyAttestation(
            attestation, keyID: keyID.value, clientDataHash: clientDataHash.value, at: time.value)
    }

    /// Returns a hint if the object verifies when an option's value is read as text. The user then probably meant text.
    func hint(on error: PureAttestError) -> String? {
        guard error == .nonceMismatch, let text = challengeAsText, (try? verify(challenge: text.bytes)) != nil else {
            return nil
        }
        return asTextHint("--challenge", text.alphabet)
    }

    /// The inputs that determine the verdict, and the origin of each input.
    var report: InputReport {
        var report = InputReport()
        report.add("keyID", "Key ID", .base64(keyID.value), keyID.origin)
        if let challenge { report.add("challenge", "Challenge", .bytes(challenge.value), challenge.origin) }
        report.add("clientDataHash", "Client data hash", .bytes(clientDataHash.value), clientDataHash.origin)
        app.add(to: &report)
        report.add("time", "Time", .time(time.value), time.origin)
        return report
    }
}

/// The app that an object must belong to.
struct AppInputs {
    var appID: Sourced<AppID>
    /// The app's platform; `nil` means the platform that the certificate names.
    var platform: Sourced<AppID.Platform>?
    var environment: Sourced<Environment>
    /// The accepted builds; empty if all builds are accepted.
    var builds: [CodeDirectoryHash]
    var minimumSystem: SystemVersion?
    /// The test roots from a file of `simulate`, if the user trusts them instead of Apple's roots.
    private let testAnchors: TestAnchors?
    let verifier: AppAttestVerifier

    init(_ arguments: Arguments, file: ObjectFile?) throws {
        switch (arguments.value("--team"), arguments.value("--bundle")) {
        case (let team?, let bundle?):
            appID = Sourced(value: AppID(teamID: team, bundleID: bundle), origin: .option)
        case (nil, nil):
            appID = try required(fromFile((file?.appID?.utf8).map { AppID(bytes: $0) }), in: file, "team", "bundle")
        default: throw UnusableInput("--team and --bundle must be given together")
        }
        if let name = arguments.text("--platform") ?? fromFile(file?.platform) {
            // Also accepts the platform names that Apple uses in certificates and in documentation.
            switch String(decoding: name.value.lowercasedASCII, as: UTF8.self) {
            case "device", "ios", "ipados", "iphoneos", "tvos", "watchos", "visionos":
                platform = Sourced(value: .device, origin: name.origin)
            case "macos", "macosx": platform = Sourced(value: .macOS, origin: name.origin)
            default:
                throw UnusableInput(
                    "\(name.label("--platform")) takes device or macOS, not \(excerpt(name.value))\(suggestion(for: name.value, among: ["device", "macOS"]))"
                )
            }
        }
        builds = try arguments.values("--code-directory-hash").map { text in
            guard let hash = CodeDirectoryHash(hexEncoded: text) else {
                throw UnusableInput("--code-directory-hash takes 64 hexadecimal digits, or the first 40")
            }
            return hash
        }
        minimumSystem = try arguments.value("--minimum-system").map { text in
            guard let version = SystemVersion(ascii: text.utf8) else {
                throw UnusableInput("--minimum-system takes numbers between dots, such as 26.1, not \(excerpt(text))")
            }
            return version
        }
        let name = try required(arguments.text("--environment") ?? fromFile(file?.environment), in: file, "environment")
        switch name.value {
        case "production": environment = Sourced(value: .production, origin: name.origin)
        case "development": environment = Sourced(value: .development, origin: name.origin)
        default:
            let names = ["production", "development"]
            throw UnusableInput(
                "\(name.label("--environment")) takes production or development, not \(excerpt(name.value))\(suggestion(for: name.value, among: names))"
            )
        }
        testAnchors = try Self.testAnchors(arguments, file: file)
        let platforms = platform.map { [$0.value] } ?? [.device, .macOS]
        var apps: [AcceptedApp] = []
        for platform in platforms {
            let policies = testAnchors == nil ? ObjectFilePolicies() : file?.policies ?? ObjectFilePolicies()
            guard let app = policies.acceptedApp(AppID(bytes: appID.value.bytes, platform: platform)) else {
                throw UnusableInput("the policies in the file are malformed")
            }
            apps.append(
                AcceptedApp(
                    app.id,
                    launchPolicy: builds.isEmpty
                        ? app.launchPolicy
                        : .reportOnly(builds: .oneOf(builds, acceptsTruncated: builds.contains(where: \.isTruncated))),
                    systemPolicy: minimumSystem.map { SystemPolicy(minimumVersion: $0, minimumMacOSVersion: $0) }
                        ?? app.systemPolicy, agePolicy: app.agePolicy))
        }
        let verifier = AppAttestVerifier(acceptedApps: apps, environment: environment.value)
        if let testAnchors {
            guard let trusting = testAnchors.trusted(by: verifier) else {
                throw UnusableInput("testAnchor in the file is not two certificates")
            }
            self.verifier = trusting
        } else {
            self.verifier = verifier
        }
    }

    private static func testAnchors(_ arguments: Arguments, file: ObjectFile?) throws(UnusableInput) -> TestAnchors? {
        guard arguments.flag(AttestationInputs.trustOption) else { return nil }
        guard let anchors = file?.testAnchor else {
            throw UnusableInput(
                file == nil
                    ? "--trust-test-anchor needs a file from pure-attest simulate, which has the root"
                    : "--trust-test-anchor: the file has no testAnchor; use a file from pure-attest simulate")
        }
        return anchors
    }

    func add(to report: inout InputReport) {
        if testAnchors != nil { report.addTestAnchor() }
        report.add("appID", "App ID", .text(appID.value.description), appID.origin)
        if let platform { report.add("platform", "Platform", .text("\(platform.value)"), platform.origin) }
        report.add("environment", "Environment", .text("\(environment.value)"), environment.origin)
        if !builds.isEmpty {
            report.add("codeDirectoryHashes", "Accepted builds", .words(builds.map { "\($0)" }), .option)
        }
        if let minimumSystem { report.add("minimumSystem", "Minimum system", .text("\(minimumSystem)"), .option) }
    }
}

func asTextHint(_ option: String, _ alphabet: String) -> String {
    "\(option) was decoded as \(alphabet), but verifies as text: use \(option) text:…"
}

private func required<Value>(
    _ value: Sourced<Value>?, in file: ObjectFile?, _ names: String...
) throws(UnusableInput) -> Sourced<Value> {
    guard let value else {
        let options = names.map { "--" + $0 }.joined(separator: " and ")
        throw UnusableInput(
            "missing \(options) (\(file == nil ? "no object file given" : "not in the object file"))")
    }
    return value
}
