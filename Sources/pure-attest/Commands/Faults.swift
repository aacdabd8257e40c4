import PureAppStoreTesting
import PureAttest
import PureAttestTesting
import PureKeyAttestationTesting

struct Faults: Command {
    static let name = "faults"
    static let summary =
        "List the faults that simulate can make, with severity, refusal reason and broken rule."
    static let operands: [Operand] = []
    static let options: [Option] = [.json]
    static let discussion = """
        The severity says what it means if a verifier accepts the object:

          hole      The verifier believes a false statement about the key, the app, the device, the request or
                    the purchase.
          policy    The verifier lacks the policy that rejects the object: launch, system, age or patch level.
          leniency  No false statement: only the encoding differs from genuine objects. Other strict parsers may accept it.

        The reason is reasonCode and reasonDetail of the --json output.
        """

    private let json: Bool

    init(_ arguments: Arguments) throws { json = arguments.flag(.json) }

    func run() throws -> ExitStatus {
        let faults =
            Fault.allCases.map { ($0.id, $0.severity, $0.rule, RefusalReason($0.expectedError)) }
            + AndroidFault.allCases.map { fault in
                let error = fault.expectedError(fault.applies(to: .remote) ? .remote : .factory)
                return (fault.id, fault.severity, fault.rule, RefusalReason(error))
            } + SignedDataFault.allCases.map { ($0.id, $0.severity, $0.rule, RefusalReason($0.error)) }
        if json {
            let list = faults.map { id, severity, rule, reason in
                JSON.object(
                    [
                        ("fault", .string(id)), ("severity", .string(severity.rawValue)),
                        ("rule", .string(rule)),
                    ] + RefusalReason.members(reason))
            }
            print(JSON.object([("faults", .array(list))]).text + "\n")
            return .success
        }
        let rows = faults.map { id, severity, rule, reason in
            [id, severity.rawValue, reason.code + (reason.detail.map { " (\($0))" } ?? ""), rule]
        }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            print(zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ") + "  \(row[3])\n")
        }
        return .success
    }
}

extension Fault {
    /// The error that a correct verifier reports for an object of `simulate`.
    fileprivate var expectedError: PureAttestError {
        switch self {
        case .attestation(let fault): fault.expectedError()
        case .certificate(let fault): fault.expectedError()
        case .receipt(let fault): fault.expectedError(at: Corpus.defaultTime)
        case .assertion(let fault): fault.expectedError(previousCounter: 0)
        }
    }
}
