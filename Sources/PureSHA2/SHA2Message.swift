/// A message that SHA-2 is hashing: the state after the last whole block, and the bytes that follow this block.
struct SHA2Message<State: SHA2State>: Sendable {
    private var state: State

    /// The bytes that follow the last whole block, in input order, then zeros.
    private var block: InlineArray<16, State.Word>

    /// The byte count of the message, modulo 2⁶⁴. For a longer message, the digest is wrong, but nothing traps.
    /// (SHA-256 is undefined for such messages.)
    private var byteCount: UInt64

    init(_ initialHashValue: InlineArray<8, State.Word>) {
        state = State(initialHashValue)
        block = InlineArray(repeating: 0)
        byteCount = 0
    }

    /// The number of bytes of `block` in use; always less than a block.
    @inline(__always)
    private var blockFill: Int { Int(truncatingIfNeeded: byteCount) & (State.blockByteCount - 1) }

    @inline(__always)
    mutating func append(_ bytes: Span<UInt8>) {
        var rest = bytes
        let fill = blockFill
        byteCount &+= UInt64(truncatingIfNeeded: bytes.count)
        if fill > 0 {
            let head = rest.extracting(first: State.blockByteCount - fill)
            store(head, at: fill)
            guard fill + head.count == State.blockByteCount else { return }
            compressBlock()
            rest = rest.extracting(droppingFirst: head.count)
        }
        let wholeBlocks = rest.count & ~(State.blockByteCount - 1)
        // Viewing the words as raw bytes, here and below, is safe because integers have no padding.
        state.compress(unsafe rest.extracting(first: wholeBlocks).bytes)
        store(rest.extracting(droppingFirst: wholeBlocks), at: 0)
    }

    /// Compresses `block`, whose unused bytes are zeros, and empties it.
    @inline(__always)
    private mutating func compressBlock() {
        state.compress(unsafe block.span.bytes)
        block = InlineArray(repeating: 0)
    }

    /// Copies `bytes`, which must fit, into `block` at byte `offset`.
    @inline(__always)
    private mutating func store(_ bytes: Span<UInt8>, at offset: Int) {
        var span = block.mutableSpan
        var raw = unsafe span.mutableBytes
        for i in bytes.indices {
            raw.storeBytes(of: bytes[i], toByteOffset: offset + i, as: UInt8.self)
        }
    }

    /// Pads the message and returns its hash value. The padding is a 1 bit, zeros, and the message's length in bits
    /// (FIPS 180-4 §5.1).
    @inline(__always)
    consuming func hashValue() -> InlineArray<8, State.Word> {
        let fill = blockFill
        let one: InlineArray<1, UInt8> = [0x80]
        store(one.span, at: fill)
        // The length needs the last two words of a block. If the message or the octet 0x80 uses these words, the length
        // goes into an additional block.
        if fill >= 14 * (State.Word.bitWidth / 8) { compressBlock() }
        (block[14], block[15]) = Self.lengthField(byteCount)
        compressBlock()
        return state.words
    }

    /// The length in bits, 8 · `byteCount`, as the last two words of the padding. The most significant word is first,
    /// and the words have the byte order of `block`. SHA-256 stores the length modulo 2⁶⁴ bits.
    @inline(__always)
    static func lengthField(_ byteCount: UInt64) -> (State.Word, State.Word) {
        let width = UInt64(State.Word.bitWidth)
        return (
            State.Word(truncatingIfNeeded: byteCount >> (width - 3)).bigEndian,
            State.Word(truncatingIfNeeded: byteCount << 3).bigEndian
        )
    }
}
