/// The reason why a read from a ``ByteReader`` failed.
@nonexhaustive
public enum ByteReaderError: Error, Hashable, Sendable {
    /// The input ends before the value does.
    case unexpectedEnd
}

/// A cursor over bytes that checks every read against the end of its input.
///
/// Reads return slices of the input and copy nothing. A failed read does not move the cursor.
@frozen
public struct ByteReader: Sendable {
    @usableFromInline
    let bytes: ArraySlice<UInt8>
    @usableFromInline
    var position: Int

    /// The bytes not read yet.
    @inlinable
    public var remaining: ArraySlice<UInt8> { bytes[position...] }

    /// The number of bytes not read yet.
    @inlinable
    package var remainingCount: Int { bytes.endIndex - position }

    /// Creates a cursor at the first byte. The slice's start index need not be 0.
    @inlinable
    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Whether every byte has been read.
    @inlinable
    public var isAtEnd: Bool { remainingCount == 0 }

    /// Returns the next byte without advancing the cursor, or `nil` at the end of the input.
    @inlinable
    public func peek() -> UInt8? { isAtEnd ? nil : bytes[position] }

    /// Reads one byte.
    @inlinable
    public mutating func readByte() throws(ByteReaderError) -> UInt8 {
        guard !isAtEnd else { throw .unexpectedEnd }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads `count` bytes. Throws, instead of trapping, if `count` is negative or fewer bytes remain.
    @inlinable
    public mutating func readBytes(_ count: Int) throws(ByteReaderError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remainingCount else { throw .unexpectedEnd }
        let start = position
        position += count
        return bytes[start..<position]
    }

    /// Reads an unsigned integer of `T`'s width, most significant byte first.
    @inlinable
    public mutating func readBigEndian<T: FixedWidthInteger & UnsignedInteger>(
        _ type: T.Type = T.self
    ) throws(ByteReaderError) -> T {
        guard T.bitWidth / 8 <= remainingCount else { throw .unexpectedEnd }
        var value: T = 0
        for _ in 0..<T.bitWidth / 8 {
            value = value << 8 | T(truncatingIfNeeded: bytes[position])
            position += 1
        }
        return value
    }
}

#if !hasFeature(Embedded)
    extension ByteReaderError: CustomStringConvertible {
        /// Describes the error in one sentence.
        public var description: String {
            switch self {
            case .unexpectedEnd: "the input ends inside a value"
            }
        }
    }
#endif
