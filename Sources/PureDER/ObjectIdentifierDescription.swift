import PureBytes

// The text of identifiers for reports and logs. Verification does not use this text.

extension ASN1ObjectIdentifier: CustomStringConvertible {
    /// The maximum length of an identifier that is written in digits: 40 octets. Identifiers in use have at most 20
    /// octets (2.25 followed by a UUID, X.667).
    private static var dottedSize: Int { 40 }

    /// The number of octets that the text shows if an identifier is longer.
    private static var shownSize: Int { 16 }

    /// The dotted decimal form, "1.2.840.10045.2.1", if the identifier has at most 40 octets. For a longer identifier,
    /// its first 16 octets and its length: "0x2affffffffffffffffffffffffffffff... (64000 octets)".
    ///
    /// Error messages contain identifiers whose length an attacker may choose. The limit of 40 octets bounds the text
    /// to 160 characters. The limit also bounds the time, which is quadratic in the length of an arc.
    public var description: String {
        let contents = contents
        guard contents.count <= Self.dottedSize else {
            let shown = String(decoding: Hex.encode(contents.prefix(Self.shownSize)), as: UTF8.self)
            return "0x\(shown)... (\(contents.count) octets)"
        }
        var arcs: [String] = []
        var digits: [UInt8] = [0]
        for octet in contents {
            Self.append(octet & 0x7F, to: &digits)
            guard octet < 0x80 else { continue }
            if arcs.isEmpty {
                // X.690 §8.19.4: the first subidentifier is 40x + y for the first arcs x and y. Unless x = 2, y < 40.
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

    /// Computes digits · 128 + value. The digits are decimal, least significant first.
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

    /// Computes digits − value. The difference must not be negative.
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
