import PureAttest
import PureX509
import VectorSupport

/// Why an object is refused: for people, and for programs as names that do not change, those of the errors' cases (the same as
/// `RefusedError` in JavaScript has).
struct RefusalReason {
    let statement: String
    let hint: String?
    var text: String { hint.map { "\(statement); \($0)" } ?? statement }
    let code: String
    /// The rule of X.509, where ``code`` is about certificates.
    let detail: String?

    /// - Parameters:
    ///   - subject: whose error it is, if not that of the only object.
    ///   - hint: what the caller may have meant.
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

    /// The members of a JSON object that say it.
    static func members(_ reason: RefusalReason?) -> [(String, JSON)] {
        func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
        return [
            ("reason", text(reason?.text)), ("reasonCode", text(reason?.code)), ("reasonDetail", text(reason?.detail)),
        ]
    }
}

/// What an error says to people, whatever its type: never the type's name.
func plainText(of error: any Error) -> String {
    guard let name = caseName(of: error) else { return "an unexpected error" }
    return error is any CustomStringConvertible ? "\(error)" : name.replacing(/[A-Z]+/) { " " + $0.output.lowercased() }
}
