/// A JSON number as it was written (RFC 8259 §6). Only ``truncated`` rounds.
public struct JSONNumber: Sendable {
    /// The number's characters, ASCII.
    public let literal: ArraySlice<UInt8>

    /// The number's value if it is a 64-bit integer, such as `12`, `1.20e1` or `-0`. Otherwise `nil`.
    public var int64: Int64? {
        let parts = parts
        // The value is digits · 10^exponent.
        var digits = parts.digits
        guard let significant = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return 0 }
        let exponent = parts.exponent + (digits.count - 1 - significant)
        digits.removeSubrange((significant + 1)...)
        guard 0...Self.mostDigits ~= exponent else { return nil }
        digits += [UInt8](repeating: UInt8(ascii: "0"), count: exponent)
        return Self.value(digits, isNegative: parts.isNegative)
    }

    /// The number without its fraction (rounded towards zero), if the result is a 64-bit integer. Otherwise `nil`.
    public var truncated: Int64? {
        let parts = parts
        let count = parts.digits.count + parts.exponent
        guard parts.exponent < 0 else { return int64 }
        return count <= 0 ? 0 : Self.value(Array(parts.digits.prefix(count)), isNegative: parts.isNegative)
    }

    /// The number of decimal digits of `Int64.min`, the longest value.
    private static var mostDigits: Int { 19 }

    /// Larger exponents are clamped to this value. No text within ``JSONLimits/default`` has enough digits to
    /// compensate for such an exponent.
    ///
    /// Bound: 10 · 2²⁷ + 9 < 2³¹, so reading one more digit does not overflow a 32-bit `Int`.
    static var largestExponent: Int { 1 << 27 }

    /// The digits without the decimal point, and the exponent that applies if these digits are read as an integer.
    private var parts: (isNegative: Bool, digits: [UInt8], exponent: Int) {
        var digits: [UInt8] = []
        var (fractionCount, exponent) = (0, 0)
        var (isFraction, isExponent, isExponentNegative) = (false, false, false)
        for character in literal {
            switch character {
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
            case UInt8(ascii: "-"): isExponentNegative = isExponent
            case UInt8(ascii: "+"): break
            default:
                if isExponent {
                    exponent = min(exponent * 10 + Int(character - UInt8(ascii: "0")), Self.largestExponent)
                } else {
                    digits.append(character)
                    if isFraction { fractionCount += 1 }
                }
            }
        }
        return (
            literal.first == UInt8(ascii: "-"), digits, (isExponentNegative ? -exponent : exponent) - fractionCount
        )
    }

    /// Returns the value of decimal digits, or `nil` if the value does not fit into an `Int64`.
    private static func value(_ digits: [UInt8], isNegative: Bool) -> Int64? {
        let digits = digits.drop { $0 == UInt8(ascii: "0") }
        guard digits.count <= mostDigits else { return nil }
        // 19 digits fit in 64 bits without a sign: 10^19 < 2^64.
        let magnitude = digits.reduce(UInt64(0)) { $0 &* 10 &+ UInt64($1 - UInt8(ascii: "0")) }
        guard magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0) else { return nil }
        return isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
    }
}
