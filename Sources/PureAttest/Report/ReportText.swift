#if !hasFeature(Embedded)
    import PureDER
    import PureX509

    /// The common name in an encoded name, as ``printable(_:)`` has it.
    func commonName(of name: ArraySlice<UInt8>) -> String {
        // id-at-commonName (RFC 5280 appendix A.1): 2.5.4.3.
        let attributes = (try? DistinguishedName(derEncoded: name))?.attributes ?? []
        let value = attributes.last { $0.type.description == "2.5.4.3" }?.value
        return value.map { printable($0.content) } ?? "a name without a common name"
    }

    /// The first four bytes of a hash: enough to tell two apart in a log.
    func shortened(_ hash: some Collection<UInt8>) -> String {
        let digits = hash.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return hash.count > 4 ? "\(digits)… (\(hash.count) bytes)" : "\(digits) (\(hash.count) bytes)"
    }

    /// Text from an object, for a log: at most 100 characters, none of which controls a terminal or ends a line.
    func printable(_ utf8: some Collection<UInt8>) -> String {
        var text = ""
        for scalar in String(decoding: utf8.prefix(400), as: UTF8.self).unicodeScalars.prefix(100) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "“\(text)”"
    }

    /// A moment as `YYYY-MM-DDTHH:MM:SSZ`, or as seconds where the year has not four digits.
    func printable(_ time: UnixTime) -> String {
        let seconds = time.secondsSince1970
        // 0000-01-01 and 9999-12-31.
        guard -62_167_219_200...253_402_300_799 ~= seconds else { return "\(seconds) s since 1970" }
        let secondOfDay = ((seconds % 86_400) + 86_400) % 86_400
        // H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days; days from 0000-03-01, one era more
        // so that divisions round down.
        let days = (seconds - secondOfDay) / 86_400 + 719_468 + 146_097
        let (era, dayOfEra) = (days / 146_097 - 1, days % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        func digits(_ number: Int64, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
        }
        let date = "\(digits(year, 4))-\(digits(month < 10 ? month + 3 : month - 9, 2))-\(digits(day, 2))"
        let (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
        return "\(date)T\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))Z"
    }

    /// A distance in time, in the largest unit that it fills.
    func printable(seconds: Int64) -> String {
        let (count, unit) =
            switch seconds {
            case 172_800...: (seconds / 86_400, "days")
            case 7_200...: (seconds / 3_600, "hours")
            case 120...: (seconds / 60, "minutes")
            default: (seconds, "seconds")
            }
        return "\(count) \(unit)"
    }
#endif
