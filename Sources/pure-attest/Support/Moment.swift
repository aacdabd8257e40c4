import PureDER

extension UnixTime {
    /// Reads seconds since 1970, or ISO 8601 as RFC 3339 §5.6 has it: `2026-04-21T18:13:12Z`, with an offset such as
    /// `+02:00` in place of the `Z`, and a fraction of a second, which is dropped.
    init(text: String) throws(UnusableInput) {
        if let seconds = Int64(text), text.utf8.first != UInt8(ascii: "+") {
            self.init(secondsSince1970: seconds)
            return
        }
        guard let time = Self.parse(Array(text.utf8)[...]) else {
            throw UnusableInput(
                "invalid time \(excerpt(text))\(Self.whatIsMissing(text)); use Unix seconds, or ISO 8601 such as 2026-04-21T18:13:12Z"
            )
        }
        self = time
    }

    /// What would make it one.
    private static func whatIsMissing(_ text: String) -> String {
        func isTime(with ending: String) -> Bool { parse(Array((text + ending).utf8)[...]) != nil }
        if text.isEmpty { return ": it is empty" }
        if isTime(with: "Z") { return ": the time zone is missing (Z, or an offset such as +02:00)" }
        if isTime(with: ":00Z") || isTime(with: ":00") { return ": the seconds are missing" }
        return isTime(with: "T00:00:00Z") ? ": the time of day is missing" : ""
    }

    private static func parse(_ text: ArraySlice<UInt8>) -> UnixTime? {
        var text = text
        guard let year = number(&text, digits: 4), skip("-", &text),
            let month = number(&text, digits: 2), skip("-", &text),
            let day = number(&text, digits: 2), skip("T", &text) || skip("t", &text) || skip(" ", &text),
            let hour = number(&text, digits: 2), skip(":", &text),
            let minute = number(&text, digits: 2), skip(":", &text),
            let second = number(&text, digits: 2),
            var time = UnixTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        if skip(".", &text) {
            let fraction = text.prefix { isDigit($0) }
            guard !fraction.isEmpty else { return nil }
            text = text.dropFirst(fraction.count)
        }
        if skip("Z", &text) || skip("z", &text) { return text.isEmpty ? time : nil }
        let isEast = skip("+", &text)
        guard isEast || skip("-", &text),
            let offsetHours = number(&text, digits: 2), offsetHours < 24, skip(":", &text),
            let offsetMinutes = number(&text, digits: 2), offsetMinutes < 60, text.isEmpty
        else { return nil }
        let offset = Int64(offsetHours * 3_600 + offsetMinutes * 60)
        time.secondsSince1970 -= isEast ? offset : -offset
        return time
    }

    private static func number(_ text: inout ArraySlice<UInt8>, digits: Int) -> Int? {
        let field = text.prefix(digits)
        guard field.count == digits, field.allSatisfy(isDigit) else { return nil }
        text = text.dropFirst(digits)
        return field.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func skip(_ character: Unicode.Scalar, _ text: inout ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: character) else { return false }
        text = text.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// ISO 8601 in UTC, or the seconds alone for a year before 0 or after 9999.
    var text: String {
        let range: Range<Int64> = -62_167_219_200..<253_402_300_800
        guard range.contains(secondsSince1970) else { return "\(secondsSince1970) s since 1970" }
        let secondsOfDay = (secondsSince1970 % 86_400 + 86_400) % 86_400
        // Date from days (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days): days since
        // 0000-03-01 of an era of 400 years (146,097 days), one era early, so that no day of the range is negative.
        let days = (secondsSince1970 - secondsOfDay) / 86_400 + 719_468 + 146_097
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
        func digits(_ number: Int64, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(secondsOfDay / 3_600, 2))"
            + ":\(digits(secondsOfDay / 60 % 60, 2)):\(digits(secondsOfDay % 60, 2))Z"
    }
}
