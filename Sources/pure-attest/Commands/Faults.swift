import PureAttest
import PureAttestTesting
import PureKeyAttestationTesting

/// Lists what `simulate` can make wrong.
struct Faults: Command {
    static let name = "faults"
    static let summary =
        "List the faults that simulate makes: the severity, the reason of a refusal, and the broken rule."
    static let operands: [Operand] = []
    static let options: [Option] = [.json]
    static let discussion = """
        The severity says what a verifier that accepts the object gets wrong:

          hole      It believes something false of the key, the app, the device or the request.
          policy    It accepts what only a server with that policy refuses: the launch policy, the system's, ages, patches.
          leniency  Nothing false: the object is written in another way than any genuine one. Another strict parser may accept it.

        The reason is what --json calls reasonCode and reasonDetail.
        """

    private let json: Bool

    init(_ arguments: Arguments) throws { json = arguments.flag(.json) }

    func run() throws -> ExitStatus {
        let faults =
            Fault.allCases.map { ($0.id, $0.severity, $0.rule, RefusalReason($0.expectedError)) }
            + AndroidFault.allCases.map { fault in
                let error = fault.expectedError(fault.applies(to: .remote) ? .remote : .factory)
                return (fault.id, fault.severity, fault.rule, RefusalReason(error))
            }
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
    /// What a correct verifier reports, of the objects that `simulate` makes.
    fileprivate var expectedError: PureAttestError {
        switch self {
        case .attestation(let fault): fault.expectedError()
        case .certificate(let fault): fault.expectedError
        case .receipt(let fault): fault.expectedError(at: Corpus.defaultTime)
        case .assertion(let fault): fault.expectedError(previousCounter: 0)
        }
    }
}
