@_spi(Bindings) package import PureAttest
@_spi(Bindings) import PureX509

/// A reason as a number: the low byte is the rule, and the second byte the X.509 rule of
/// ``PureAttestError/certificate(_:)`` and similar cases. Callers map both to names (`reasons.mjs`, `pure_attest.h`),
/// so a number never changes its meaning.
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
