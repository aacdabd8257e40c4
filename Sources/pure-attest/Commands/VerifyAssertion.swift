import PureAttest

struct VerifyAssertion: Command {
    static let name = "verify-assertion"
    static let summary = "Verify an assertion, or every assertion of an object file in turn."
    static let operands = [Operand.objectFile]
    static let options =
        AssertionInputs.options + AssertionInputs.attestationOptions + AttestationInputs.commonOptions
        + AttestationInputs.policyOptions + [AttestationInputs.timeOption, AttestationInputs.trustOption, .json]
    static let discussion = """
        The key is --key-record, --public-key, or the key of an attestation (from the file or options), which the command
        verifies first. Only --signed-challenge compares the challenge. A server must always compare it.

        \(ObjectFile.help)
        \(objectValueHelp)
        """

    private let inputs: AssertionInputs
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        inputs = try AssertionInputs(arguments, file: arguments.operand.map { try ObjectFile(path: $0) })
    }

    func run() throws -> ExitStatus {
        var verdict = Verdict(.assertion, inputs: inputs.report)
        switch inputs.keySource {
        case .record(let key): verify(&verdict, key: key)
        case .attestation(let attestation):
            do { verify(&verdict, key: try attestation.verify().key) } catch {
                verdict.refusal = RefusalReason(
                    error, of: "the attestation of the key: ", hint: attestation.hint(on: error))
            }
        }
        return verdict.conclude(json: json)
    }

    private func verify(_ verdict: inout Verdict, key: AttestedKey) {
        var key = key
        for (index, item) in inputs.items.enumerated() {
            do {
                let assertion = try inputs.verify(item, key: key)
                key = assertion.key
                verdict.proved.append(assertion.report(challengeIsCompared: inputs.signedChallenge != nil))
            } catch {
                let number = inputs.items.count == 1 ? "" : "assertion \(index + 1) of \(inputs.items.count): "
                verdict.refusal = RefusalReason(
                    error, of: number, hint: inputs.hint(on: error, of: item, key: key))
                return
            }
        }
    }
}

extension VerifiedAssertion {
    fileprivate func report(challengeIsCompared: Bool) -> Report {
        var report = Report()
        report.add("appID", "App ID", .text(appID.description))
        report.add("environment", "Environment", .text("\(key.environment)"))
        report.add("keyID", "Key ID", .base64(key.keyID))
        report.add("counter", "Counter", .number(Int64(counter)))
        report.addLaunchInformation(
            launchInformation, unverified: unverifiedLaunchInformation, unsigned: unverifiedCodeDirectoryHash)
        report.add("clientData", "Signed client data", .bytes([UInt8](clientData)))
        report.add(
            "challengeIsCompared", "Challenge compared", .bool(challengeIsCompared),
            note: challengeIsCompared ? nil : "a server must compare it; see --signed-challenge")
        report.add("keyRecord", "New key record", .base64(key.serialized))
        return report
    }
}
