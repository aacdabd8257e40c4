import PureBytes

/// An OBJECT IDENTIFIER (X.690 §8.19), stored and compared as contents octets. Arcs are not decoded, so none overflows.
///
/// Identifiers of up to 16 octets are stored inline. This is enough for all identifiers of X.509, CMS and App Attest.
/// Longer identifiers are copied to the heap. The length and the arcs have no limit, as in RFC 5280 appendix B.
public struct ASN1ObjectIdentifier: Hashable, Sendable {
    private static var inlineCapacity: Int { 16 }

    /// The contents octets as a big-endian number, or 0 if there are more than 16.
    @usableFromInline
    let short: UInt128
    /// The contents octets if there are more than 16. Otherwise `nil`, so that copies need no reference counting.
    @usableFromInline
    let long: [UInt8]?
    /// The number of octets in `short`, or 0 if `long` is used. It is stored because an identifier may start with 00.
    @usableFromInline
    let shortCount: UInt8

    /// Decodes contents octets. Each subidentifier must be complete and in its shortest form.
    public init(contents: ArraySlice<UInt8>) throws(DERError) {
        guard let last = contents.last else { throw .emptyObjectIdentifier }
        var number: UInt128 = 0
        var startsSubidentifier = true
        for octet in contents {
            if startsSubidentifier, octet == 0x80 { throw .nonMinimalObjectIdentifier }
            startsSubidentifier = octet < 0x80
            number = number << 8 | UInt128(octet)
        }
        guard last < 0x80 else { throw .truncatedObjectIdentifier }
        if contents.count <= Self.inlineCapacity {
            short = number
            shortCount = UInt8(contents.count)
            long = nil
        } else {
            short = 0
            shortCount = 0
            long = [UInt8](contents)
        }
    }

    /// Creates a constant from contents octets as a big-endian number without leading zeros. Does not check them.
    @inlinable @inline(__always)
    public init(encodedAs number: UInt128) {
        short = number
        // Counts zeros in two halves, to avoid a compiler bug. On 32-bit processors, Swift 6.3.1 with -O computes 64 as
        // the leadingZeroBitCount of every small UInt128 constant. The wrong count would make the constant unequal to
        // the decoded identifier.
        let high = UInt64(truncatingIfNeeded: number >> 64), low = UInt64(truncatingIfNeeded: number)
        shortCount = UInt8(high == 0 ? 8 - low.leadingZeroBitCount / 8 : 16 - high.leadingZeroBitCount / 8)
        long = nil
    }

    /// Whether both identifiers have the same contents octets.
    @inlinable
    public static func == (a: Self, b: Self) -> Bool {
        a.short == b.short && a.shortCount == b.shortCount && (a.shortCount > 0 || a.long == b.long)
    }

    /// An arbitrary total order for sorting.
    package static func areInOrder(_ a: Self, _ b: Self) -> Bool {
        if a.shortCount != b.shortCount { return a.shortCount < b.shortCount }
        if a.short != b.short { return a.short < b.short }
        guard let a = a.long, let b = b.long else { return false }
        return a.lexicographicallyPrecedes(b)
    }

    /// The contents octets.
    public var contents: [UInt8] {
        if let long { return long }
        // Converts two halves, because on 32-bit processors a 128-bit shift calls a function that wasm32 lacks.
        let high = UInt64(truncatingIfNeeded: short >> 64), low = UInt64(truncatingIfNeeded: short)
        return [UInt8]((bigEndian(high) + bigEndian(low)).suffix(Int(shortCount)))
    }
}

extension DERReader {
    /// Reads an OBJECT IDENTIFIER. For an `IMPLICIT` type, pass its tag.
    public mutating func readObjectIdentifier(
        _ tag: DERTag = .objectIdentifier
    ) throws(DERError) -> ASN1ObjectIdentifier {
        try ASN1ObjectIdentifier(contents: try read(tag))
    }
}
