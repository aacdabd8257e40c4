import PureDER

extension UnixTime {
    /// Reads seconds since 1970, or ISO 8601 in the form of RFC 3339 §5.6, such as `2026-04-21T18:13:12Z`. Accepts an
    /// offset such as `+02:00` instead of the `Z`. Ignores fractions of a second.
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

    /// Describes the missing part of an incomplete time.
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
}
