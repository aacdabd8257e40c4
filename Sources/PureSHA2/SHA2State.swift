/// The chaining value of SHA-2 and its compression function, which ``SHA2Message`` uses for SHA-256 and SHA-512.
protocol SHA2State: Sendable {
    associatedtype Word: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable

    /// H₀ … H₇.
    var words: InlineArray<8, Word> { get }

    init(_ initialHashValue: InlineArray<8, Word>)

    /// The length of a block in bytes: sixteen words.
    static var blockByteCount: Int { get }

    /// Compresses a sequence of whole blocks.
    mutating func compress(_ blocks: RawSpan)
}

/// Returns the big-endian word at `offset`, which is checked against the end of `bytes`.
@inline(__always)
func bigEndianWord<Word: FixedWidthInteger & BitwiseCopyable>(_ bytes: RawSpan, _ offset: Int) -> Word {
    // The unsafe load is safe, because every bit pattern is a valid integer and the load needs no alignment.
    Word(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self))
}
