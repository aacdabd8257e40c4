import PureAttest
import PureX509
import VectorSupport

/// The reason for a rejection: a statement for people, and stable names for programs. The names are the cases of the
/// errors, as in `RefusedError` in JavaScript.
struct RefusalReason {
    let statement: String
    let hint: String?
    var text: String { hint.map { "\(statement); \($0)" } ?? statement }
    let code: String
    /// The X.509 rule, if ``code`` is about certificates.
    let detail: String?

    /// - Parameters:
    ///   - subject: the object of the error, if there are several.
    ///   - hint: the probable intention of the caller.
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

    /// Returns the members of a JSON object for the reason.
    static func members(_ reason: RefusalReason?) -> [(String, JSON)] {
        func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
        return [
            ("reason", text(reason?.text)), ("reasonCode", text(reason?.code)), ("reasonDetail", text(reason?.detail)),
        ]
    }
}

/// Describes any error, without its type's name.
func plainText(of error: any Error) -> String {
    guard let name = caseName(of: error) else { return "an unexpected error" }
    return error is any CustomStringConvertible ? "\(error)" : name.replacing(/[A-Z]+/) { " " + $0.output.lowercased() }
}
