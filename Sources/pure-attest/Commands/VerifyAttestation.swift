import PureAttest

struct VerifyAttestation: Command {
    static let name = "verify-attestation"
    static let summary = "Verify an attestation and print what it proves."
    static let operands = [Operand.objectFile]
    static let options =
        AttestationInputs.options + AttestationInputs.commonOptions + AttestationInputs.policyOptions
        + [AttestationInputs.timeOption, AttestationInputs.trustOption, .json]
    static let discussion = """
        \(ObjectFile.help)
        \(objectValueHelp)
        A server stores the key record in the output. Pass it to verify-assertion as --key-record.
        """

    private let inputs: AttestationInputs
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        let file = try arguments.operand.map { try ObjectFile(path: $0) }
        inputs = try AttestationInputs(arguments, file: file)
    }

    func run() throws -> ExitStatus {
        var verdict = Verdict(.attestation, inputs: inputs.report)
        do {
            verdict.proved.append(try inputs.verify().report)
        } catch {
            verdict.refusal = RefusalReason(error, hint: inputs.hint(on: error))
        }
        return verdict.conclude(json: json)
    }
}

extension VerifiedAttestation {
    var report: Report {
        var report = Report()
        report.add("appID", "App ID", .text(appID.description))
        report.add("environment", "Environment", .text("\(key.environment)"))
        report.add("keyID", "Key ID", .base64(key.keyID))
        report.add("publicKey", "Public key (X9.62)", .bytes(key.publicKeyX963))
        report.add("counter", "Counter", .number(Int64(key.counter)))
        report.addLaunchInformation(
            launchInformation, unverified: unverifiedLaunchInformation, unsigned: unverifiedCodeDirectoryHash)
        report.add("osVersion", "OS version", osVersion.map { .text($0) } ?? .absent)
        report.add("platform", "Platform", system.platform.map { .text($0.description) } ?? .absent)
        report.add("systemBuild", "System build", system.build.map { .text($0.description) } ?? .absent)
        report.add(
            "releaseType", "Release type", system.releaseType.map { .text($0) } ?? .absent,
            note: system.releaseType == nil ? nil : "not a public release")
        report.add("keyRecord", "Key record", .base64(key.serialized))
        report.add(
            "unverifiedReceipt", "Receipt", .bytes([UInt8](unverifiedReceipt.unverifiedBytes)), note: "not verified")
        return report
    }
}

extension Report {
    /// Adds the values that iOS 27 and later send. Values not provably from the system have different names.
    mutating func addLaunchInformation(
        _ information: LaunchInformation, unverified: LaunchInformation?, unsigned: CodeDirectoryHash? = nil
    ) {
        add(
            "validationCategory", "Validation category",
            information.validationCategory.map { .number(Int64($0.rawValue)) } ?? .absent,
            note: information.validationCategory.flatMap(\.name))
        add("bundleVersion", "Bundle version", information.bundleVersion.map { .text($0.description) } ?? .absent)
        add(
            "codeDirectoryHash", "Code directory hash",
            information.codeDirectoryHash.map { .text($0.description) } ?? .absent)
        if let unsigned {
            add(
                "unverifiedCodeDirectoryHash", "Unverified build", .text(unsigned.description),
                note: "unsigned: the app may have written it")
        }
        guard let unverified else { return }
        var report = Report()
        report.addLaunchInformation(unverified, unverified: nil)
        add(
            "unverifiedLaunchInformation", "Unverified launch information", .group(report),
            note: "not trusted: the ED flag is clear, so the app may have written it")
    }
}

extension ValidationCategory {
    fileprivate var name: String? {
        switch self {
        case .platform: "platform"
        case .testFlight: "TestFlight"
        case .development: "development"
        case .appStore: "App Store"
        case .enterprise: "enterprise or ad hoc"
        case .developerID: "Developer ID"
        case .uncategorized: "none"
        default: nil
        }
    }
}
