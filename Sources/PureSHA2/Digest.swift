public import PureBytes

/// The result of a ``HashFunction``: a fixed number of bytes, without heap storage.
///
/// Only the hash functions of this package create digests. Do not conform other types to this protocol. ECDSA reads a
/// digest through ``sha2``, and only this package can create the digests that ``sha2`` returns.
public protocol Digest: RandomAccessCollection, Hashable, Sendable
where Element == UInt8, Index == Int, Indices == Range<Int>, Iterator: Sequence {
    /// The length in bytes.
    static var byteCount: Int { get }

    /// The digest as a case that names its hash function, for code that is generic over digests.
    var sha2: SHA2Digest { get }
}

/// A digest of one of the three hash functions.
@frozen
public enum SHA2Digest: Sendable {
    /// A ``SHA256`` digest.
    case sha256(SHA256Digest)
    /// A ``SHA384`` digest.
    case sha384(SHA384Digest)
    /// A ``SHA512`` digest.
    case sha512(SHA512Digest)
}

extension Digest {
    /// Always 0.
    @inlinable
    public var startIndex: Int { 0 }

    /// Always ``byteCount``.
    @inlinable
    public var endIndex: Int { Self.byteCount }

    /// Compares two digests in time that does not depend on the bytes, because a digest may be an authentication code.
    @inlinable
    public static func == (a: Self, b: Self) -> Bool { constantTimeEquals(a, b) }

    /// Returns whether the digest's bytes equal `b`, in time that does not depend on the bytes.
    @inlinable
    public static func == (a: Self, b: some Collection<UInt8>) -> Bool { constantTimeEquals(a, b) }

    /// Returns whether the digest's bytes differ from `b`, in time that does not depend on the bytes.
    @inlinable
    public static func != (a: Self, b: some Collection<UInt8>) -> Bool { !constantTimeEquals(a, b) }

    /// Feeds the digest's bytes to `hasher`.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        for byte in self { hasher.combine(byte) }
    }
}

/// A SHA-256 digest: 32 bytes.
public struct SHA256Digest: Digest {
    /// H₀ … H₇ of FIPS 180-4 §6.2.2: word `i` holds bytes `4i ..< 4i + 4`, most significant byte first.
    public let words: InlineArray<8, UInt32>

    package init(words: InlineArray<8, UInt32>) {
        self.words = words
    }

    /// The length in bytes: 32.
    @inlinable
    public static var byteCount: Int { 32 }

    /// The bytes in an array.
    public var bytes: InlineArray<32, UInt8> { InlineArray { self[$0] } }

    /// The digest as a case of ``SHA2Digest``.
    @inlinable
    public var sha2: SHA2Digest { .sha256(self) }

    /// Compares whole words. The method of `Sequence` compares single bytes.
    package func elementsEqual(_ other: ArraySlice<UInt8>) -> Bool {
        guard other.count == Self.byteCount else { return false }
        let bytes = other.span
        for i in words.indices {
            var word: UInt32 = 0
            for j in 0..<4 { word = word &<< 8 | UInt32(bytes[4 * i + j]) }
            guard word == words[i] else { return false }
        }
        return true
    }

    /// Byte `position`, in `0 ..< 32`.
    @inlinable
    public subscript(position: Int) -> UInt8 { bigEndianByte(position & 3, of: words[position >> 2]) }
}

/// A SHA-384 digest: 48 bytes.
public struct SHA384Digest: Digest {
    /// H₀ … H₅ of FIPS 180-4 §6.5: word `i` holds bytes `8i ..< 8i + 8`, most significant byte first.
    public let words: InlineArray<6, UInt64>

    package init(words: InlineArray<6, UInt64>) {
        self.words = words
    }

    /// The length in bytes: 48.
    @inlinable
    public static var byteCount: Int { 48 }

    /// The bytes in an array.
    public var bytes: InlineArray<48, UInt8> { InlineArray { self[$0] } }

    /// The digest as a case of ``SHA2Digest``.
    @inlinable
    public var sha2: SHA2Digest { .sha384(self) }

    /// Byte `position`, in `0 ..< 48`.
    @inlinable
    public subscript(position: Int) -> UInt8 { bigEndianByte(position & 7, of: words[position >> 3]) }
}

/// A SHA-512 digest: 64 bytes.
public struct SHA512Digest: Digest {
    /// H₀ … H₇ of FIPS 180-4 §6.4.2: word `i` holds bytes `8i ..< 8i + 8`, most significant byte first.
    public let words: InlineArray<8, UInt64>

    package init(words: InlineArray<8, UInt64>) {
        self.words = words
    }

    /// The length in bytes: 64.
    @inlinable
    public static var byteCount: Int { 64 }

    /// The bytes in an array.
    public var bytes: InlineArray<64, UInt8> { InlineArray { self[$0] } }

    /// The digest as a case of ``SHA2Digest``.
    @inlinable
    public var sha2: SHA2Digest { .sha512(self) }

    /// Byte `position`, in `0 ..< 64`.
    @inlinable
    public subscript(position: Int) -> UInt8 { bigEndianByte(position & 7, of: words[position >> 3]) }
}

/// Returns byte `index` of `word`, counted from the most significant byte.
@inlinable
func bigEndianByte<Word: FixedWidthInteger>(_ index: Int, of word: Word) -> UInt8 {
    UInt8(truncatingIfNeeded: word &>> Word(truncatingIfNeeded: Word.bitWidth - 8 - 8 * index))
}
