import PureAttest
import PureBytes
import PureSHA2

/// Where a value came from: it decides what "verified" is worth.
enum Origin {
    /// The object file: whoever made the object may have made it too.
    case file
    /// The command line.
    case option
    /// The system's clock.
    case clock

    var note: String {
        switch self {
        case .file: "from the file"
        case .option: "given"
        case .clock: "now"
        }
    }
}

/// A value and its origin.
struct Sourced<Value> {
    var value: Value
    var origin: Origin
}

/// Everything that verifying an attestation needs, from options and an object file; an option wins over the file.
struct AttestationInputs {
    static let options: [Option] = [
        .value("--attestation", "BYTES", "The attestation object (CBOR)."),
        .value("--key-id", "BYTES", "The key identifier, 32 bytes."),
        .value("--challenge", "BYTES", "The attestation's challenge; its SHA-256 is the client data hash."),
        .value("--client-data-hash", "BYTES", "The client data hash as the app passed it, in place of a challenge."),
    ]
    static let commonOptions: [Option] = [
        .value("--team", "ID", "The team ID (App ID prefix); with --bundle."),
        .value("--bundle", "ID", "The bundle ID; with --team."),
        .value("--environment", "NAME", "production or development."),
        .value("--platform", "NAME", "device or macOS. Without: the one that the certificate names."),
    ]
    /// What a server asks beyond Apple's unconditional steps.
    static let policyOptions: [Option] = [
        .values(
            "--code-directory-hash", "HEX",
            "Refuse builds that are not listed; repeatable. 64 digits, or the\n40 that codesign prints, which also match whole hashes."
        ),
        .value("--minimum-system", "VERSION", "Refuse keys that were attested on an older system, such as 26.1."),
    ]
    static let timeOption = Option.value(
        "--at", "TIME", "When it was registered: ISO 8601 or Unix seconds. Without: now.")

    var attestation: [UInt8]
    var keyID: Sourced<[UInt8]>
    /// What was hashed to make ``clientDataHash``, if the caller or the file says.
    var challenge: Sourced<[UInt8]>?
    var clientDataHash: Sourced<[UInt8]>
    var app: AppInputs
    var time: Sourced<UnixTime>

    init(_ arguments: Arguments, file: ObjectFile?) throws {
        try arguments.checkAtMostOne(of: "--challenge", "--client-data-hash")
        attestation = try required(
            arguments.bytes("--attestation") ?? fromFile(file?.attestation?.bytes), "attestation"
        ).value
        keyID = try required(arguments.bytes("--key-id") ?? fromFile(file?.keyID?.bytes), "key-id")
        app = try AppInputs(arguments, file: file)
        time = try arguments.time("--at", file: file)

        if let hash = try arguments.bytes("--client-data-hash") {
            clientDataHash = hash
        } else if let challenge = try arguments.bytes("--challenge") ?? fromFile(file?.challenge?.bytes) {
            self.challenge = challenge
            clientDataHash = Sourced(value: [UInt8](SHA256.hash(data: challenge.value)), origin: challenge.origin)
            if challenge.origin == .file, let hash = file?.clientDataHash, hash.bytes != clientDataHash.value {
                throw UnusableInput("the file contradicts itself: clientDataHash is not the SHA-256 of challenge")
            }
        } else if let hash = fromFile(file?.clientDataHash?.bytes) {
            clientDataHash = hash
        } else {
            throw UnusableInput("the challenge is missing: --challenge or --client-data-hash, or a file with one")
        }
    }

    func verify() throws(PureAttestError) -> VerifiedAttestation {
        let verifier = app.verifier
        if let challenge {
            return try verifier.verifyAttestation(
                attestation, keyID: keyID.value, challenge: challenge.value, at: time.value)
        }
        return try verifier.verifyAttestation(
            attestation, keyID: keyID.value, clientDataHash: clientDataHash.value, at: time.value)
    }

    /// What the verdict depends on, each with its origin.
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
    /// `nil`: the rules of whatever platform the certificate names.
    var platform: Sourced<AppID.Platform>?
    var environment: Sourced<Environment>
    /// The accepted builds; none: any.
    var builds: [CodeDirectoryHash]
    var minimumSystem: SystemVersion?

    init(_ arguments: Arguments, file: ObjectFile?) throws {
        switch (arguments.value("--team"), arguments.value("--bundle")) {
        case (let team?, let bundle?):
            appID = Sourced(value: AppID(teamID: team, bundleID: bundle), origin: .option)
        case (nil, nil):
            appID = try required(fromFile((file?.appID?.utf8).map { AppID(bytes: $0) }), "team", "bundle")
        default: throw UnusableInput("--team and --bundle go together")
        }
        if let name = arguments.text("--platform") ?? fromFile(file?.platform) {
            // Apple's names of platforms too, in certificates and for people.
            switch name.value.lowercased() {
            case "device", "ios", "ipados", "iphoneos", "tvos", "watchos", "visionos":
                platform = Sourced(value: .device, origin: name.origin)
            case "macos", "macosx": platform = Sourced(value: .macOS, origin: name.origin)
            default: throw UnusableInput("\(name.value) is no platform: device or macOS")
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
                throw UnusableInput("--minimum-system takes numbers between dots, such as 26.1, not \(text)")
            }
            return version
        }
        let name = try required(arguments.text("--environment") ?? fromFile(file?.environment), "environment")
        switch name.value {
        case "production": environment = Sourced(value: .production, origin: name.origin)
        case "development": environment = Sourced(value: .development, origin: name.origin)
        default: throw UnusableInput("\(name.value) is no environment: production or development")
        }
    }

    var verifier: AppAttestVerifier {
        let platforms = platform.map { [$0.value] } ?? [.device, .macOS]
        return AppAttestVerifier(
            apps: platforms.map { AppID(bytes: appID.value.bytes, platform: $0) }, environment: environment.value,
            launchPolicy: builds.isEmpty
                ? .reportOnly
                : .reportOnly(builds: .oneOf(builds, acceptsTruncated: builds.contains(where: \.isTruncated))),
            systemPolicy: SystemPolicy(minimumVersion: minimumSystem, minimumMacOSVersion: minimumSystem))
    }

    func add(to report: inout InputReport) {
        report.add("appID", "App ID", .text(appID.value.description), appID.origin)
        if let platform { report.add("platform", "Platform", .text("\(platform.value)"), platform.origin) }
        report.add("environment", "Environment", .text("\(environment.value)"), environment.origin)
        if !builds.isEmpty {
            report.add("codeDirectoryHashes", "Accepted builds", .words(builds.map { "\($0)" }), .option)
        }
        if let minimumSystem { report.add("minimumSystem", "Minimum system", .text("\(minimumSystem)"), .option) }
    }
}

/// The inputs of a verification with the origin of each. The objects themselves are not among them.
struct InputReport {
    private(set) var fields = Report()
    private var fieldsFromFile: [Report.Field] = []

    mutating func add(_ key: String, _ label: String, _ content: Report.Content, _ origin: Origin) {
        fields.add(key, label, content, note: origin.note)
        if origin == .file, let field = fields.fields.last { fieldsFromFile.append(field) }
    }

    mutating func add(_ other: InputReport) {
        fields.fields += other.fields.fields
        fieldsFromFile += other.fieldsFromFile
    }

    /// What weakens a verdict on these inputs: values that came with the object are as good as whoever wrote the file.
    var caveat: String {
        let labels = fieldsFromFile.map(\.label)
        return labels.isEmpty ? "" : " and consistent with what its own file says: \(labels.joined(separator: ", "))"
    }

    var keysFromFile: Report.Content { .words(fieldsFromFile.map(\.key)) }
}

private func fromFile<Value>(_ value: Value?) -> Sourced<Value>? {
    value.map { Sourced(value: $0, origin: .file) }
}

private func required<Value>(_ value: Sourced<Value>?, _ names: String...) throws(UnusableInput) -> Sourced<Value> {
    guard let value else {
        let options = names.map { "--" + $0 }.joined(separator: " and ")
        throw UnusableInput("\(options) \(names.count == 1 ? "is" : "are") missing, and no file has the value")
    }
    return value
}

extension Arguments {
    func text(_ name: String) -> Sourced<String>? { value(name).map { Sourced(value: $0, origin: .option) } }

    func bytes(_ name: String) throws -> Sourced<[UInt8]>? {
        try value(name).map { Sourced(value: try byteValue($0, of: name), origin: .option) }
    }

    func time(_ name: String, file: ObjectFile?) throws -> Sourced<UnixTime> {
        if let text = value(name) { return Sourced(value: try UnixTime(text: text), origin: .option) }
        return fromFile(file?.verifyAt.map(UnixTime.init(secondsSince1970:))) ?? Sourced(value: .now, origin: .clock)
    }
}
