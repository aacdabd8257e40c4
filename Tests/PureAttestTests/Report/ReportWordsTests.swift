import Testing

@testable import PureAttest

@Suite struct ReportWordsTests {
    private typealias Report = VerificationReport

    /// The raw values of these enums are positions in the tables of `report-texts.mjs`.
    @Test func numbersHaveNoGaps() {
        #expect(Report.Authority.allCases.map(\.rawValue) == Array(1...UInt8(Report.Authority.allCases.count)))
        #expect(Report.Check.allCases.map(\.rawValue) == Array(1...UInt8(Report.Check.allCases.count)))
        #expect(Report.CauseCode.allCases.map(\.rawValue) == Array(1...UInt8(Report.CauseCode.allCases.count)))
        #expect(Report.ValueCode.allCases.map(\.rawValue) == Array(1...UInt8(Report.ValueCode.allCases.count)))
    }

    /// Each parameter of a report is a configured value, a guess, or a part of the object whose size is limited.
    @Test func parametersAreBounded() {
        let long = [UInt8](repeating: 0x61, count: 100_000)
        #expect(Report.Value.text(long).parameters == [.text([UInt8](repeating: 0x61, count: 400))])
        #expect(Report.Value.hash(long).text == "61616161… (100000 bytes)")
        #expect(Report.Value.plain(.listed([1, 2, 3, 4, 5, 6]) { .number($0) }).text == "1 or 2 or 3 or 4 or 2 more")
        #expect(Report.Value.plain(.listed([Int64]()) { .number($0) }).text == "none")
        let ever = Report.Parameter.duration(from: .init(secondsSince1970: .min), to: .init(secondsSince1970: .max))
        #expect(ever == .duration(.max) && ever.text == "an age")
    }

    @Test func namesWithoutACommonName() {
        for name in [[0x30, 0], [0x31, 0], []] as [[UInt8]] {
            let parameter = Report.Parameter.commonName(of: name[...])
            #expect(parameter == .unnamed && parameter.text == "a name without a common name")
        }
    }
}
