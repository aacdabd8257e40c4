package import PureDER

/// A wrapper of ``DERReader`` that adds the name of the field to errors.
///
/// In Embedded Swift, these methods and ``DERReader``'s are not inlined: inlined copies would dominate the code size.
package struct FieldReader {
    private var reader: DERReader
    /// The field being read. Callers update it as the reader advances.
    package var field: CertificateField

    package init(_ bytes: ArraySlice<UInt8>, _ field: CertificateField) {
        self.init(DERReader(bytes), field)
    }

    private init(_ reader: DERReader, _ field: CertificateField) {
        self.reader = reader
        self.field = field
    }

    /// Reads the header of the only element in `bytes`, and returns a reader over the element's contents.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package static func entering(
        _ tag: DERTag, of bytes: ArraySlice<UInt8>, _ field: CertificateField
    ) throws(X509Error) -> FieldReader {
        var outer = FieldReader(bytes, field)
        let inner = try outer.enter(tag)
        try outer.finish()
        return inner
    }

    package var isAtEnd: Bool { reader.isAtEnd }

    package var remaining: ArraySlice<UInt8> { reader.remaining }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package func finish() throws(X509Error) {
        do { try reader.finish() } catch { throw .malformed(field, error) }
    }

    package func requireElement() throws(X509Error) {
        guard !isAtEnd else { throw .emptyList(field) }
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package func peekTag() throws(X509Error) -> DERTag? {
        do { return try reader.peekTag() } catch { throw .malformed(field, error) }
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func enter(_ tag: DERTag) throws(X509Error) -> FieldReader {
        FieldReader(try naming { (reader) throws(DERError) in try reader.enter(tag) }, field)
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readElement() throws(X509Error) -> DERElement {
        try naming { (reader) throws(DERError) in try reader.readElement() }
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readElement(_ tag: DERTag) throws(X509Error) -> DERElement {
        try naming { (reader) throws(DERError) in try reader.readElement(tag) }
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func read(_ tag: DERTag) throws(X509Error) -> ArraySlice<UInt8> {
        try naming { (reader) throws(DERError) in try reader.read(tag) }
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readIfPresent(_ tag: DERTag) throws(X509Error) -> ArraySlice<UInt8>? {
        try naming { (reader) throws(DERError) in try reader.readIfPresent(tag) }
    }

    /// Reads a BOOLEAN whose default is FALSE. X.690 §11.5 forbids encoding the default.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readFlag() throws(X509Error) -> Bool {
        guard try peekTag() == .boolean else { return false }
        let value = try naming { (reader) throws(DERError) in try reader.readBoolean() }
        guard value else { throw .encodedDefault(field) }
        return true
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readInt64(_ tag: DERTag = .integer) throws(X509Error) -> Int64 {
        try naming { (reader) throws(DERError) in try reader.readInt64(tag) }
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readInteger(_ tag: DERTag = .integer) throws(X509Error) -> ArraySlice<UInt8> {
        try naming { (reader) throws(DERError) in try reader.readInteger(tag) }
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readBitString(_ tag: DERTag = .bitString) throws(X509Error) -> DERBitString {
        try naming { (reader) throws(DERError) in try reader.readBitString(tag) }
    }

    /// Reads a BIT STRING that must consist of whole octets.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readOctets(_ tag: DERTag = .bitString) throws(X509Error) -> ArraySlice<UInt8> {
        let bits = try readBitString(tag)
        guard bits.unusedBitCount == 0 else { throw .notWholeOctets(field) }
        return bits.bytes
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readObjectIdentifier(_ tag: DERTag = .objectIdentifier) throws(X509Error)
        -> ASN1ObjectIdentifier
    {
        try naming { (reader) throws(DERError) in try reader.readObjectIdentifier(tag) }
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readAlgorithmIdentifier() throws(X509Error) -> AlgorithmIdentifier {
        try naming { (reader) throws(DERError) in try AlgorithmIdentifier(contents: try reader.read(.sequence)) }
    }

    #if hasFeature(Embedded)
        @inline(never)
    #endif
    package mutating func readTime() throws(X509Error) -> UnixTime {
        try naming { (reader) throws(DERError) in try reader.readTime() }
    }

    private mutating func naming<T>(_ read: (inout DERReader) throws(DERError) -> T) throws(X509Error) -> T {
        do { return try read(&reader) } catch { throw .malformed(field, error) }
    }
}
