/// Converts the bits of a half- or single-precision number to double precision.
///
/// Does not use Swift's conversions, because some platforms lack `Float16`, and converting a `Float` may set the quiet
/// bit of a NaN. Source: IEEE 754-2019 §3.4; RFC 8949 Appendix D.
func widened(_ bits: UInt64, exponentBits: UInt64, significandBits: UInt64) -> UInt64 {
    let sign = bits >> (exponentBits + significandBits) & 1
    let largestExponent: UInt64 = 1 << exponentBits - 1
    var exponent = bits >> significandBits & largestExponent
    var significand = bits & (1 << significandBits - 1)
    let rebias = 1023 - largestExponent >> 1
    switch (exponent, significand) {
    case (largestExponent, _): exponent = 2047
    case (0, 0): break
    case (0, _):
        // Subnormal: shifts the leading one into the implicit bit, and lowers the exponent by one per position.
        let shift = UInt64(significand.leadingZeroBitCount) - (63 - significandBits)
        significand = significand << shift & (1 << significandBits - 1)
        exponent = rebias + 1 - shift
    default: exponent += rebias
    }
    return sign << 63 | exponent << 52 | significand << (52 - significandBits)
}
