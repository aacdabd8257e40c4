import PureBytes

/// An OBJECT IDENTIFIER (X.690 §8.19), compared as contents octets. Arcs stay octets, so none can overflow.
///
/// Stores up to 16 octets in place, enough for all identifiers of X.509, CMS and App Attest. Longer identifiers are
/// copied. Length and arcs are unlimited (RFC 5280 appendix B sets no limit).
public struct ASN1ObjectIdentifier: Hashable, Sendable {
    private static var inlineCapacity: Int { 16 }

    /// Up to 16 contents octets as a big-endian number; 0 for a longer identifier.
    @usableFromInline
    let short: UInt128
    /// The contents octets if there are more than 16. Otherwise `nil`, so that copies need no reference counting.
    @usableFromInline
    let long: [UInt8]?
    /// The number of octets in `short`, because an identifier may start with 00. 0 if `long` is used.
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

    /// Creates an identifier from its contents octets as a big-endian number without leading zeros. Only for constants:
    /// does not check the octets.
    @inlinable @inline(__always)
    public init(encodedAs number: UInt128) {
        short = number
        // In halves, because of a fault of Swift 6.3.1 at -O on 32-bit processors: the leadingZeroBitCount of any small
        // constant UInt128 is 64, so no identifier would equal its constant.
        let high = UInt64(truncatingIfNeeded: number >> 64), low = UInt64(truncatingIfNeeded: number)
        shortCount = UInt8(high == 0 ? 8 - low.leadingZeroBitCount / 8 : 16 - high.leadingZeroBitCount / 8)
        long = nil
    }

    /// Whether both have the same contents octets.
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
        // Converted in halves, because 32-bit processors shift 128 bits by a function that wasm32 lacks.
        let high = UInt64(truncatingIfNeeded: short >> 64), low = UInt64(truncatingIfNeeded: short)
        return [UInt8]((bigEndian(high) + bigEndian(low)).suffix(Int(shortCount)))
    }
}

extension DERReader {
    /// Reads an OBJECT IDENTIFIER. Pass another `tag` for an `IMPLICIT` tag.
    public mutating func readObjectIdentifier(
        _ tag: DERTag = .objectIdentifier
    ) throws(DERError) -> ASN1ObjectIdentifier {
        try ASN1ObjectIdentifier(contents: try read(tag))
    }
}
