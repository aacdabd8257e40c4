/// An element's identifier and length octets (X.690 §8.1.2, §8.1.3, §10.1).
public struct DERHeader: Hashable, Sendable {
    /// The maximum length that the reader accepts: 2³¹ − 1, which fits into `Int` on every platform.
    public static var maximumLength: UInt32 { 0x7FFF_FFFF }

    /// The element's tag.
    public let tag: DERTag
    /// The number of identifier and length octets.
    public let headerLength: Int
    /// The number of contents octets that the header declares. The input may contain fewer bytes.
    public let contentLength: Int

    /// Decodes the header at the start of `bytes`. The element may end before or after the end of `bytes`.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DERError) {
        try self.init(bytes.span, at: 0)
    }

    /// Takes a span, because passing a slice would retain the array. This initialiser is inlined into the few read
    /// functions of ``DERReader``. The functions for long lengths and high tag numbers are not inlined.
    #if !hasFeature(Embedded)
        @inline(__always)
    #endif
    init(_ bytes: Span<UInt8>, at start: Int) throws(DERError) {
        var position = start
        tag = try Self.readTag(bytes, at: &position)
        guard position < bytes.count else { throw .unexpectedEnd }
        let first = bytes[position]
        position += 1
        if first < 0x80 {
            contentLength = Int(first)
        } else {
            contentLength = try Self.longLength(bytes, at: &position, octets: first & 0x7F)
        }
        headerLength = position - start
    }

    /// Reads the identifier octets (§8.1.2), which are the same in BER and DER.
    static func readTag(_ bytes: Span<UInt8>, at position: inout Int) throws(DERError) -> DERTag {
        guard position < bytes.count else { throw .unexpectedEnd }
        let identifier = bytes[position]
        position += 1
        var number = UInt32(identifier & 0x1F)
        if number == 0x1F { number = try highTagNumber(bytes, at: &position) }
        return DERTag(leadingBits: identifier & 0xE0, number: number)
    }

    /// Reads a tag number in the high-tag-number form (§8.1.2.4): base-128 digits, most significant first. The first
    /// digit must not be 0. Numbers below 31 must use the low-tag-number form.
    @inline(never)
    private static func highTagNumber(_ bytes: Span<UInt8>, at position: inout Int) throws(DERError) -> UInt32 {
        var number: UInt32 = 0
        while true {
            guard position < bytes.count else { throw .unexpectedEnd }
            let octet = bytes[position]
            position += 1
            if number == 0, octet == 0x80 { throw .nonMinimalTag }
            guard number <= DERTag.maximumNumber >> 7 else { throw .tagTooLarge }
            number = number << 7 | UInt32(octet & 0x7F)
            if octet < 0x80 { break }
        }
        guard number >= 0x1F else { throw .nonMinimalTag }
        return number
    }

    /// Reads a length in the long form (§8.1.3.5). The length must be definite and have the shortest form (§10.1).
    @inline(never)
    private static func longLength(
        _ bytes: Span<UInt8>, at position: inout Int, octets: UInt8
    ) throws(DERError) -> Int {
        guard octets > 0 else { throw .indefiniteLength }
        // A length that needs more than four octets exceeds the maximum. 0x7F octets are reserved (§8.1.3.5 c).
        guard octets <= 4 else { throw .lengthTooLarge }
        guard bytes.count - position >= Int(octets) else { throw .unexpectedEnd }
        var length: UInt32 = 0
        for _ in 0..<octets {
            length = length << 8 | UInt32(bytes[position])
            position += 1
        }
        // The shortest form has no leading zero octet. Lengths below 128 must use the short form.
        guard length >= 0x80, length >> (8 * (UInt32(octets) - 1)) != 0 else { throw .nonMinimalLength }
        guard length <= maximumLength, let contentLength = Int(exactly: length) else { throw .lengthTooLarge }
        return contentLength
    }
}
