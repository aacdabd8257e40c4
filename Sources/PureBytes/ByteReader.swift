/// Why a ``ByteReader`` could not read on.
@nonexhaustive
public enum ByteReaderError: Error, Hashable, Sendable {
    /// The input ends before the value does.
    case unexpectedEnd
}

/// A cursor over bytes that checks every read against the end of its input.
///
/// Nothing is copied: what is read is a slice of the input. A failed read leaves the cursor where it was.
@frozen
public struct ByteReader: Sendable {
    @usableFromInline
    var rest: ArraySlice<UInt8>

    /// The bytes not read yet.
    @inlinable
    public var remaining: ArraySlice<UInt8> { rest }

    /// A cursor at the first of `bytes`; the slice's start index need not be 0.
    @inlinable
    public init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Whether every byte has been read.
    @inlinable
    public var isAtEnd: Bool { rest.isEmpty }

    /// The next byte, which stays unread; `nil` at the end.
    @inlinable
    public func peek() -> UInt8? { rest.first }

    /// Reads one byte.
    @inlinable
    public mutating func readByte() throws(ByteReaderError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .unexpectedEnd }
        return byte
    }

    /// Reads `count` bytes. A negative count, or one past the end, is ``ByteReaderError/unexpectedEnd``: a length that
    /// the input declares is compared with what is there before anything is sliced.
    @inlinable
    public mutating func readBytes(_ count: Int) throws(ByteReaderError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw .unexpectedEnd }
        let bytes = rest.prefix(count)
        rest = rest.dropFirst(count)
        return bytes
    }

    /// Reads an unsigned integer of `T`'s width, most significant byte first.
    @inlinable
    public mutating func readBigEndian<T: FixedWidthInteger & UnsignedInteger>(
        _ type: T.Type = T.self
    ) throws(ByteReaderError) -> T {
        var value: T = 0
        for byte in try readBytes(T.bitWidth / 8) { value = value << 8 | T(truncatingIfNeeded: byte) }
        return value
    }
}
