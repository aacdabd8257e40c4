import VectorSupport

struct Vectors: Command {
    static let name = "vectors"
    static let summary = "Run files of published test vectors."
    static let operands = [
        Operand(value: Value(name: "PATH", kind: .fileOrFolder), isRequired: true, isRepeatable: true)
    ]
    static let options: [Option] = [
        .value("--deviations", "FILE", .file, "Cases with an expected deviation from their files; see below."),
        .value(
            "--informational", "NAME", .text, "Ignore this member of path cases (repeatable); see below.",
            isRepeatable: true),
        .flag(
            AttestationInputs.trustOption.name,
            "Run object files of simulate under the root and the policies in each file.\nDefault: skip these files."
        ),
        .json,
    ]
    static let discussion = """
        PATH is a file (- is standard input) or a folder. In a folder, files of an unrecognised format are ignored.

        The command recognises a format by its content: Wycheproof JSON (ECDSA signatures in DER and P1363, ECDH public keys as points
        and SubjectPublicKeyInfo), NIST CAVP (SHA-2, SigVer, SigGen, PKV, KeyPair) and ACVP internalProjection (SHA2, HMAC,
        ECDSA sigVer and keyVer), files in the format of x509-limbo, RFC 8949 appendices A and F and canonical CBOR, DER
        values, App Attest object files, and the adversarial objects of this package. A file has 256 MB at most.

        The command skips cases that this package does not support and counts them by reason. It also skips cases with an
        unsupported input, such as a choice of signature algorithms or randomised messages.

        A path case with a member of unknown meaning is skipped: the member may change the verdict. Members that only inform, such as
        description, family, related and notes, are ignored. --informational names more. It rejects members that change verdicts,
        such as crls and the initial policies.

        --deviations names a JSON file:
          {"deviations": [{"file": "limbo.json", "case": "rfc5280::nc::x", "outcome": "refused", "reason": "why"}]}
        file is the name of the suite's file or the end of its path. case and outcome are those of the failure's line ("failed:
        CASE (OUTCOME)"): accepted, refused or differs. A listed case with the listed outcome does not fail. An entry is stale,
        and a failure, if its case has another outcome or did not run, or if its file is not part of the run.

        Exit status: 0 every case that ran passed, 1 a case failed or a deviation is stale, 2 a file is unreadable or has an
        unrecognised format (except in a folder), or no case of a PATH ran.
        """

    private struct Result {
        let path: String
        let file: VectorFile
    }

    private let paths: [String]
    private let deviations: SuiteDeviations?
    private let trustsTestAnchors: Bool
    private let informational: InformationalMembers
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        paths = arguments.operands
        trustsTestAnchors = arguments.flag(AttestationInputs.trustOption)
        do { informational = try InformationalMembers(arguments.values("--informational")) } catch {
            throw UnusableInput("--informational: \(Self.reason(error, unknown: ""))")
        }
        deviations = try arguments.value("--deviations").map { path in
            do { return try SuiteDeviations(json: Data(try fileBytes(path))) } catch let error as UnusableInput {
                throw error
            } catch {
                let unknown = "expected a list of deviations"
                let reason = error is VectorFileError ? Self.reason(error, unknown: unknown) : unknown
                throw UnusableInput("\(inputName(path)): \(reason)")
            }
        }
    }

    func run() throws -> ExitStatus {
        var results: [Result] = []
        var unknown: [String] = []
        var unjudged: [String] = []
        var hasFolder = false
        for path in paths {
            let files: [String]?
            do { files = path == "-" ? nil : try VectorDirectory.files(at: path) } catch {
                throw UnusableInput("cannot read \(inputName(path))")
            }
            hasFolder = hasFolder || files != nil
            var judgedCount = 0
            for file in files ?? [path] {
                guard let result = try run(file, isInFolder: files != nil) else {
                    unknown.append(file)
                    continue
                }
                results.append(result)
                judgedCount += result.file.outcome.ran
                if !json { print(Self.text(result)) }
            }
            if judgedCount == 0 { unjudged.append(path) }
        }
        let stale = deviations?.entries.filter { entry in !results.contains { entry.isOf($0.path) } } ?? []
        let staleTexts = stale.map { "\($0.file), \($0.case): stale deviation: its file was not run" }
        if json {
            print(Self.json(results, unknown: unknown, stale: staleTexts).text + "\n")
        } else {
            print(Self.summary(results, hasFolder: hasFolder, unknown: unknown, stale: staleTexts))
        }
        guard staleTexts.isEmpty, results.allSatisfy(\.file.outcome.failures.isEmpty) else { return .refused }
        // If no case of an operand ran, there is no verdict on this file or folder, which is an error.
        if let path = unjudged.first { throw UnusableInput("no case of \(inputName(path)) ran") }
        return .success
    }

    /// Runs a file. Returns `nil` if the file was found in a folder and does not contain test vectors.
    private func run(_ path: String, isInFolder: Bool) throws -> Result? {
        if standardErrorIsTerminal { printError("\r\(path.printable)") }
        defer {
            if standardErrorIsTerminal { printError("\r" + String(repeating: " ", count: path.count) + "\r") }
        }
        let contents = Data(try fileBytes(path, maximum: maximumVectorFileSize))
        do {
            return Result(
                path: path,
                file: try VectorFile(
                    running: contents, deviations: deviations?.entries(of: path) ?? [],
                    trustingTestAnchors: trustsTestAnchors, informational: informational))
        } catch VectorFileError.unknownForm where isInFolder {
            return nil
        } catch {
            throw UnusableInput("\(inputName(path)): \(Self.reason(error, unknown: "unrecognised vector format"))")
        }
    }

    private static func reason(_ error: any Error, unknown: String) -> String {
        switch error as? VectorFileError {
        case .noCases?: "the file has no cases"
        case .missingMember?: "a required member is missing or empty"
        case .caseTwice?: "the file has a duplicate case"
        case .notHexadecimal?: "a value is not hexadecimal"
        case .tooManyValues?: "the file has too many values, or a recipe expands to too many bytes"
        case .memberChangesVerdict(let name)?:
            "\(excerpt(name)) changes verdicts; name only members that inform"
        case .unknownForm?: unknown
        case nil: "the file does not decode in the format that it appears to have"
        }
    }
}

// MARK: Text and JSON

extension Vectors {
    private static var failed: String { Colour.red.text("failed:") }

    private static func text(_ result: Result) -> String {
        let outcome = result.file.outcome
        var text = "\(result.path.printable): \(result.file.form)\n"
        for failure in outcome.failedCases {
            let detail = failure.detail.map { ": \($0)" } ?? ""
            text += "  \(failed) \("\(failure.name) (\(failure.finding.rawValue))\(detail)".printable)\n"
        }
        for stale in outcome.staleDeviations { text += "  \(failed) \(stale.printable)\n" }
        for (reason, count) in outcome.deviations.sorted(by: { $0.key < $1.key }) {
            text += "  deviation \(count): \(reason.printable)\n"
        }
        return text + skipped(outcome.skipped) + counts([result])
    }

    private static func skipped(_ reasons: [String: Int]) -> String {
        reasons.sorted { $0.key < $1.key }.map { "  skipped \($0.value): \($0.key.printable)\n" }.joined()
    }

    private static func skipReasons(_ results: [Result]) -> [String: Int] {
        results.reduce(into: [:]) { $0.merge($1.file.outcome.skipped, uniquingKeysWith: +) }
    }

    private static func counts(_ results: [Result]) -> String {
        func sum(_ count: (SuiteOutcome) -> Int) -> Int { results.reduce(0) { $0 + count($1.file.outcome) } }
        let deviations = sum(\.deviationCount)
        let stale = sum(\.staleDeviations.count)
        return "\(sum(\.passed)) passed, \(sum(\.failedCases.count)) failed, \(sum(\.skippedCount)) skipped"
            + (deviations == 0 ? "" : ", \(deviations) deviations") + (stale == 0 ? "" : ", \(stale) stale deviations")
            + "\n"
    }

    /// Returns a summary of the facts that the output lines of the individual files do not contain.
    private static func summary(_ results: [Result], hasFolder: Bool, unknown: [String], stale: [String]) -> String {
        let stale = stale.map { "\(failed) \($0.printable)\n" }.joined()
        guard hasFolder, !results.isEmpty || !unknown.isEmpty else { return stale }
        let unknown = unknown.isEmpty ? "" : "; \(unknown.count) others have an unrecognised format"
        let reasons = results.count > 1 ? skipped(skipReasons(results)) : ""
        return stale + (reasons.isEmpty ? "" : "All files:\n" + reasons)
            + "In \(results.count) files\(unknown): \(counts(results))"
    }

    private static func json(_ results: [Result], unknown: [String], stale: [String]) -> JSON {
        .object([
            ("files", .array(results.map(json))), ("unknownForm", .array(unknown.map(JSON.string))),
            ("staleDeviations", .array(stale.map(JSON.string))), ("skipReasons", counts(skipReasons(results))),
        ])
    }

    private static func counts(_ reasons: [String: Int]) -> JSON {
        .object(reasons.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })
    }

    private static func json(_ result: Result) -> JSON {
        let outcome = result.file.outcome
        return .object([
            ("file", .string(result.path)),
            ("form", .string(result.file.form)),
            ("passed", .integer(Int64(outcome.passed))),
            ("failed", .integer(Int64(outcome.failedCases.count))),
            ("deviations", .integer(Int64(outcome.deviationCount))),
            ("skipped", .integer(Int64(outcome.skippedCount))),
            ("failures", .array(outcome.failures.map(JSON.string))),
            (
                "failedCases",
                .array(
                    outcome.failedCases.map { failure in
                        .object([
                            ("case", .string(failure.name)), ("outcome", .string(failure.finding.rawValue)),
                            ("detail", .text(failure.detail)),
                        ])
                    })
            ),
            ("staleDeviations", .array(outcome.staleDeviations.map(JSON.string))),
            ("deviationReasons", counts(outcome.deviations)),
            ("skipReasons", counts(outcome.skipped)),
        ])
    }
}
