import PureBytes

/// Encodes an element: tag, length, contents. The tag is a single identifier octet.
package func derElement(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [tag] + derLength(contents.count) + contents
}

/// Encodes a length in the fewest octets (X.690 §10.1).
package func derLength(_ count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [UInt8(count)] }
    let octets = bigEndian(count).drop { $0 == 0 }
    return [0x80 | UInt8(octets.count)] + octets
}

/// Encodes a non-negative number as an INTEGER of minimal length (X.690 §8.3.2).
package func derInteger(_ magnitude: some Collection<UInt8>) -> [UInt8] {
    let digits = [UInt8](magnitude.drop { $0 == 0 })
    // For 0 no digits are left, so the encoding is one zero octet.
    return derElement(0x02, digits.isEmpty || digits[0] >= 0x80 ? [0] + digits : digits)
}
