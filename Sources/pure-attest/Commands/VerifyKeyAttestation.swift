import PureBytes
import PureKeyAttestation
import PureKeyAttestationTesting
import VectorSupport

struct VerifyKeyAttestation: Command {
    static let name = "verify-key-attestation"
    static let summary = "Verify an Android key attestation: a certificate chain, leaf first."
    static let operands = [Operand(value: Value(name: "FILE", kind: .file), isRequired: true)]
    static let options: [Option] = [
        .value(
            "--challenge", "BYTES", .bytes,
            "The challenge that the server issued.\nRequired, unless the file has it or --report-only is given."),
        .value("--package", "NAME", .text, "The app's package name. Required like --challenge."),
        .value(
            "--signing-digest", "HEX", .text,
            "SHA-256 of the certificate that signs the app; colons are\nignored. Repeat for each one. Required like --challenge.",
            isRepeatable: true),
        .value(
            "--revocation", "FILE", .file,
            "Google's list, from https://android.googleapis.com/attestation/status.\nDefault: do not check revocation."
        ),
        .value("--at", "TIME", .time, "When to verify: ISO 8601 or Unix seconds. Default: as in the file, or now."),
        reportOption,
        AttestationInputs.trustOption, .json,
    ]
    private static let reportOption = Option.flag(
        "--report-only", "Verify chain, challenge and description, and report\npolicy failures.")
    static let discussion = """
        FILE, or - for standard input, has the certificates of KeyStore.getCertificateChain(), the root's or none last, as PEM
        or as DER one after the other (or its Base64). Or it is JSON with the members chain (a list of DER in Base64), challenge (Base64), packageName, signingDigests (hexadecimal), verifyAt (Unix seconds) and
        revocationList (Google's JSON as text), of which options take precedence; minimumVersion, the app's first accepted version
        code; and request (challenge, clientData and signature, in Base64), a signature of the key over client data that are the
        challenge, which is verified too. The policy is KeyAttestationPolicy.standard: hardware, a locked bootloader, a verified
        system, a key that was made there, patches of the last 12 months.
        Do not trust values that only the file gives: the chain's maker may have written them.
        \(byteValueHelp)
        """

    private let chain: [[UInt8]]
    private let challenge: Sourced<[UInt8]>?
    private let app: AndroidApp?
    private let revocation: RevocationStatusList?
    /// The revocation list in the file, which is used unless an option names another list.
    private let fileRevocation: [UInt8]?
    private let request: KeyAttestationFile.Request?
    private let test: KeyAttestationFile.Test?
    private let time: Sourced<UnixTime>
    private let inputs: InputReport
    private let isReportOnly: Bool
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        isReportOnly = arguments.flag(Self.reportOption)
        guard let path = arguments.operand else { throw UnusableInput("missing FILE: a certificate chain") }
        let file = try KeyAttestationFile(path: path)
        chain = file.chain
        challenge = try arguments.bytes("--challenge") ?? fromFile(file.challenge)
        let package = arguments.text("--package") ?? fromFile(file.packageName)
        let givenDigests = try arguments.values("--signing-digest").map { try Self.digest($0) }
        let digests =
            givenDigests.isEmpty
            ? Sourced(value: file.signingDigests, origin: .file) : Sourced(value: givenDigests, origin: .option)
        var appReport = InputReport()
        if let package, !digests.value.isEmpty {
            app = AndroidApp(
                packageName: package.value, signingDigests: digests.value, minimumVersion: file.minimumVersion)
            appReport.add("packageName", "Package", .text(package.value), package.origin)
            appReport.add(
                "signingDigests", "Signing digests", .words(digests.value.map { hexEncodedString($0) }), digests.origin)
            if let version = file.minimumVersion {
                appReport.add("minimumVersion", "Minimum version code", .number(version), .file)
            }
        } else {
            app = nil
        }
        time = try arguments.time("--at", inFile: file.verifyAt)
        let listByteCount: Sourced<Int>?
        if let path = arguments.value("--revocation") {
            let bytes = try fileBytes(path)
            do { revocation = try RevocationStatusList(json: bytes) } catch {
                throw UnusableInput("\(inputName(path)): \(error)")
            }
            fileRevocation = nil
            listByteCount = Sourced(value: bytes.count, origin: .option)
        } else {
            revocation = nil
            fileRevocation = file.revocationList
            listByteCount = fromFile(file.revocationList?.count)
        }
        request = isReportOnly ? nil : file.request
        test = arguments.flag(AttestationInputs.trustOption) ? file.test : nil
        var inputs = InputReport()
        if test != nil { inputs.addTestAnchor(inPlaceOf: "Google") }
        if let challenge { inputs.add("challenge", "Challenge", .bytes(challenge.value), challenge.origin) }
        inputs.add(appReport)
        if let count = listByteCount {
            inputs.add("revocationList", "Revocation list", .text("\(count.value) bytes"), count.origin)
        }
        if let request {
            inputs.add("signedRequest", "Signed request", .bytes([UInt8](request.clientData)), .file)
        }
        inputs.add("time", "Time", .time(time.value), time.origin)
        self.inputs = inputs
        guard test != nil || !arguments.flag(AttestationInputs.trustOption) else {
            throw UnusableInput("--trust-test-anchor needs a file from pure-attest simulate, which has the root")
        }
        guard isReportOnly || challenge != nil else {
            throw UnusableInput("missing --challenge; for a report without it, use --report-only")
        }
        guard isReportOnly || app != nil else {
            throw UnusableInput("missing --package and --signing-digest; for a report without them, use --report-only")
        }
        guard app != nil || !arguments.isGiven("--package") && !arguments.isGiven("--signing-digest") else {
            throw UnusableInput("--package and --signing-digest need each other; give both or neither")
        }
    }

    static func digest(_ text: String) throws(UnusableInput) -> [UInt8] {
        guard let digest = try? Hex.decode(text.utf8.filter { $0 != UInt8(ascii: ":") }), digest.count == 32 else {
            throw UnusableInput("--signing-digest takes 64 hexadecimal digits")
        }
        return digest
    }

    func run() throws -> ExitStatus {
        let verifier = try verifier()
        // If neither an option nor the file contains a challenge, uses the attested challenge, so that the later steps
        // are also reported.
        let unchecked = verifier.explain(chain: chain, challenge: [0], at: time.value, revocation: .notChecked)
        let expected =
            challenge?.value ?? unchecked.unverifiedDescription.map { [UInt8]($0.attestationChallenge) } ?? []
        let list: RevocationStatusList
        do {
            list =
                try revocation ?? fileRevocation.map { bytes throws(KeyAttestationError) in
                    try RevocationStatusList(json: bytes)
                } ?? .notChecked
        } catch let error as KeyAttestationError {
            // The file's list is unreadable. The report uses an empty list, and the output omits the revocation step.
            let report = verifier.explain(chain: chain, challenge: expected, at: time.value, revocation: .notChecked)
            conclude(report, error: error, causes: [], proof: nil, isListReadable: false)
            return .refused
        }
        let report = verifier.explain(chain: chain, challenge: expected, at: time.value, revocation: list)
        if isReportOnly {
            conclude(report, error: report.attestationError, causes: report.causes, proof: nil)
            return report.attestationError == nil ? .success : .refused
        }
        do throws(KeyAttestationError) {
            let proof = try verifier.verify(chain: chain, challenge: expected, at: time.value, revocation: list)
            if let request {
                _ = try verifier.verifySignature(
                    request.signature, challenge: ArraySlice(request.challenge),
                    signed: .clientData(request.clientData), key: proof.key)
            }
            conclude(report, error: nil, causes: [], proof: proof)
            return .success
        } catch {
            conclude(report, error: error, causes: report.causes, proof: nil)
            return .refused
        }
    }

    private func verifier() throws(UnusableInput) -> KeyAttestationVerifier {
        let apps = app.map { [$0] } ?? []
        guard let test else { return KeyAttestationVerifier(apps: apps) }
        guard let verifier = KeyAttestationVerifier.trusting(testRoot: test.root, apps: apps, policy: test.policy)
        else {
            throw UnusableInput("testRoot in the file is not a certificate")
        }
        return verifier
    }

    private func conclude(
        _ report: KeyAttestationReport, error: KeyAttestationError?, causes: [KeyAttestationReport.Cause],
        proof: VerifiedKeyAttestation?, isListReadable: Bool = true
    ) {
        let list: Origin? = revocation != nil ? .option : fileRevocation != nil && isListReadable ? .file : nil
        var fields = Report()
        fields.add(
            "challengeChecked", "Challenge checked", .bool(challenge != nil), note: challenge.map { $0.origin.note })
        fields.add(
            "revocationChecked", "Revocation checked", .bool(list != nil), note: list?.note)
        fields.add(
            "provisioning", "Provisioning",
            report.provisioning.map { .text($0 == .factory ? "factory" : "remote") } ?? .absent)
        fields.add(
            "certificatesIssued", "Certificates in 30 days",
            report.provisioningInformation?.certificatesIssued.map { .number(Int64(clamping: $0)) } ?? .absent)
        var steps = Report()
        for result in report.results where list != nil || result.step != .revocation {
            let code = result.error.map { RefusalReason($0).code }
            steps.add(
                "\(result.step)", "\(result.step)" + (result.step.isPolicy ? ", policy" : ""), .text(code ?? "passed"),
                note: result.error.map { "\($0)" }, colour: code == nil ? .green : .red)
        }
        fields.add("steps", "Steps", .group(steps))
        fields.add("causes", "Likely causes", .words(causes.map { caseName(of: $0) ?? "unknown" }))
        fields.add(
            "keyDescription", error == nil ? "Key description" : "Key description, unverified",
            report.unverifiedDescription.map { .group(Report($0)) } ?? .absent)
        if request != nil { fields.add("signatureVerified", "Signature verified", .bool(proof != nil)) }
        fields.add("keyRecord", "Key record", proof.map { .base64($0.key.serialized) } ?? .absent)
        let reason = error.map { RefusalReason($0) }
        if json {
            var members: [(String, JSON)] = [
                ("verified", .bool(error == nil)), ("reportOnly", .bool(isReportOnly)),
                ("trustsTestAnchor", .bool(test != nil)),
            ]
            members += RefusalReason.members(reason)
            members += inputs.jsonMembers
            members.append(("verifiedAt", .string("\(time.value)")))
            print(JSON.object(members + fields.jsonMembers).text + "\n")
        }
        if let reason {
            let causes = causes.map { "; likely: \($0)" }.joined()
            printErrorLine(.refused, reason.text, hint: causes)
        } else if !json {
            let verdict =
                test != nil
                ? "The key attestation verifies under a test root: no real device made it"
                : isReportOnly
                    ? "Chain and description are genuine\(inputs.caveat); policies were not enforced"
                    : "The key attestation is genuine\(inputs.caveat)"
            var report = Report()
            report.add("inputs", "Verified with", .group(inputs.fields))
            report.fields += fields.fields
            print((test == nil ? Colour.green : .yellow).text("\(verdict).") + "\n\(report.text)")
        }
    }
}
