/// One element of the encoding. The slices share the input's storage and its indices.
public struct DERElement: Hashable, Sendable {
    /// What the element is.
    public let tag: DERTag
    /// The contents octets.
    public let content: ArraySlice<UInt8>
    /// Header and contents: what a signature over the element covers.
    public let encoded: ArraySlice<UInt8>
}

/// A cursor over the elements of one level of a DER encoding (X.690 §8 as restricted by §10 and §11).
///
/// It is driven by the structure that the caller expects: nothing is built, copied or looked at twice. Contents are
/// checked by the typed reads only; ``readElement()`` checks no more than the header, of which it refuses a string in parts.
/// After a read that throws, the cursor's position means nothing.
public struct DERReader: Sendable {
    /// How many structures may be open one inside another: 32. X.509 and CMS need fewer than 16 (a distribution point's
    /// name in a certificate in a SignedData); a cursor that is opened in the contents of an OCTET STRING counts anew.
    public static var maximumDepth: Int { 32 }

    private let bytes: ArraySlice<UInt8>
    /// How many of the bytes have been read.
    private var offset: Int
    private let depth: Int

    /// A cursor at the first of `bytes`; the slice's start index need not be 0.
    public init(_ bytes: ArraySlice<UInt8>) {
        self.init(bytes, depth: 0)
    }

    private init(_ bytes: ArraySlice<UInt8>, depth: Int) {
        self.bytes = bytes
        offset = 0
        self.depth = depth
    }

    /// Whether every element has been read.
    public var isAtEnd: Bool { offset == bytes.count }

    /// The bytes not read yet.
    public var remaining: ArraySlice<UInt8> { bytes[(bytes.startIndex + offset)...] }

    /// Throws ``DERError/trailingBytes`` unless every element has been read.
    public func finish() throws(DERError) {
        guard isAtEnd else { throw .trailingBytes }
    }

    /// The next element's tag; `nil` at the end. The element stays unread.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public func peekTag() throws(DERError) -> DERTag? {
        isAtEnd ? nil : try DERHeader(bytes.span, at: offset).tag
    }

    /// Reads the next element, whatever it is. Its contents are not checked.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public mutating func readElement() throws(DERError) -> DERElement {
        let header = try Self.header(bytes.span, offset)
        guard header.tag != DERTag(leadingBits: 0, number: 0) else { throw .reservedTag }
        // §10.2. Where the caller names the tag, it names the primitive one.
        guard !header.tag.isStringInParts else { throw .constructedString }
        return take(header)
    }

    /// Reads the next element, which must be a `tag`.
    public mutating func readElement(_ tag: DERTag) throws(DERError) -> DERElement {
        take(try Self.header(bytes.span, offset, tag))
    }

    /// Reads the next element, which must be a `tag`, and returns its contents.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public mutating func read(_ tag: DERTag) throws(DERError) -> ArraySlice<UInt8> {
        let header = try Self.header(bytes.span, offset, tag)
        let start = offset + header.headerLength
        offset = start + header.contentLength
        return bytes[bytes.startIndex + start..<bytes.startIndex + offset]
    }

    /// Reads the next element if it is a `tag`, and returns its contents.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public mutating func readIfPresent(_ tag: DERTag) throws(DERError) -> ArraySlice<UInt8>? {
        try peekTag() == tag ? try read(tag) : nil
    }

    /// Reads the next element, which must be a `tag`, and returns a cursor over its contents. The caller ends it with
    /// ``finish()``.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public mutating func enter(_ tag: DERTag) throws(DERError) -> DERReader {
        guard depth < Self.maximumDepth else { throw .tooDeep }
        return DERReader(try read(tag), depth: depth + 1)
    }

    /// As ``enter(_:)`` if the next element is a `tag`.
    public mutating func enterIfPresent(_ tag: DERTag) throws(DERError) -> DERReader? {
        try peekTag() == tag ? try enter(tag) : nil
    }

    /// The header at `offset`, of an element that lies within the input.
    #if !hasFeature(Embedded)
        @inline(__always)
    #endif
    private static func header(_ bytes: Span<UInt8>, _ offset: Int) throws(DERError) -> DERHeader {
        let header = try DERHeader(bytes, at: offset)
        // The declared length is compared with what is there before anything is sliced or added.
        guard header.contentLength <= bytes.count - offset - header.headerLength else { throw .unexpectedEnd }
        return header
    }

    #if !hasFeature(Embedded)
        @inline(__always)
    #endif
    private static func header(_ bytes: Span<UInt8>, _ offset: Int, _ tag: DERTag) throws(DERError) -> DERHeader {
        let header = try header(bytes, offset)
        guard header.tag == tag else { throw .unexpectedTag(expected: tag, found: header.tag) }
        return header
    }

    private mutating func take(_ header: DERHeader) -> DERElement {
        let start = bytes.startIndex + offset
        let contentStart = start + header.headerLength
        let end = contentStart + header.contentLength
        offset = end - bytes.startIndex
        return DERElement(tag: header.tag, content: bytes[contentStart..<end], encoded: bytes[start..<end])
    }
}
