/// An element of a DER encoding. The slices share the input's storage and indices.
public struct DERElement: Hashable, Sendable {
    /// The element's tag.
    public let tag: DERTag
    /// The contents octets.
    public let content: ArraySlice<UInt8>
    /// The whole element, with its header. A signature over the element covers these bytes.
    public let encoded: ArraySlice<UInt8>
}

/// A cursor over the elements of one level of a DER encoding (X.690 §8 as restricted by §10 and §11).
///
/// The caller requests each element of the structure that it expects. The reader builds no tree, copies no bytes and
/// reads each byte once. ``readElement()`` checks only the header, and rejects constructed strings. Typed reads also
/// check the contents. If a read throws, the position of the cursor is unspecified.
public struct DERReader: Sendable {
    /// The maximum nesting depth: 32. X.509 and CMS need fewer than 16 levels. The deepest case is a distribution
    /// point's name in a certificate in a SignedData. A new cursor over an OCTET STRING's contents starts at depth 0.
    public static var maximumDepth: Int { 32 }

    private let bytes: ArraySlice<UInt8>
    private var offset: Int
    private let depth: Int

    /// Creates a cursor at the start of `bytes`. The start index of the slice need not be 0.
    public init(_ bytes: ArraySlice<UInt8>) {
        self.init(bytes, depth: 0)
    }

    private init(_ bytes: ArraySlice<UInt8>, depth: Int) {
        self.bytes = bytes
        offset = 0
        self.depth = depth
    }

    /// Whether all elements have been read.
    public var isAtEnd: Bool { offset == bytes.count }

    /// The unread bytes.
    public var remaining: ArraySlice<UInt8> { bytes[(bytes.startIndex + offset)...] }

    /// Throws ``DERError/trailingBytes`` unless every element has been read.
    public func finish() throws(DERError) {
        guard isAtEnd else { throw .trailingBytes }
    }

    /// Returns the next element's tag without consuming the element, or `nil` at the end.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public func peekTag() throws(DERError) -> DERTag? {
        isAtEnd ? nil : try DERHeader(bytes.span, at: offset).tag
    }

    /// Reads the next element, whatever its tag. Does not check the contents of the element.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public mutating func readElement() throws(DERError) -> DERElement {
        let header = try Self.header(bytes.span, offset)
        guard header.tag != DERTag(leadingBits: 0, number: 0) else { throw .reservedTag }
        // §10.2: strings are primitive. Reads with a tag need no such check, because callers pass the primitive tag.
        guard !header.tag.isStringInParts else { throw .constructedString }
        return take(header)
    }

    /// Reads the next element, which must have the tag `tag`.
    public mutating func readElement(_ tag: DERTag) throws(DERError) -> DERElement {
        take(try Self.header(bytes.span, offset, tag))
    }

    /// Reads the next element, which must have the tag `tag`, and returns its contents.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public mutating func read(_ tag: DERTag) throws(DERError) -> ArraySlice<UInt8> {
        let header = try Self.header(bytes.span, offset, tag)
        let start = offset + header.headerLength
        offset = start + header.contentLength
        return bytes[bytes.startIndex + start..<bytes.startIndex + offset]
    }

    /// Reads the next element if it has the tag `tag`, and returns its contents. Otherwise returns `nil`.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public mutating func readIfPresent(_ tag: DERTag) throws(DERError) -> ArraySlice<UInt8>? {
        try peekTag() == tag ? try read(tag) : nil
    }

    /// Reads the next element, which must have the tag `tag`, and returns a cursor over its contents. The caller must
    /// call ``finish()`` on that cursor.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public mutating func enter(_ tag: DERTag) throws(DERError) -> DERReader {
        guard depth < Self.maximumDepth else { throw .tooDeep }
        return DERReader(try read(tag), depth: depth + 1)
    }

    /// Reads the header at `offset`. Throws if the element extends beyond the input.
    #if !hasFeature(Embedded)
        @inline(__always)
    #endif
    private static func header(_ bytes: Span<UInt8>, _ offset: Int) throws(DERError) -> DERHeader {
        let header = try DERHeader(bytes, at: offset)
        // This check precedes every slice and addition that uses the declared length.
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
