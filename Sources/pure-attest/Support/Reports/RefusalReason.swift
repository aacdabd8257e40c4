import PureAttest
import PureX509
import VectorSupport

/// The reason for a rejection: a statement for people, and stable names for programs. The names are the case names of
/// the errors, as in JavaScript's `RefusedError`.
struct RefusalReason {
    let statement: String
    let hint: String?
    var text: String { hint.map { "\(statement); \($0)" } ?? statement }
    let code: String
    /// The broken X.509 rule, if ``code`` is about certificates.
    let detail: String?

    /// `subject` names the object, if there are several; `hint` says what the user probably meant.
    init(_ error: PureAttestError, of subject: String = "", hint: String? = nil) {
        statement = "\(subject)\(error)"
        self.hint = hint
        code = caseName(of: error) ?? "unknown"
        detail =
            switch error {
            case .certificate(let error), .receiptSignature(let error), .malformedReceiptCertificate(let error):
                caseName(of: error)
            default: nil
            }
    }

    func printLine() { printErrorLine(.refused, statement, hint: hint.map { "; \($0)" } ?? "") }

    static func members(_ reason: RefusalReason?) -> [(String, JSON)] {
        [
            ("reason", .text(reason?.text)), ("reasonCode", .text(reason?.code)),
            ("reasonDetail", .text(reason?.detail)),
        ]
    }
}

/// Describes any error, without the name of its type.
func plainText(of error: any Error) -> String {
    guard let name = caseName(of: error) else { return "an unexpected error" }
    return error is any CustomStringConvertible ? "\(error)" : name.replacing(/[A-Z]+/) { " " + $0.output.lowercased() }
}
