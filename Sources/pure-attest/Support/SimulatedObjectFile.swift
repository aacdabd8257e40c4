import PureAttest
import PureAttestTesting
import PureSHA2

// Creates object files of virtual devices (see `Vectors/README.md`).

extension CorpusCase {
    /// The members of the file that describe the device. They do not include the objects.
    var deviceJSON: JSON {
        .object([
            ("name", .string(name)), ("appID", .string(app.description)), ("environment", .string("\(environment)")),
            ("system", .string(system.rawValue)), ("keyID", .base64(keyID)), ("publicKeyX963", .base64(publicKeyX963)),
            ("testAnchor", anchors),
        ])
    }

    var json: JSON {
        .object([
            ("name", .string(name)),
            (
                "source",
                .object([
                    ("repo", .string("pure-attest simulate")), ("path", .string("--seed \(seed)")),
                    ("licence", .string("made for tests, free to use")), ("commit", .null),
                ])
            ),
            ("appID", .string(app.description)),
            ("platform", .string(app.platform == .macOS ? "macOS" : "device")),
            ("environment", .string("\(environment)")),
            ("testAnchor", anchors), ("launchPolicy", policy), ("systemPolicy", systemPolicy), ("agePolicy", agePolicy),
            ("verifyAt", .integer(time.secondsSince1970)), ("verifyAtUTC", .string("\(time)")),
            ("keyID", .base64(keyID)), ("challenge", .base64(challenge)),
            ("clientDataHash", .base64([UInt8](SHA256.hash(data: challenge)))),
            ("clientDataHashDerivation", .string("sha256(challenge)")),
            ("attestation", .base64(attestation)),
            (
                "expect",
                .object(
                    verdict.members + [
                        ("publicKeyX963", .base64(publicKeyX963)), ("counter", .integer(0)),
                        ("validationCategory", category), ("bundleVersion", version),
                        ("osVersion", .string(system.version)),
                        ("leafNotBefore", .integer(leafNotBefore.secondsSince1970)),
                        ("leafNotAfter", .integer(leafNotAfter.secondsSince1970)),
                    ])
            ),
            ("assertions", .array(assertions.map { assertionJSON($0) })),
            ("receipts", .array(verdict.fault == nil ? [receiptJSON] : [])),
        ])
    }

    private func assertionJSON(_ item: Assertion) -> JSON {
        .object(
            [
                ("assertion", .base64(item.assertion)), ("clientData", .base64(item.clientData)),
                ("clientDataHash", .base64([UInt8](SHA256.hash(data: item.clientData)))),
                ("challenge", .base64(item.challenge)), ("verifyAt", .integer(item.time.secondsSince1970)),
                ("previousCounter", .integer(Int64(item.previousCounter))), ("counter", .integer(Int64(item.counter))),
                ("flags", .string("0x" + String(system.assertionFlags, radix: 16))),
                ("authenticatorDataLength", .integer(Int64(assertionDataLength))),
                ("validationCategory", category), ("bundleVersion", version),
            ] + item.verdict.members)
    }

    private var receiptJSON: JSON {
        .object(
            [
                ("where", .string("attStmt.receipt")), ("receipt", .null),
                ("indefiniteLength", .bool(receiptEncoding == .indefiniteLength)),
                ("verifyAt", .integer(time.secondsSince1970)),
                (
                    "fields",
                    .object([
                        ("appId", .string(app.description)), ("type", .string("ATTEST")),
                        (
                            "environment(undocumented)",
                            .string(environment == .production ? "production" : "sandbox")
                        ),
                    ])
                ),
            ] + receiptVerdict.members)
    }

    private var anchors: JSON {
        .object([("attestationRoot", .base64(attestationRoot)), ("receiptRoot", .base64(receiptRoot))])
    }

    private var policy: JSON {
        guard demandsLaunchInformation else { return .null }
        guard system.sendsLaunchInformation else {
            return .object([
                ("validationCategories", .array([.integer(4)])), ("bundleVersions", .null),
                ("codeDirectoryHashes", .null),
            ])
        }
        return .object([
            ("validationCategories", .array([category])), ("bundleVersions", .array([version])),
            ("codeDirectoryHashes", codeDirectoryHash.map { .array([.base64($0)]) } ?? .null),
        ])
    }

    private var systemPolicy: JSON {
        let policy = acceptedApp.systemPolicy
        func version(_ version: SystemVersion?) -> JSON { version.map { .string("\($0)") } ?? .null }
        return .object([
            ("minimumVersion", version(policy.minimumVersion)),
            ("minimumMacOSVersion", version(policy.minimumMacOSVersion)),
            ("acceptsPrereleases", .bool(policy.acceptsPrereleases)),
        ])
    }

    private var agePolicy: JSON {
        let policy = acceptedApp.agePolicy
        func number(_ number: UInt32?) -> JSON { number.map { .integer(Int64($0)) } ?? .null }
        return .object([
            ("maximumAttestationAge", number(policy.maximumAttestationAge)),
            ("maximumKeyAge", number(policy.maximumKeyAge)),
            ("maximumCounterStep", number(policy.maximumCounterStep)),
        ])
    }

    private var category: JSON { validationCategory.map { .integer(Int64($0.rawValue)) } ?? .null }
    private var version: JSON { bundleVersion.map { .string($0.description) } ?? .null }
}

extension CorpusVerdict {
    /// The member `verifies`; for a faulty object, also the members that describe the fault.
    fileprivate var members: [(String, JSON)] {
        guard let fault, let error else { return [("verifies", .bool(true))] }
        return [
            ("verifies", .bool(false)), ("fault", .string(fault.id)), ("severity", .string(fault.severity.rawValue)),
            ("rule", .string(fault.rule)),
        ] + RefusalReason.members(RefusalReason(error))
    }
}
