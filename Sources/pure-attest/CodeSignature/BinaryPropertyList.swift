/// A binary property list: objects, a table of their offsets, and a trailer of 32 bytes. Source: CFBinaryPList.c in
/// CoreFoundation. Numbers are big-endian.
struct BinaryPropertyList {
    private static let trailerByteCount = 32
    /// The exclusive upper limit of the numbers that the check accepts, so that products of two numbers do not
    /// overflow.
    private static let maximumNumber: UInt64 = 1 << 31

    let bytes: [UInt8]

    /// Whether the content of every string, data, array, set and dictionary ends before the table of offsets.
    ///
    /// Foundation's decoder traps on a list that breaks this rule. Does not check whether the list is otherwise valid.
    var hasPossibleCounts: Bool {
        let trailer = bytes.count - Self.trailerByteCount
        guard trailer >= 0, let count = number(at: trailer + 8, byteCount: 8, before: bytes.count),
            let table = number(at: trailer + 24, byteCount: 8, before: bytes.count), table <= trailer
        else { return false }
        let (offsetByteCount, referenceByteCount) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard count <= trailer - table else { return false }
        return (0..<count).allSatisfy { index in
            guard
                let offset = number(at: table + index * offsetByteCount, byteCount: offsetByteCount, before: trailer),
                offset < table
            else { return false }
            return contentFits(of: offset, before: table, referenceByteCount)
        }
    }

    /// The upper half of an object's first byte is its type. The lower half is the count, or 15 if an integer object with
    /// the count follows.
    private func contentFits(of offset: Int, before end: Int, _ referenceByteCount: Int) -> Bool {
        let elementByteCount: Int
        switch bytes[offset] >> 4 {
        case 4, 5: elementByteCount = 1  // data, ASCII
        case 6: elementByteCount = 2  // UTF-16
        case 10, 12: elementByteCount = referenceByteCount  // array, set
        case 13: elementByteCount = 2 * referenceByteCount  // dictionary
        default: return true
        }
        var (start, count) = (offset + 1, Int(bytes[offset] & 15))
        if count == 15 {
            guard start < end, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else { return false }
            let byteCount = 1 << Int(bytes[start] & 15)
            guard let long = number(at: start + 1, byteCount: byteCount, before: end) else { return false }
            (start, count) = (start + 1 + byteCount, long)
        }
        return count * elementByteCount <= end - start
    }

    private func number(at start: Int, byteCount: Int, before end: Int) -> Int? {
        guard 1...8 ~= byteCount, start <= end - byteCount else { return nil }
        let number = bytes[start..<start + byteCount].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return number < Self.maximumNumber ? Int(number) : nil
    }
}
