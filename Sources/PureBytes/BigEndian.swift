/// Returns the octets of `number`, most significant first.
@inlinable
package func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    bigEndian(UInt64(truncatingIfNeeded: number), count: number.bitWidth / 8)
}

/// Returns the `count` least significant octets of `number`, most significant first. One function for all widths.
@usableFromInline
package func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(count)
    for index in (0..<count).reversed() { octets.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    return octets
}
