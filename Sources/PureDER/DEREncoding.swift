import PureBytes

/// Encodes an element: tag, length, contents. `tag` is one identifier octet.
package func derElement(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [tag] + derLength(contents.count) + contents
}

/// Encodes a length in the fewest octets (X.690 §10.1).
package func derLength(_ count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [UInt8(count)] }
    let octets = bigEndian(count).drop { $0 == 0 }
    return [0x80 | UInt8(octets.count)] + octets
}

/// Encodes a number that is not negative as a minimal INTEGER (X.690 §8.3.2): removes leading zero octets, and then
/// adds one zero octet if the sign bit would be set.
package func derInteger(_ magnitude: some Collection<UInt8>) -> [UInt8] {
    let digits = [UInt8](magnitude.drop { $0 == 0 })
    // 0 has no digits left, and is encoded as one octet of zeros.
    return derElement(0x02, digits.isEmpty || digits[0] >= 0x80 ? [0] + digits : digits)
}
