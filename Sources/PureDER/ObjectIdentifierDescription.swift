// Text for people; nothing in a verification uses it.

extension ASN1ObjectIdentifier: CustomStringConvertible {
    /// The dotted decimal form, "1.2.840.10045.2.1". Arcs may have any number of digits.
    public var description: String {
        var arcs: [String] = []
        var digits: [UInt8] = [0]
        for octet in contents {
            Self.append(octet & 0x7F, to: &digits)
            guard octet < 0x80 else { continue }
            if arcs.isEmpty {
                // X.690 §8.19.4: the first subidentifier is 40 x + y, with y < 40 unless x = 2.
                let root = digits.count > 2 ? 80 : digits.reversed().reduce(0) { $0 * 10 + Int($1) }
                let first = min(root / 40, 2)
                arcs.append(String(first))
                Self.subtract(UInt8(first * 40), from: &digits)
            }
            arcs.append(digits.reversed().map { String($0) }.joined())
            digits = [0]
        }
        return arcs.joined(separator: ".")
    }

    /// digits · 128 + value; decimal digits, least significant first.
    private static func append(_ value: UInt8, to digits: inout [UInt8]) {
        var carry = Int(value)
        for index in digits.indices {
            carry += Int(digits[index]) * 128
            digits[index] = UInt8(carry % 10)
            carry /= 10
        }
        while carry > 0 {
            digits.append(UInt8(carry % 10))
            carry /= 10
        }
    }

    /// digits − value, which is not negative.
    private static func subtract(_ value: UInt8, from digits: inout [UInt8]) {
        var borrow = Int(value)
        for index in digits.indices where borrow > 0 {
            let difference = Int(digits[index]) - borrow % 10
            digits[index] = UInt8((difference + 10) % 10)
            borrow = borrow / 10 + (difference < 0 ? 1 : 0)
        }
        while digits.count > 1, digits.last == 0 { digits.removeLast() }
    }
}
