#if !hasFeature(Embedded)
    extension UnixTime: CustomStringConvertible {
        /// The time as `YYYY-MM-DDTHH:MM:SSZ`, or as seconds since 1970 if the year is not 0 to 9999.
        public var description: String {
            day.map { "\($0)T\(CivilTime(self).clock)Z" } ?? "\(secondsSince1970) s since 1970"
        }

        /// The date as `YYYY-MM-DD`, or `nil` if the year is not 0 to 9999.
        private var day: String? {
            let date = CivilTime(self)
            guard 0...9999 ~= date.year else { return nil }
            return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
        }

        /// Returns a time limit and the time of its check as text for error messages: "2026-03-04 (checked at
        /// 2026-06-01)". If both times are on the same day, the text includes the time of day.
        package func checked(at time: UnixTime) -> String {
            guard let day, let checkedDay = time.day, day != checkedDay else { return "\(self) (checked at \(time))" }
            return "\(day) (checked at \(checkedDay))"
        }
    }

    extension CivilTime {
        /// `HH:MM:SS`.
        fileprivate var clock: String { "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))" }
    }

    /// Formats `number` with at least `count` decimal digits.
    package func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
#endif
