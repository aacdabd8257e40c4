/// Decompresses one deflate stream (RFC 1951), piece by piece: in memory are the last 32 KiB, one piece, and what the
/// source hands over at once.
///
/// The output that a caller takes bounds the work, but for blocks that hold nothing: those cost what they are long.
struct Inflater {
    /// A match of 258 bytes takes at least two bits, one for its length and one for its distance (RFC 1951 §3.2.5, §3.2.7).
    static let maximumRatio: UInt64 = 4 * 258

    /// How far back a match reaches (RFC 1951 §2).
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
    /// The window and behind it what was decoded since.
    private var output = [UInt8](repeating: 0, count: windowSize + pieceSize + longestMatch)
    private var count = 0

    /// `next` hands over compressed bytes, none at their end.
    init(next: @escaping () throws(CodeFileError) -> [UInt8]) { input = DeflateBits(next: next) }

    /// The next decompressed bytes; none when the last block has ended and nothing follows it.
    mutating func next() throws(CodeFileError) -> [UInt8] {
        if count > Self.windowSize {
            // A copy to lower indices within the array: the source is read before it is overwritten.
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

    /// RFC 1951 §3.2.3.
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

    /// In which order the lengths of the code lengths' codes are given (RFC 1951 §3.2.7).
    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// RFC 1951 §3.2.7.
    private mutating func dynamicCodes() throws(CodeFileError) -> State {
        let literalCount = Int(try input.bits(5)) + 257
        let distanceCount = Int(try input.bits(5)) + 1
        let lengthCount = Int(try input.bits(4)) + 4
        // There are 286 and 30 (§3.2.5, §3.2.6).
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

    /// RFC 1951 §3.2.5: base of each length symbol from 257 and each distance symbol, and how many bits follow.
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

    /// Decodes up to about `limit` bytes; whether the block ended.
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
            // 286 and 287 have codes in a fixed block and stand for nothing (§3.2.6).
            guard symbol - 257 < Self.lengthBases.count else { throw .inflate(.invalidSymbol) }
            let length = Self.lengthBases[symbol - 257] + Int(try input.bits(Self.lengthBits[symbol - 257]))
            let distanceSymbol = Int(try input.symbol(of: distances))
            guard distanceSymbol < Self.distanceBases.count else { throw .inflate(.invalidSymbol) }
            let distance =
                Self.distanceBases[distanceSymbol] + Int(try input.bits(Self.distanceBits[distanceSymbol]))
            guard distance <= count else { throw .inflate(.distanceTooFar) }
            // Byte by byte: a match may overlap what it makes.
            for index in count..<count + length { output[index] = output[index - distance] }
            count += length
        }
        return false
    }
}

/// A code of RFC 1951 §3.2.2, by the lengths of its words.
struct PrefixCode {
    /// Words of up to this length are looked up at once.
    static let tableBits = 9
    private static let longest = 15

    /// For the next 9 bits of the stream: symbol · 16 + length of the word; 0 if the word is longer or there is none.
    fileprivate let table: [UInt16]
    /// How many words have each length.
    fileprivate let counts: [Int]
    /// The symbols in the order of their words.
    fileprivate let symbols: [UInt16]

    /// A code that leaves words unused may be one word of one bit, or none: so it is written for one or no distance
    /// (RFC 1951 §3.2.7; zlib takes no other).
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

        // Words of one length are consecutive numbers in the order of the symbols, sent with the first bit first.
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

    /// RFC 1951 §3.2.6.
    static let fixedLiterals = PrefixCode(
        fixed: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    /// RFC 1951 §3.2.6; symbols 30 and 31 have codes and stand for nothing.
    static let fixedDistances = PrefixCode(fixed: [UInt8](repeating: 5, count: 32))
}

/// The bits of a deflate stream, of each byte the lowest first (RFC 1951 §3.1.1).
private struct DeflateBits {
    private let next: () throws(CodeFileError) -> [UInt8]
    private var chunk: [UInt8] = []
    private var position = 0
    private var buffer: UInt64 = 0
    private var bitCount: UInt8 = 0

    init(next: @escaping () throws(CodeFileError) -> [UInt8]) { self.next = next }

    /// Takes in bytes until 49 bits are there or the input has ended.
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

    /// The next `count` bits, at most 16, as a number.
    mutating func bits(_ count: UInt8) throws(CodeFileError) -> UInt32 {
        if bitCount < count { try fill() }
        guard bitCount >= count else { throw .inflate(.unexpectedEnd) }
        let value = UInt32(truncatingIfNeeded: buffer & ((1 << UInt64(count)) - 1))
        drop(count)
        return value
    }

    /// The symbol whose word comes next.
    mutating func symbol(of code: PrefixCode) throws(CodeFileError) -> UInt16 {
        if bitCount < 15 { try fill() }
        let entry = code.table[Int(buffer & ((1 << UInt64(PrefixCode.tableBits)) - 1))]
        if entry != 0 {
            let length = UInt8(entry & 15)
            guard length <= bitCount else { throw .inflate(.unexpectedEnd) }
            drop(length)
            return entry >> 4
        }
        // Bit by bit: `word` is compared with the first word of each length.
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

    /// Drops what is left of a byte that was begun.
    mutating func skipToByte() { drop(bitCount % 8) }

    /// Up to `count` bytes, at least one; only after ``skipToByte()``.
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

    /// Whether no byte is left behind the one that was begun.
    mutating func isAtEnd() throws(CodeFileError) -> Bool {
        if bitCount < 8 { try fill() }
        return bitCount < 8
    }
}
