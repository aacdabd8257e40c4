/// An OBJECT IDENTIFIER (X.690 §8.19), compared as its contents octets: no arc is ever converted, so none can overflow.
///
/// Up to 16 octets, which all identifiers of X.509, CMS and App Attest need, are held in place; a longer one is copied. There is no limit on length or arcs (RFC 5280 appendix B sets none).
public struct ASN1ObjectIdentifier: Hashable, Sendable {
    private static var inlineCapacity: Int { 16 }

    /// Up to 16 contents octets as a big-endian number; 0 if there are more.
    @usableFromInline
    let short: UInt128
    /// The contents octets if there are more than 16; `nil` otherwise, so that copying an identifier counts no reference.
    @usableFromInline
    let long: [UInt8]?
    /// How many octets `short` stands for: an identifier may start with 00. 0 if `long` is used.
    @usableFromInline
    let shortCount: UInt8

    /// Decodes contents octets. Each subidentifier is in its shortest form, and the last one ends.
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

    /// The identifier whose contents octets are those of `number`, most significant first, without leading zeros. For
    /// constants: the octets are not checked.
    @inlinable @inline(__always)
    public init(encodedAs number: UInt128) {
        short = number
        // In halves: for 32-bit processors, Swift 6.3.1 at -O takes the leadingZeroBitCount of any small constant UInt128 for 64, and then
        // no identifier would be equal to its constant.
        let high = UInt64(truncatingIfNeeded: number >> 64), low = UInt64(truncatingIfNeeded: number)
        shortCount = UInt8(high == 0 ? 8 - low.leadingZeroBitCount / 8 : 16 - high.leadingZeroBitCount / 8)
        long = nil
    }

    /// Whether both have the same contents octets.
    @inlinable
    public static func == (a: Self, b: Self) -> Bool {
        a.short == b.short && a.shortCount == b.shortCount && (a.shortCount > 0 || a.long == b.long)
    }

    /// An order to sort by, which means nothing else.
    package static func areInOrder(_ a: Self, _ b: Self) -> Bool {
        if a.shortCount != b.shortCount { return a.shortCount < b.shortCount }
        if a.short != b.short { return a.short < b.short }
        guard let a = a.long, let b = b.long else { return false }
        return a.lexicographicallyPrecedes(b)
    }

    /// The contents octets.
    public var contents: [UInt8] {
        if let long { return long }
        var octets = [UInt8](repeating: 0, count: Int(shortCount))
        var rest = short
        for index in octets.indices.reversed() {
            octets[index] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
        return octets
    }
}

extension DERReader {
    /// Reads an OBJECT IDENTIFIER. `tag` is another one where the type is `IMPLICIT`ly tagged.
    public mutating func readObjectIdentifier(
        _ tag: DERTag = .objectIdentifier
    ) throws(DERError) -> ASN1ObjectIdentifier {
        try ASN1ObjectIdentifier(contents: try read(tag))
    }
}
