/// UTCTime and GeneralizedTime, restricted as in RFC 5280 §4.1.2.5: in UTC ("Z"), with seconds, without fractions. A
/// leap second (second 60) is rejected, because `UnixTime` cannot represent it.
extension DERReader {
    /// Reads a `Time`, a CHOICE of the two types. RFC 5280 §4.1.2.5 requires UTCTime up to the year 2049, but this
    /// function also accepts a GeneralizedTime before 2050.
    public mutating func readTime() throws(DERError) -> UnixTime {
        try peekTag() == .generalizedTime ? try readGeneralizedTime() : try readUTCTime()
    }

    /// Reads a UTCTime, `YYMMDDHHMMSSZ`, from 1950 to 2049 (RFC 5280 §4.1.2.5.1).
    public mutating func readUTCTime(_ tag: DERTag = .utcTime) throws(DERError) -> UnixTime {
        let contents = try read(tag)
        guard contents.count == 13 else { throw .invalidTimeForm }
        let year = try Self.twoDigits(contents, 0)
        return try Self.time(year: year < 50 ? 2000 + year : 1900 + year, rest: contents.dropFirst(2))
    }

    /// Reads a GeneralizedTime, `YYYYMMDDHHMMSSZ`, from year 0 to 9999 (RFC 5280 §4.1.2.5.2).
    public mutating func readGeneralizedTime(_ tag: DERTag = .generalizedTime) throws(DERError) -> UnixTime {
        let contents = try read(tag)
        guard contents.count == 15 else { throw .invalidTimeForm }
        let year = try Self.twoDigits(contents, 0) * 100 + Self.twoDigits(contents, 2)
        return try Self.time(year: year, rest: contents.dropFirst(4))
    }

    /// Reads the 11 octets `MMDDHHMMSSZ`.
    private static func time(year: Int, rest: ArraySlice<UInt8>) throws(DERError) -> UnixTime {
        guard rest.last == UInt8(ascii: "Z") else { throw .invalidTimeForm }
        guard
            let time = try UnixTime(
                year: year, month: twoDigits(rest, 0), day: twoDigits(rest, 2), hour: twoDigits(rest, 4),
                minute: twoDigits(rest, 6), second: twoDigits(rest, 8))
        else { throw .impossibleTime }
        return time
    }

    private static func twoDigits(_ text: ArraySlice<UInt8>, _ offset: Int) throws(DERError) -> Int {
        // Octets below "0" wrap around to values above 9, so the check below rejects signs and spaces.
        let tens = text[text.startIndex + offset] &- UInt8(ascii: "0")
        let ones = text[text.startIndex + offset + 1] &- UInt8(ascii: "0")
        guard tens <= 9, ones <= 9 else { throw .invalidTimeForm }
        return Int(tens) * 10 + Int(ones)
    }
}
