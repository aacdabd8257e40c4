#if !hasFeature(Embedded)
    extension UnixTime: CustomStringConvertible {
        /// `YYYY-MM-DDTHH:MM:SSZ`, or the seconds since 1970 if the year does not have four digits.
        public var description: String {
            day.map { "\($0)T\(CivilTime(self).clock)Z" } ?? "\(secondsSince1970) s since 1970"
        }

        /// `YYYY-MM-DD`; `nil` if the year does not have four digits.
        private var day: String? {
            let date = CivilTime(self)
            guard 0...9999 ~= date.year else { return nil }
            return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
        }

        /// Names this date and the time at which it was checked, for errors: "2026-03-04 (checked at 2026-06-01)". Of one day, both with
        /// the time of day.
        package func checked(at time: UnixTime) -> String {
            guard let day, let checkedDay = time.day, day != checkedDay else { return "\(self) (checked at \(time))" }
            return "\(day) (checked at \(checkedDay))"
        }
    }

    extension CivilTime {
        /// `HH:MM:SS`.
        fileprivate var clock: String { "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))" }
    }

    /// `number` in `count` decimal digits, or as many as it has.
    package func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
#endif
