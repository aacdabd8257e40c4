/// The chaining value of SHA-2 with its compression function: what ``SHA2Message`` needs to know of SHA-256 and of SHA-512.
protocol SHA2State: Sendable {
    associatedtype Word: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable

    /// H₀ … H₇.
    var words: InlineArray<8, Word> { get }

    init(_ initialHashValue: InlineArray<8, Word>)

    /// The length in bytes of a block: sixteen words.
    static var blockByteCount: Int { get }

    /// Takes in `blocks`, whole blocks one after the other.
    mutating func compress(_ blocks: RawSpan)
}

/// The big-endian word at `offset`, which is checked against the end of `bytes`.
@inline(__always)
func bigEndianWord<Word: FixedWidthInteger & BitwiseCopyable>(_ bytes: RawSpan, _ offset: Int) -> Word {
    // Safe: every bit pattern is an integer, and the load needs no alignment.
    Word(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self))
}
