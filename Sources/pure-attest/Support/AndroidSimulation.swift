import PureAppStoreTesting
import PureAttest
import PureAttestTesting
import PureBytes
import PureKeyAttestation
import PureKeyAttestationTesting

struct AndroidSimulation {
    static let options: [Option] = [
        .value(
            "--provisioning", "NAME", .words(["remote", "factory"]),
            "How the attestation key was provisioned: remote (default) or factory."
        ).only(with: "android"),
        .value(
            "--level", "NAME", .words(["trustedEnvironment", "strongBox"]),
            "Where keys are stored: trustedEnvironment (default) or strongBox."
        ).only(with: "android"),
        .value(
            "--key", "NAME", .words(VirtualAndroidDevice.KeyKind.allCases.map { "\($0)" }),
            "p256 (default), p384 or rsa2048."
        ).only(with: "android"),
    ]

    private let cases: [AndroidCase]
    private let roots: [(name: String, root: [UInt8])]

    init(corpusOf seed: UInt64, time: UnixTime) {
        cases = AndroidCorpus(seed: seed, time: time).cases
        let authority = TestAndroidAuthority(seed: seed)
        roots = [("android-remote-root", authority.remoteRoot), ("android-factory-root", authority.factoryRoot)]
    }

    init(
        _ arguments: Arguments, seed: UInt64, time: UnixTime, challenge: [UInt8], clientData: [UInt8]
    ) throws(UnusableInput) {
        let provisioning: Provisioning = try arguments.word("--provisioning") == "factory" ? .factory : .remote
        let level: SecurityLevel = try arguments.word("--level") == "strongBox" ? .strongBox : .trustedEnvironment
        let kind: VirtualAndroidDevice.KeyKind = try arguments.choice("--key") { "\($0)" } ?? .p256
        let fault = try arguments.word("--fault").map { id throws(UnusableInput) in
            guard let fault = AndroidFault(id: id) else {
                throw UnusableInput(
                    "the fault \(id) is for \(SignedDataFault(id: id) == nil ? "attest or assert" : "transaction"), not for android"
                )
            }
            return fault
        }
        let device = VirtualAndroidDevice(
            app: AndroidApp(
                packageName: KeyDescriptionDraft.package, signingDigests: [KeyDescriptionDraft.digest]),
            authority: TestAndroidAuthority(seed: seed), provisioning: provisioning, securityLevel: level, seed: seed,
            time: time)
        do {
            let item = try device.makeCase(
                "android", kind, challenge: challenge, requestChallenge: clientData, breaking: fault)
            cases = [item]
            roots = [("android-root", item.root)]
        } catch .faultDoesNotApply {
            throw UnusableInput(
                "a key with \(provisioning) provisioning cannot have the fault \(fault?.id ?? ""); change --provisioning"
            )
        } catch {
            throw UnusableInput("--challenge and --client-data need at least one byte")
        }
    }

    /// Writes the roots and a file for each case. Returns the number of cases.
    func write(to folder: OutputFolder) throws(UnusableInput) -> Int {
        for item in cases {
            try folder.write("\(item.name).json", item.json)
            guard cases.count == 1 else { continue }
            let blocks = item.certificateChain.flatMap { PEM.encode($0, label: .certificate) }
            try folder.write("\(item.name).pem", blocks)
            try folder.write("revocation.json", item.revocationList)
        }
        for (name, root) in roots { try folder.write("\(name).pem", PEM.encode(root, label: .certificate)) }
        return cases.count
    }
}

// Creates files in the format that `verify-key-attestation` reads.

extension AndroidCase {
    fileprivate var json: JSON {
        .object([
            ("name", .string(name)),
            ("provisioning", .string("\(provisioning)")), ("securityLevel", .string("\(securityLevel)")),
            ("key", .string("\(keyKind)")), ("testRoot", .base64(root)),
            ("packageName", .string(String(decoding: app.packageNameUTF8, as: UTF8.self))),
            ("minimumVersion", app.minimumVersion.map { .integer($0) } ?? .null),
            (
                "signingDigests",
                .array(app.signingDigests.map { .string(String(decoding: Hex.encode($0), as: UTF8.self)) })
            ),
            (
                "policy",
                .object([
                    ("minimumSecurityLevel", .string("\(policy.minimumSecurityLevel)")),
                    ("minimumOSVersion", number(policy.minimumOSVersion)),
                    ("minimumPatchLevel", number(policy.minimumPatchLevel)),
                    ("requiresRemoteProvisioning", .bool(policy.requiresRemoteProvisioning)),
                    ("maximumCertificatesIssued", number(policy.maximumCertificatesIssued)),
                ])
            ),
            ("verifyAt", .integer(time.secondsSince1970)), ("verifyAtUTC", .string("\(time)")),
            ("revocationList", .string(String(decoding: revocationList, as: UTF8.self))),
            ("challenge", .base64(challenge)), ("chain", .array(certificateChain.map { .base64($0) })),
            (
                "request",
                .object([
                    ("challenge", .base64(requestChallenge)), ("clientData", .base64(clientData)),
                    ("signature", .base64(signature)),
                ])
            ),
            ("expect", expectation),
        ])
    }

    private var expectation: JSON {
        guard let fault, let error else { return .object([("verifies", .bool(true))]) }
        return .object(
            [
                ("verifies", .bool(false)), ("fault", .string(fault.id)),
                ("severity", .string(fault.severity.rawValue)), ("rule", .string(fault.rule)),
                ("isOfSignature", .bool(fault.isOfSignature)),
            ] + RefusalReason.members(RefusalReason(error)))
    }
}

private func number(_ number: UInt64?) -> JSON { number.map { .integer(Int64(clamping: $0)) } ?? .null }
