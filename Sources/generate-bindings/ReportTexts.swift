import PureAttest

func reportTextsModule() -> String {
    typealias Report = VerificationReport
    func table(_ codes: [(code: String, text: String)]) -> String {
        codes.map { code, text in
            let mark = text.utf8.contains(UInt8(ascii: "\"")) ? "'" : "\""
            return "  [\"\(code)\", \(mark)\(text)\(mark)],\n"
        }.joined()
    }
    let numbers = Report.Check.allCases.map { check in
        let numbers = [Report.Subject.attestation, .assertion].map { check.number(in: $0) }
        return numbers[0] == numbers[1]
            ? "  \(check): \"\(numbers[0])\",\n"
            : "  \(check): { attestation: \"\(numbers[0])\", assertion: \"\(numbers[1])\" },\n"
    }
    return """
        /**
         * Written by generate-bindings from ReportWords.swift: the names and texts of a report's codes, by number; % represents
         * a parameter.
         */

        /** The owner of the trusted roots, and its name in {@link CHECKS}. */
        export const AUTHORITIES = [
          undefined,
        \(table(Report.Authority.allCases.map { ("\($0)", $0.name) }))];

        /** The comparisons of the steps; % represents the authority. */
        export const CHECKS = [
          undefined,
        \(table(Report.Check.allCases.map { ("\($0)", $0.title) }))];

        /** The causes of failed steps. */
        export const CAUSES = [
          undefined,
        \(table(Report.CauseCode.allCases.map { ("\($0)", $0.text) }))];

        /** Expected and received values. */
        export const VALUES = [
          undefined,
        \(table(Report.ValueCode.allCases.map { ("\($0)", $0.text) }))];

        /** Apple's numbers of the steps, or words if Apple has none. */
        export const NUMBERS = {
        \(numbers.joined())};

        """
}
