/// The outcome of verifying one object, or several objects of the same file in sequence.
struct Verdict {
    enum Object: String {
        case attestation
        case assertion
        case receipt
    }

    let object: Object
    let inputs: InputReport
    /// The proven facts, one report for each object that verified.
    var proved: [Report] = []
    /// The reason why the verification stopped; `nil` if everything verified.
    var refusal: RefusalReason?

    init(_ object: Object, inputs: InputReport) {
        self.object = object
        self.inputs = inputs
    }

    /// Prints the outcome. A rejection is one line on standard error and, with `--json`, also in the JSON output.
    func conclude(json: Bool) -> ExitStatus {
        precondition(refusal != nil || !proved.isEmpty, "a verdict on nothing")
        if json { print(self.json.text + "\n") }
        if let refusal {
            refusal.printLine()
            return .refused
        }
        if !json { print(text) }
        return .success
    }

    private var text: String {
        var report = Report()
        report.add("inputs", "Verified with", .group(inputs.fields))
        if proved.count == 1 {
            report.add("proved", "Proved", .group(proved[0]))
        } else {
            report.add("proved", "Proved by \(object)", .list(proved))
        }
        let isOne = proved.count == 1
        let subject = isOne ? "The \(object)" : "All \(proved.count) \(object)s"
        let verdict =
            inputs.trustsTestAnchor
            ? "\(subject) \(isOne ? "verifies" : "verify") under a test root: no Apple device made \(isOne ? "it" : "them")"
            : "\(subject) \(isOne ? "is" : "are") genuine\(inputs.caveat)"
        return (inputs.trustsTestAnchor ? Colour.yellow : .green).text("\(verdict).") + "\n" + report.text
    }

    private var json: JSON {
        let proof: (String, JSON) =
            switch object {
            case .attestation: ("attestation", proved.first?.json ?? .null)
            case .assertion: ("assertions", .array(proved.map(\.json)))
            case .receipt: ("receipts", .array(proved.map(\.json)))
            }
        let verdict: [(String, JSON)] =
            [("verified", .bool(refusal == nil)), ("trustsTestAnchor", .bool(inputs.trustsTestAnchor))]
            + RefusalReason.members(refusal)
        return .object(verdict + inputs.jsonMembers + [proof])
    }
}
