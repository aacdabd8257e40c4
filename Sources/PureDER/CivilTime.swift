/// A UTC time, split into calendar date and time of day. Uses the proleptic Gregorian calendar, which has a year 0.
package struct CivilTime: Equatable, Sendable {
    package let year, month, day, hour, minute, second: Int64

    /// No operation overflows, because the number of days is below 2⁴⁸. The products use `&*`, because a checked 64-bit
    /// product calls `__multi3`, which a bare wasm32 module lacks.
    ///
    /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days. The algorithm starts each
    /// year in March. An era of 400 years has 146,097 days, and 0000-03-01 is day −719,468.
    package init(_ time: UnixTime) {
        let seconds = time.secondsSince1970
        // Days and eras must be rounded down, but Swift truncates quotients towards zero.
        let secondOfDay = (seconds % 86_400 + 86_400) % 86_400
        (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
        let days = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0) + 719_468
        let dayOfEra = (days % 146_097 + 146_097) % 146_097
        let era = days / 146_097 - (days % 146_097 < 0 ? 1 : 0)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 &* yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 &* dayOfYear + 2) / 153
        day = dayOfYear - (153 &* marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = era &* 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }
}
