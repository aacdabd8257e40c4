@_spi(Bindings) package import PureAttest
@_spi(Bindings) import PureX509

/// A reason for a rejection, as a number. The low byte identifies the broken rule. For
/// ``PureAttestError/certificate(_:)`` and other cases that wrap an X.509 error, the second byte identifies the broken
/// X.509 rule. Callers map both bytes to names (`reasons.mjs`, `pure_attest.h`), so a number must never change its
/// meaning.
package struct Refusal: Error {
    package let code: Int32

    private init(code: Int32) { self.code = code }

    package static var malformedArgument: Refusal { Refusal(code: 254) }
    static var inputTooLarge: Refusal { Refusal(.inputTooLarge) }

    package init(_ error: PureAttestError) {
        let rule = Int32(PureAttestError.Reason(error).rawValue)
        switch error {
        case .certificate(let detail), .receiptSignature(let detail), .malformedReceiptCertificate(let detail):
            code = rule | Int32(X509Error.Reason(detail).rawValue) << 8
        default: code = rule
        }
    }
}
