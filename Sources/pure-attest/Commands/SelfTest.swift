struct SelfTest: Command {
    static let name = "self-test"
    static let summary = "Check each primitive and verification against a published answer."
    static let operands: [Operand] = []
    static let options = [
        damageOption, .json,
    ]
    static let discussion = """
        The test needs no files. It shows whether this build computes correct results on this machine: SHA-2, HMAC, DER, CBOR,
        ECDSA on both curves, certificates, and whole attestations, receipts and assertions. It is quick and does not replace
        the test suite, which runs all published vectors.

        Exit status: 0 every answer is right, 1 an answer is wrong, 2 usage error.
        """

    private static let damageOption = Option.value(
        "--damage", "NAME", .words(KnownAnswer.all.map(\.name)),
        "Expect a wrong answer here, to show that the comparison detects it.")

    private let answers: [KnownAnswer]
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        guard let name = try arguments.word("--damage") else {
            answers = KnownAnswer.all
            return
        }
        answers = KnownAnswer.all.map { $0.name == name ? $0.damaged : $0 }
    }

    func run() throws -> ExitStatus {
        let clock = ContinuousClock()
        var results: [(answer: KnownAnswer, result: String)] = []
        let duration = clock.measure { results = answers.map { ($0, $0.result()) } }
        let wrong = results.filter { $0.answer.expected != $0.result }.count
        let milliseconds = Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3
        if json {
            print(Self.json(results, milliseconds: milliseconds).text + "\n")
        } else {
            for (answer, result) in results { print(Self.line(answer, result)) }
            print("\(results.count) known answers, \(wrong) wrong, \(Int(milliseconds.rounded(.up))) ms\n")
        }
        return wrong == 0 ? .success : .refused
    }

    private static func line(_ answer: KnownAnswer, _ result: String) -> String {
        let subject = "\(answer.name) (\(answer.source))"
        guard answer.expected != result else { return "\(Colour.green.text("ok"))     \(subject)\n" }
        return """
            \(Colour.red.text("WRONG"))  \(subject)
                   expected \(answer.expected)
                   computed \(result.printable)

            """
    }

    private static func json(_ results: [(answer: KnownAnswer, result: String)], milliseconds: Double) -> JSON {
        let answers = results.map { answer, result in
            JSON.object([
                ("name", .string(answer.name)), ("source", .string(answer.source)),
                ("expected", .string(answer.expected)), ("computed", .string(result)),
                ("ok", .bool(answer.expected == result)),
            ])
        }
        return .object([
            ("ok", .bool(results.allSatisfy { $0.answer.expected == $0.result })),
            ("milliseconds", .number(milliseconds)), ("answers", .array(answers)),
        ])
    }
}
