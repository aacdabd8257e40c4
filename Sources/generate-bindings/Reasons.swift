@_spi(Bindings) import PureAttest
@_spi(Bindings) import PureX509

func reasonsModule() -> String {
    func table(_ names: [(number: UInt8, name: String)]) -> String {
        let names = Dictionary(uniqueKeysWithValues: names.map { ($0.number, $0.name) })
        return (1...(names.keys.max() ?? 0)).map { "  \(names[$0].map { "\"\($0)\"" } ?? "undefined"),\n" }.joined()
    }
    let reasons = PureAttestError.Reason.allCases
    return """
        /** Written by generate-bindings from PureAttestError.Reason and X509Error.Reason. */

        /** The names by the low byte of a code: PureAttestError's cases. */
        export const REASONS = [
          "verified",
        \(table(reasons.map { ($0.rawValue, "\($0)") }))];

        /** The names of the second byte, for rejected certificates: X509Error's cases. */
        export const CERTIFICATE_REASONS = [
          undefined,
        \(table(X509Error.Reason.allCases.map { ($0.rawValue, "\($0)") }))];

        /** The reasons in words, one line each. */
        export const REASON_TEXTS = {
        \(reasons.map { "  \($0): \"\($0.text)\",\n" }.joined())};

        """
}
