import PureDER
import Testing

@Suite struct UnixTimeTests {
    @Test func text() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_776_795_192, "2026-04-21T18:13:12Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_167_219_201, "-62167219201 s since 1970"),
            (253_402_300_800, "253402300800 s since 1970"), (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (.min, "-9223372036854775808 s since 1970"),
            (.max, "9223372036854775807 s since 1970"),
        ] as [(Int64, String)] {
            #expect("\(UnixTime(secondsSince1970: seconds))" == text)
        }
    }

    /// Compares the conversion from days to dates with the reverse conversion, over several 400-year cycles.
    @Test func calendar() {
        for day in stride(from: Int64(-719_528), through: 2_932_896, by: 37) {
            let time = UnixTime(secondsSince1970: day * 86_400 + 12_345)
            let date = CivilTime(time)
            #expect(
                UnixTime(
                    year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: Int(date.hour),
                    minute: Int(date.minute), second: Int(date.second)) == time)
        }
        // Tests the first day of a 400-year era before the year 0, at a full hour.
        let era = CivilTime(UnixTime(secondsSince1970: (-146_097 - 719_468) * 86_400 + 36_000))
        #expect((era.year, era.month, era.day) == (-400, 3, 1) && (era.hour, era.minute, era.second) == (10, 0, 0))
        // Converting extreme values does not trap. The calendar repeats every 400 years (146,097 days).
        for seconds in [Int64.min, .min + 1, .max - 1, .max] {
            let date = CivilTime(UnixTime(secondsSince1970: seconds))
            let period: Int64 = 146_097 * 86_400
            let near = CivilTime(UnixTime(secondsSince1970: seconds % period))
            #expect(date.month == near.month && date.day == near.day && date.second == near.second)
            #expect(date.year - near.year == seconds / period * 400)
        }
    }

    /// The text shows only the dates if they differ. It shows the times too if the dates are equal, or if a value has
    /// no date.
    @Test func checkedAt() {
        func text(_ date: Int64, _ time: Int64) -> String {
            UnixTime(secondsSince1970: date).checked(at: UnixTime(secondsSince1970: time))
        }
        #expect(text(1_772_582_400, 1_780_358_399) == "2026-03-04 (checked at 2026-06-01)")
        #expect(text(1_772_582_399, 1_772_582_400) == "2026-03-03 (checked at 2026-03-04)")
        #expect(text(0, 86_399) == "1970-01-01T00:00:00Z (checked at 1970-01-01T23:59:59Z)")
        #expect(text(0, .max) == "1970-01-01T00:00:00Z (checked at 9223372036854775807 s since 1970)")
        #expect(text(.min, 0) == "-9223372036854775808 s since 1970 (checked at 1970-01-01T00:00:00Z)")
    }

    @Test func addingSeconds() {
        func sum(_ time: Int64, _ seconds: Int64) -> Int64 {
            UnixTime(secondsSince1970: time).adding(seconds).secondsSince1970
        }
        #expect(sum(5, -7) == -2 && sum(.max, .min) == -1)
        #expect(sum(.max, 1) == .max && sum(.max - 1, 1) == .max)
        #expect(sum(.min, -1) == .min && sum(.min + 1, -1) == .min)
    }
}
