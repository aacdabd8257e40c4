import PureAppStore
import PureDER
import PureJSON
import PureJWS
import PureX509
import PureX509Paths

struct VerifyTransaction: Command {
    static let name = "verify-transaction"
    static let summary = "Verify App Store data: a transaction, renewal info, app transaction or notification."
    static let operands = [Operand(value: Value(name: "FILE", kind: .file), isRequired: true)]
    static let options: [Option] = [
        .value("--bundle-id", "ID", .text, "The app's bundle ID. Required."),
        .value(
            "--apple-id", "N", .number(1...UInt64(Int64.max)),
            "The app's Apple ID, as App Store Connect shows it.\nRequired with --environment production, rejected with others."
        ),
        .value(
            "--environment", "NAME", .words(AppStoreEnvironment.allCases.map(\.word)),
            "The only accepted environment: production (default),\nsandbox, xcode or local-testing."),
        .value(
            "--kind", "NAME", .words(SignedDataReport.Kind.allCases.map(\.word)),
            "transaction (default), renewal-info, app-transaction or\nnotification."),
        .value("--at", "TIME", .time, "When to verify: ISO 8601 or Unix seconds. Default: now."),
        .value(
            "--certificates-valid", "NAME", .words(["signing", "now"]),
            "When the certificates must be valid: signing (default), when\nthe App Store signed the data, or now, at the time of --at.\nNot with xcode and local-testing."
        ),
        .value(
            "--ocsp", "FILE", .file,
            "An OCSP response in DER. Repeat for leaf and intermediate.\nDefault: do not check revocation.",
            isRepeatable: true),
        .value(
            "--root", "FILE", .file,
            "A test root to trust in place of Apple's, as PEM or DER.\nWith xcode and local-testing: the certificate that Xcode saves."
        ),
        .json,
    ]
    static let discussion = """
        FILE, or - for standard input, has a JWS in compact serialization. White space around it is ignored. With --kind
        notification, FILE may also have the body of the App Store's request, {"signedPayload":"..."}. The command then also
        verifies the data inside the notification.

        The command trusts Apple Root CA - G3 only, and the certificates that Apple issues for App Store data only. It opens no
        connection: fetch OCSP responses from the address in each certificate. Renewal information names no app, so no option
        is compared with it: compare its original transaction ID with a transaction.

        If the data is refused, the command prints the outcome of every step. A step that lacks the result of a failed one is
        not run.
        """

    private typealias Proof = (fields: Report, members: JSONObject)

    private let text: [UInt8]
    private let kind: SignedDataReport.Kind
    private let verifier: SignedDataVerifier
    private let root: Certificate?
    private let responses: [OCSPResponse]
    private let time: Sourced<UnixTime>
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        kind = try arguments.choice("--kind", \.word) ?? .transaction
        let environment: AppStoreEnvironment = try arguments.choice("--environment", \.word) ?? .production
        let certificatesAreValidNow = try arguments.word("--certificates-valid") == "now"
        let appleID = try arguments.number("--apple-id", as: Int64.self)
        time = try arguments.time("--at", inFile: nil)
        root = try arguments.value("--root").map { path throws(UnusableInput) in try certificate(path: path) }
        responses = try arguments.values("--ocsp").map { path throws(UnusableInput) in try ocspResponse(path: path) }
        guard let path = arguments.operand else { throw UnusableInput("missing FILE: a JWS") }
        text = try signedText(path: path, kind: kind)
        guard let bundleID = arguments.value("--bundle-id") else {
            throw UnusableInput("missing --bundle-id; it names the app that the data must belong to")
        }
        guard !bundleID.isEmpty else { throw arguments.wrong("--bundle-id", bundleID) }
        guard environment != .production || appleID != nil else {
            throw UnusableInput(
                "missing --apple-id; App Store Connect shows it (for test purchases: --environment sandbox)")
        }
        guard environment == .production || appleID == nil else {
            throw UnusableInput("--apple-id is compared only with --environment production; remove it")
        }
        guard !environment.isLocal || !arguments.isGiven("--certificates-valid") else {
            throw UnusableInput("--certificates-valid has no effect with --environment \(environment.word); remove it")
        }
        guard !environment.isLocal || responses.isEmpty else {
            throw UnusableInput("--ocsp cannot be used with --environment \(environment.word)")
        }
        var verifier = try Self.verifier(bundleID: bundleID, appleID: appleID, environment, root: root)
        verifier.certificateTime = certificatesAreValidNow ? .verification : .signedDate
        self.verifier = verifier
    }

    private static func verifier(
        bundleID: String, appleID: Int64?, _ environment: AppStoreEnvironment, root: Certificate?
    ) throws(UnusableInput) -> SignedDataVerifier {
        if environment.isLocal {
            guard let root else {
                throw UnusableInput(
                    "missing --root; with --environment \(environment.word) it is the certificate that Xcode saves (Editor, Save Public Certificate)"
                )
            }
            guard case .p256(let key) = root.publicKey else {
                throw UnusableInput("--root: the certificate's key is not a P-256 key, as Xcode's are")
            }
            do {
                return try SignedDataVerifier(bundleIDUTF8: bundleID.utf8, environment: environment, localKey: key)
            } catch {
                throw UnusableInput("--root: \(error)")
            }
        }
        do {
            guard let root else {
                return try SignedDataVerifier(bundleID: bundleID, appAppleID: appleID, environment: environment)
            }
            return try SignedDataVerifier(
                bundleIDUTF8: bundleID.utf8, appAppleID: appleID, environment: environment, testRoots: [root])
        } catch { throw UnusableInput("--root: \(error)") }
    }

    func run() throws -> ExitStatus {
        do throws(AppStoreError) {
            conclude(proved: try verify(), error: nil)
            return .success
        } catch {
            conclude(proved: nil, error: error)
            return .refused
        }
    }

    private func verify() throws(AppStoreError) -> Proof {
        switch kind {
        case .transaction:
            let proved = try verifier.verifyAndDecodeTransaction(
                signedTransaction: text, ocspResponses: responses, at: time.value)
            return (Report(proved), proved.members)
        case .renewalInfo:
            let proved = try verifier.verifyAndDecodeRenewalInfo(
                signedRenewalInfo: text, ocspResponses: responses, at: time.value)
            return (Report(proved), proved.members)
        case .appTransaction:
            let proved = try verifier.verifyAndDecodeAppTransaction(
                signedAppTransaction: text, ocspResponses: responses, at: time.value)
            return (Report(proved), proved.members)
        case .notification:
            let proved = try verifier.verifyAndDecodeNotification(
                signedPayload: text, ocspResponses: responses, at: time.value)
            return (Report(proved), proved.members)
        }
    }

    private func conclude(proved: Proof?, error: AppStoreError?) {
        let reason = error.map { RefusalReason($0, hint: hint(on: $0)) }
        let report = verifier.explain(kind, text, ocspResponses: responses, at: time.value)
        let steps = Report(report)
        if json {
            let verdict: [(String, JSON)] =
                [("verified", .bool(error == nil)), ("trustsTestAnchor", .bool(root != nil))]
                + RefusalReason.members(reason)
            let content: [(String, JSON)] = [
                ("kind", .string(kind.word)), ("inputs", inputs.json), ("steps", steps.json),
                ("content", proved?.fields.json ?? .null), ("members", proved.map { JSON($0.members) } ?? .null),
            ]
            print(JSON.object(verdict + content).text + "\n")
        } else {
            print(text(proved: proved, steps: steps))
        }
        reason?.printLine()
    }

    private func text(proved: Proof?, steps: Report) -> String {
        var report = Report()
        report.add("inputs", "Verified with", .group(inputs))
        guard let proved else {
            report.add("steps", "Steps", .group(steps))
            let warning = root == nil ? "" : Colour.yellow.text("Checked under \(anchor), not Apple's root.") + "\n"
            return warning + report.text
        }
        report.add("content", "Proved", .group(proved.fields))
        let verdict =
            root == nil
            ? "The \(kind.title) is genuine"
            : "The \(kind.title) verifies under \(anchor), not Apple's root: the App Store did not sign it"
        return (root == nil ? Colour.green : .yellow).text("\(verdict).") + "\n" + report.text
    }

    /// Describes the trusted key, for a verification that does not trust Apple's root.
    private var anchor: String { verifier.environment.isLocal ? "the key of --root" : "the test root of --root" }

    private var inputs: Report {
        var report = Report()
        report.add("bundleID", "Bundle ID", .text(String(decoding: verifier.bundleIDUTF8, as: UTF8.self)))
        report.add("appleID", "Apple ID", verifier.appAppleID.map { .number($0) } ?? .absent)
        report.add("environment", "Environment", .text("\(verifier.environment)"))
        report.add("time", "Time", .time(time.value), note: time.origin.note)
        report.add(
            "certificatesValid", "Certificates valid",
            .text(verifier.certificateTime == .signedDate ? "signing" : "now"))
        report.add(
            "root", "Trusted root", .text(root == nil ? "Apple Root CA - G3" : "\(anchor), not Apple's root"),
            colour: root == nil ? nil : .yellow)
        report.add("ocspResponses", "OCSP responses", .number(Int64(responses.count)))
        return report
    }

    private func hint(on error: AppStoreError) -> String? {
        switch error {
        case .otherEnvironment(let environment): "to accept it, use --environment \(environment.word)"
        case .otherBundleID: "--bundle-id names another"
        case .otherAppAppleID: "--apple-id names another"
        case .memberMissing(let name) where name.isEqual(to: "environment"):
            "data that the App Store signed before March 2022 has none"
        case .memberMissing, .invalidMember, .invalidNotificationContent: "check --kind"
        case .transaction(let error), .renewalInfo(let error), .appTransaction(let error): hint(on: error)
        case .signature(.untrustedRoot) where root == nil: "for data of a test App Store, give its --root"
        case .signature(.certificateChain(.expired(_, _, _))) where verifier.certificateTime == .verification:
            "for stored data, use --certificates-valid signing"
        case .signature(.notCompactSerialization): "FILE must have a JWS: three parts of base64url between periods"
        default: nil
        }
    }
}
