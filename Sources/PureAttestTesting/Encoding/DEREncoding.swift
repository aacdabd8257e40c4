import PureBytes
package import PureDER

// DER (X.690 §8, §10, §11). Each function returns one element, and validates nothing, so that it can encode faults.

package func der(_ tag: DERTag, _ contents: [UInt8]...) -> [UInt8] {
    let contents = contents.flatMap { $0 }
    return identifier(tag) + derLength(contents.count) + contents
}

/// Identifier octets (X.690 §8.1.2).
package func identifier(_ tag: DERTag) -> [UInt8] {
    let leading = tag.tagClass.rawValue | (tag.isConstructed ? 0x20 : 0)
    guard tag.number >= 31 else { return [leading | UInt8(tag.number)] }
    var digits = [UInt8(tag.number & 0x7F)]
    var rest = tag.number >> 7
    while rest > 0 {
        digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
    }
    return [leading | 0x1F] + digits
}

/// Encodes a BER element: tag, indefinite length, contents, and end-of-contents octets (X.690 §8.1.3.6).
func berIndefinite(_ tag: DERTag, _ contents: [UInt8]...) -> [UInt8] {
    identifier(tag) + [0x80] + contents.flatMap { $0 } + [0x00, 0x00]
}

package func der(_ number: UInt32) -> [UInt8] { derInteger(bigEndian(number)) }

package func der(_ identifier: ASN1ObjectIdentifier) -> [UInt8] { der(.objectIdentifier, identifier.contents) }

package func der(utf8 text: String) -> [UInt8] { der(.utf8String, Array(text.utf8)) }

/// Encodes a BIT STRING that consists of whole octets.
package func der(bits octets: [UInt8]) -> [UInt8] { der(.bitString, [0] + octets) }

/// BOOLEAN true (X.690 §11.1: FF).
package let derTrue: [UInt8] = [0x01, 0x01, 0xFF]

package let derNull: [UInt8] = [0x05, 0x00]

/// Encodes the `Time` of a certificate (RFC 5280 §4.1.2.5): as UTCTime up to 2049, and as GeneralizedTime from 2050 on.
package func der(_ time: UnixTime) -> [UInt8] {
    let date = CivilTime(time)
    let rest = [date.month, date.day, date.hour, date.minute, date.second].map { digits($0, 2) }.joined() + "Z"
    return date.year < 2050
        ? der(.utcTime, Array((digits(date.year % 100, 2) + rest).utf8))
        : der(.generalizedTime, Array((digits(date.year, 4) + rest).utf8))
}

extension CivilTime {
    /// Returns the time in ISO 8601 format with milliseconds, as in receipts: `2026-04-21T18:13:12.153Z`.
    func iso8601(milliseconds: Int64) -> String {
        "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(hour, 2)):\(digits(minute, 2))"
            + ":\(digits(second, 2)).\(digits(milliseconds, 3))Z"
    }
}
