/// Decompresses a deflate stream (RFC 1951) in pieces. Keeps only the last 32 KiB of output, one piece, and the current
/// chunk of the source in memory. The running time is proportional to the output that a caller reads plus the empty
/// blocks in the input.
struct Inflater {
    /// The maximum number of output bytes per input byte. A match of 258 bytes needs at least two bits, one for the
    /// length and one for the distance (RFC 1951 §3.2.5, §3.2.7).
    static let maximumRatio: UInt64 = 4 * 258

    /// The maximum distance of a match (RFC 1951 §2).
    private static let windowSize = 32_768
    private static let longestMatch = 258
    private static let pieceSize = 65_536

    private enum State {
        case betweenBlocks
        case stored(missing: Int)
        case compressed(literals: PrefixCode, distances: PrefixCode)
        case ended
    }

    private var input: DeflateBits
    private var state = State.betweenBlocks
    private var isLastBlock = false
    /// The window, followed by the bytes that were decoded after it.
    private var output = [UInt8](repeating: 0, count: windowSize + pieceSize + longestMatch)
    private var count = 0

    /// `next` returns the next compressed bytes, or an empty array at the end of the stream.
    init(next: @escaping () throws(CodeFileError) -> [UInt8]) { input = DeflateBits(next: next) }

    /// Returns the next bytes, or an empty array after the last block. Throws if input follows the last block.
    mutating func next() throws(CodeFileError) -> [UInt8] {
        if count > Self.windowSize {
            // The loop copies to lower indices of the same array, so each byte is read before it is overwritten.
            let start = count - Self.windowSize
            for index in 0..<Self.windowSize { output[index] = output[start + index] }
            count = Self.windowSize
        }
        let start = count
        let limit = output.count - Self.longestMatch
        while count < limit {
            switch state {
            case .betweenBlocks:
                if isLastBlock {
                    guard try input.isAtEnd() else { throw .inflate(.bytesAfterEnd) }
                    state = .ended
                } else {
                    try readBlockHeader()
                }
            case .stored(let missing):
                guard missing > 0 else {
                    state = .betweenBlocks
                    continue
                }
                let part = try input.bytes(min(missing, limit - count))
                for byte in part {
                    output[count] = byte
                    count += 1
                }
                state = .stored(missing: missing - part.count)
            case .compressed(let literals, let distances):
                if try decode(literals, distances, upTo: limit) { state = .betweenBlocks }
            case .ended: return Array(output[start..<count])
            }
        }
        return Array(output[start..<count])
    }

    /// Reads a block header (RFC 1951 §3.2.3).
    private mutating func readBlockHeader() throws(CodeFileError) {
        isLastBlock = try input.bits(1) == 1
        switch try input.bits(2) {
        case 0:
            // §3.2.4
            input.skipToByte()
            let length = try input.bits(16)
            guard try input.bits(16) == ~length & 0xffff else { throw .inflate(.storedLength) }
            state = .stored(missing: Int(length))
        case 1: state = .compressed(literals: .fixedLiterals, distances: .fixedDistances)
        case 2: state = try dynamicCodes()
        default: throw .inflate(.reservedBlockType)
        }
    }

    /// The order in which the lengths of the code length code are stored (RFC 1951 §3.2.7).
    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// Reads the prefix codes of a dynamic block (RFC 1951 §3.2.7).
    private mutating func dynamicCodes() throws(CodeFileError) -> State {
        let literalCount = Int(try input.bits(5)) + 257
        let distanceCount = Int(try input.bits(5)) + 1
        let lengthCount = Int(try input.bits(4)) + 4
        // The alphabets have 286 and 30 symbols (§3.2.5, §3.2.6).
        guard literalCount <= 286, distanceCount <= 30 else { throw .inflate(.tooManyCodes) }
        var lengthLengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<lengthCount { lengthLengths[Self.lengthOrder[index]] = UInt8(try input.bits(3)) }
        let lengthCode = try PrefixCode(lengths: lengthLengths[...], mayBeIncomplete: false)

        var lengths: [UInt8] = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try input.symbol(of: lengthCode)
            let (value, times): (UInt8, Int)
            switch symbol {
            case 0...15: (value, times) = (UInt8(symbol), 1)
            case 16:
                guard let last = lengths.last else { throw .inflate(.malformedCode) }
                (value, times) = (last, 3 + Int(try input.bits(2)))
            case 17: (value, times) = (0, 3 + Int(try input.bits(3)))
            default: (value, times) = (0, 11 + Int(try input.bits(7)))
            }
            guard times <= literalCount + distanceCount - lengths.count else { throw .inflate(.tooManyCodes) }
            lengths += repeatElement(value, count: times)
        }
        guard lengths[256] != 0 else { throw .inflate(.noEndOfBlock) }
        return .compressed(
            literals: try PrefixCode(lengths: lengths[..<literalCount], mayBeIncomplete: true),
            distances: try PrefixCode(lengths: lengths[literalCount...], mayBeIncomplete: true))
    }

    /// By length symbol (from 257) or distance symbol: the base value, and the number of extra bits (RFC 1951 §3.2.5).
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
    private static let distanceBits: [UInt8] = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]

    /// Decodes until the output has at least `limit` bytes or the block ends. Returns true at the end of the block.
    private mutating func decode(
        _ literals: PrefixCode, _ distances: PrefixCode, upTo limit: Int
    ) throws(CodeFileError) -> Bool {
        while count < limit {
            let symbol = Int(try input.symbol(of: literals))
            if symbol < 256 {
                output[count] = UInt8(symbol)
                count += 1
                continue
            }
            guard symbol > 256 else { return true }
            // In a fixed block, the symbols 286 and 287 have codes but no meaning (§3.2.6).
            guard symbol - 257 < Self.lengthBases.count else { throw .inflate(.invalidSymbol) }
            let length = Self.lengthBases[symbol - 257] + Int(try input.bits(Self.lengthBits[symbol - 257]))
            let distanceSymbol = Int(try input.symbol(of: distances))
            guard distanceSymbol < Self.distanceBases.count else { throw .inflate(.invalidSymbol) }
            let distance =
                Self.distanceBases[distanceSymbol] + Int(try input.bits(Self.distanceBits[distanceSymbol]))
            guard distance <= count else { throw .inflate(.distanceTooFar) }
            // Copies byte by byte, because a match may overlap its own output.
            for index in count..<count + length { output[index] = output[index - distance] }
            count += length
        }
        return false
    }
}

/// A prefix code (RFC 1951 §3.2.2), built from the lengths of its codewords.
struct PrefixCode {
    /// The maximum codeword length that is decoded with a table lookup.
    static let tableBits = 9
    private static let longest = 15

    /// The lookup table, indexed by the next 9 bits of the stream. An entry is symbol · 16 + codeword length, or 0 if
    /// the codeword is longer or unused.
    fileprivate let table: [UInt16]
    /// The number of codewords of each length.
    fileprivate let counts: [Int]
    /// The symbols in the order of their codewords.
    fileprivate let symbols: [UInt16]

    /// Creates a code from the lengths of its codewords. The only accepted incomplete codes have a single codeword of
    /// one bit, or no codeword. RFC 1951 §3.2.7 allows these codes for a block with one distance or no distance. zlib
    /// also rejects all other incomplete codes.
    init(lengths: ArraySlice<UInt8>, mayBeIncomplete: Bool) throws(CodeFileError) {
        var counts = [Int](repeating: 0, count: Self.longest + 1)
        for length in lengths { counts[Int(length)] += 1 }
        let used = lengths.count - counts[0]
        counts[0] = 0
        var unused = 1
        var offsets = [Int](repeating: 0, count: Self.longest + 2)
        for length in 1...Self.longest {
            unused = 2 * unused - counts[length]
            guard unused >= 0 else { throw .inflate(.malformedCode) }
            offsets[length + 1] = offsets[length] + counts[length]
        }
        guard unused == 0 || mayBeIncomplete && (used == 0 || used == 1 && counts[1] == 1) else {
            throw .inflate(.malformedCode)
        }
        var symbols = [UInt16](repeating: 0, count: used)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[offsets[Int(length)]] = UInt16(symbol)
            offsets[Int(length)] += 1
        }

        // Codewords of the same length are consecutive numbers, in the order of their symbols. In the stream, the
        // highest bit of a codeword comes first.
        var table = [UInt16](repeating: 0, count: 1 << Self.tableBits)
        var word = 0
        var index = 0
        for length in 1...Self.tableBits {
            for _ in 0..<counts[length] {
                var reversed = 0
                for bit in 0..<length where word & 1 << bit != 0 { reversed |= 1 << (length - 1 - bit) }
                for entry in stride(from: reversed, to: table.count, by: 1 << length) {
                    table[entry] = symbols[index] << 4 | UInt16(length)
                }
                word += 1
                index += 1
            }
            word <<= 1
        }
        (self.table, self.counts, self.symbols) = (table, counts, symbols)
    }

    private init(fixed lengths: [UInt8]) {
        do { try self.init(lengths: lengths[...], mayBeIncomplete: false) } catch {
            preconditionFailure("the fixed codes of RFC 1951 are complete")
        }
    }

    /// The literal/length code of fixed blocks (RFC 1951 §3.2.6).
    static let fixedLiterals = PrefixCode(
        fixed: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    /// The distance code of fixed blocks (RFC 1951 §3.2.6); symbols 30 and 31 have codes but no meaning.
    static let fixedDistances = PrefixCode(fixed: [UInt8](repeating: 5, count: 32))
}

/// Reads the bits of a deflate stream. The lowest bit of each byte comes first (RFC 1951 §3.1.1).
private struct DeflateBits {
    private let next: () throws(CodeFileError) -> [UInt8]
    private var chunk: [UInt8] = []
    private var position = 0
    private var buffer: UInt64 = 0
    private var bitCount: UInt8 = 0

    init(next: @escaping () throws(CodeFileError) -> [UInt8]) { self.next = next }

    /// Buffers input bytes until at least 49 bits are buffered or the input ends.
    private mutating func fill() throws(CodeFileError) {
        while bitCount <= 48 {
            if position == chunk.count {
                chunk = try next()
                position = 0
                if chunk.isEmpty { return }
            }
            buffer |= UInt64(chunk[position]) << UInt64(bitCount)
            position += 1
            bitCount += 8
        }
    }

    private mutating func drop(_ count: UInt8) {
        buffer >>= UInt64(count)
        bitCount -= count
    }

    /// Reads `count` bits, at most 16, as a number.
    mutating func bits(_ count: UInt8) throws(CodeFileError) -> UInt32 {
        if bitCount < count { try fill() }
        guard bitCount >= count else { throw .inflate(.unexpectedEnd) }
        let value = UInt32(truncatingIfNeeded: buffer & ((1 << UInt64(count)) - 1))
        drop(count)
        return value
    }

    mutating func symbol(of code: PrefixCode) throws(CodeFileError) -> UInt16 {
        if bitCount < 15 { try fill() }
        let entry = code.table[Int(buffer & ((1 << UInt64(PrefixCode.tableBits)) - 1))]
        if entry != 0 {
            let length = UInt8(entry & 15)
            guard length <= bitCount else { throw .inflate(.unexpectedEnd) }
            drop(length)
            return entry >> 4
        }
        // Reads one bit at a time, and compares the codeword so far with the first codeword of each length.
        var word = 0, first = 0, index = 0
        for length in 1...15 as ClosedRange<UInt8> {
            guard length <= bitCount else { throw .inflate(.unexpectedEnd) }
            word |= Int(truncatingIfNeeded: buffer >> UInt64(length - 1)) & 1
            let count = code.counts[Int(length)]
            if word - first < count {
                drop(length)
                return code.symbols[index + word - first]
            }
            index += count
            first = (first + count) << 1
            word <<= 1
        }
        throw .inflate(.invalidSymbol)
    }

    mutating func skipToByte() { drop(bitCount % 8) }

    /// Reads at least one byte and at most `count` bytes. Call this function only after ``skipToByte()``.
    mutating func bytes(_ count: Int) throws(CodeFileError) -> ArraySlice<UInt8> {
        if bitCount > 0 { return [UInt8(try bits(8))] }
        if position == chunk.count {
            chunk = try next()
            position = 0
        }
        guard position < chunk.count else { throw .inflate(.unexpectedEnd) }
        let part = chunk[position...].prefix(count)
        position += part.count
        return part
    }

    /// Returns true if no byte follows the current byte.
    mutating func isAtEnd() throws(CodeFileError) -> Bool {
        if bitCount < 8 { try fill() }
        return bitCount < 8
    }
}
