internal import PureBytes

/// A cursor that reads a sequence of CBOR data items (RFC 8949).
///
/// The reader does not trust declared counts. It reserves memory for at most eight items of each container, which then
/// grows as items are read. If a read fails, the cursor does not move.
public struct CBORReader: Sendable {
    private var bytes: ByteReader
    private var itemsLeft: Int
    private let maximumDepth: Int
    private let options: CBORDecodingOptions

    /// Creates a cursor at the start of `bytes`. The start index of the slice need not be 0.
    ///
    /// - Throws: ``CBORError/sizeLimitExceeded``.
    public init(
        _ bytes: ArraySlice<UInt8>, limits: CBORLimits = .default, options: CBORDecodingOptions = []
    ) throws(CBORError) {
        guard bytes.count <= limits.maximumSize else { throw .sizeLimitExceeded }
        self.bytes = ByteReader(bytes)
        self.itemsLeft = limits.maximumItems
        self.maximumDepth = limits.maximumDepth
        self.options = options
    }

    /// Whether every byte has been read.
    public var isAtEnd: Bool { bytes.isAtEnd }

    /// The bytes that have not been read yet.
    public var remaining: ArraySlice<UInt8> { bytes.remaining }

    /// Checks that every byte has been read.
    ///
    /// - Throws: ``CBORError/trailingBytes``.
    public func finish() throws(CBORError) {
        guard isAtEnd else { throw .trailingBytes }
    }

    /// Reads the next data item, including nested items. The item limit covers all reads from this cursor together.
    public mutating func readValue() throws(CBORError) -> CBORValue {
        var advanced = self
        let value = try advanced.readValue(depthLeft: maximumDepth)
        self = advanced
        return value
    }
}

// MARK: - Data items

extension CBORReader {
    private mutating func readValue(depthLeft: Int) throws(CBORError) -> CBORValue {
        let head = try readHead()
        switch head.majorType {
        case .unsignedInteger: return .unsignedInteger(try head.definite())
        case .negativeInteger: return .negativeInteger(try head.definite())
        case .byteString: return .byteString(try readString(head))
        case .textString: return .textString(try readString(head))
        case .array: return .array(try readArray(head, depthLeft: depthLeft))
        case .map: return .map(try readMap(head, depthLeft: depthLeft))
        case .tag:
            let number = try head.definite()
            guard depthLeft > 0 else { throw .depthLimitExceeded }
            return .tagged(number, try readValue(depthLeft: depthLeft - 1))
        case .simpleOrFloat: return try CBORReader.simpleOrFloat(head)
        }
    }

    /// The maximum initial capacity of a container. One allocation is enough for most containers.
    private static var typicalItemCount: Int { 8 }

    private mutating func readArray(_ head: CBORHead, depthLeft: Int) throws(CBORError) -> [CBORValue] {
        guard depthLeft > 0 else { throw .depthLimitExceeded }
        var elements: [CBORValue] = []
        var counter = try ItemCounter(head, limit: bytes.remainingCount)
        elements.reserveCapacity(counter.reservation)
        while try counter.next(&self) { elements.append(try readValue(depthLeft: depthLeft - 1)) }
        return elements
    }

    private mutating func readMap(_ head: CBORHead, depthLeft: Int) throws(CBORError) -> CBORMap {
        guard depthLeft > 0 else { throw .depthLimitExceeded }
        var entries: [CBORMap.Entry] = []
        var counter = try ItemCounter(head, limit: bytes.remainingCount / 2)
        entries.reserveCapacity(counter.reservation)
        while try counter.next(&self) {
            let key = try readValue(depthLeft: depthLeft - 1)
            entries.append(CBORMap.Entry(key: key, value: try readValue(depthLeft: depthLeft - 1)))
        }
        return try CBORMap(entries)
    }

    /// Determines when an array or map ends: after the declared number of elements or pairs, or at the "break".
    private struct ItemCounter {
        var left: UInt64?

        /// Rejects a declared count above `limit` before reading any item. The remaining bytes hold at most `limit`
        /// elements or pairs, because each item needs at least one byte.
        init(_ head: CBORHead, limit: Int) throws(CBORError) {
            left = head.argument
            guard let left else { return }
            guard left <= UInt64(limit) else { throw .unexpectedEnd }
        }

        var reservation: Int { Int(min(left ?? 0, UInt64(CBORReader.typicalItemCount))) }

        mutating func next(_ reader: inout CBORReader) throws(CBORError) -> Bool {
            guard let left else { return try !reader.skipBreak() }
            guard left > 0 else { return false }
            self.left = left - 1
            return true
        }
    }

    private mutating func readString(_ head: CBORHead) throws(CBORError) -> ArraySlice<UInt8> {
        if let length = head.argument { return try readDefiniteString(head.majorType, length) }
        var joined: [UInt8] = []
        while try !skipBreak() {
            let chunk = try readHead()
            // RFC 8949 §3.2.3: each chunk has the string's major type and a definite length.
            guard chunk.majorType == head.majorType, let length = chunk.argument else { throw .invalidChunk }
            joined += try readDefiniteString(chunk.majorType, length)
        }
        return joined[...]
    }

    /// RFC 8949 §3.2.3: each chunk of a text string must be valid UTF-8 (§5.3.1), so no character spans two chunks.
    private mutating func readDefiniteString(
        _ majorType: CBORHead.MajorType, _ length: UInt64
    ) throws(CBORError) -> ArraySlice<UInt8> {
        guard let length = Int(exactly: length) else { throw .unexpectedEnd }
        let string: ArraySlice<UInt8>
        do { string = try bytes.readBytes(length) } catch { throw .unexpectedEnd }
        guard majorType != .textString || isValidUTF8(string) else { throw .invalidUTF8 }
        return string
    }

    /// RFC 8949 §3.3: decodes a simple value or a floating-point number.
    private static func simpleOrFloat(_ head: CBORHead) throws(CBORError) -> CBORValue {
        // Loops over indefinite-length items consume the "break" at their end, so a "break" here is misplaced.
        guard let argument = head.argument else { throw .unexpectedBreak }
        switch head.additionalInformation {
        case 25: return .floatingPoint(bitPattern: widened(argument, exponentBits: 5, significandBits: 10))
        case 26: return .floatingPoint(bitPattern: widened(argument, exponentBits: 8, significandBits: 23))
        case 27: return .floatingPoint(bitPattern: argument)
        case 24 where argument < 32: throw .invalidSimpleValue(UInt8(argument))
        default: return .simple(UInt8(argument))
        }
    }
}

// MARK: - Heads

struct CBORHead {
    enum MajorType: UInt8 {
        case unsignedInteger, negativeInteger, byteString, textString, array, map, tag, simpleOrFloat
    }

    let majorType: MajorType
    let additionalInformation: UInt8
    /// The argument, or `nil` for an indefinite length or "break".
    let argument: UInt64?

    func definite() throws(CBORError) -> UInt64 {
        guard let argument else { throw .reservedAdditionalInformation(additionalInformation) }
        return argument
    }
}

extension CBORReader {
    /// Reads the initial byte and its argument (RFC 8949 §3), by default only in the shortest form (§4.2.1).
    private mutating func readHead() throws(CBORError) -> CBORHead {
        guard itemsLeft > 0 else { throw .itemLimitExceeded }
        itemsLeft -= 1
        let initial: UInt8 = try readArgument()
        guard let majorType = CBORHead.MajorType(rawValue: initial >> 5) else {
            preconditionFailure("three bits name one of eight major types")
        }
        let information = initial & 31
        let argument: UInt64?
        // The smallest argument that does not fit into a shorter form, or 0 if there is no shorter form.
        let least: UInt64
        switch information {
        case 0...23: (argument, least) = (UInt64(information), 0)
        case 24: (argument, least) = (UInt64(try readArgument() as UInt8), 24)
        case 25: (argument, least) = (UInt64(try readArgument() as UInt16), 1 << 8)
        case 26: (argument, least) = (UInt64(try readArgument() as UInt32), 1 << 16)
        case 27: (argument, least) = (try readArgument(), 1 << 32)
        case 31: (argument, least) = (nil, 0)
        default: throw .reservedAdditionalInformation(information)
        }
        if let argument, majorType != .simpleOrFloat, argument < least, !options.contains(.allowNonMinimalHeads) {
            throw .nonMinimalHead
        }
        switch majorType {
        case .byteString, .textString, .array, .map:
            guard argument != nil || options.contains(.allowIndefiniteLengths) else { throw .indefiniteLength }
        case .unsignedInteger, .negativeInteger, .tag, .simpleOrFloat: break
        }
        return CBORHead(majorType: majorType, additionalInformation: information, argument: argument)
    }

    private mutating func readArgument<T: FixedWidthInteger & UnsignedInteger>() throws(CBORError) -> T {
        do { return try bytes.readBigEndian() } catch { throw .unexpectedEnd }
    }

    /// Consumes the next byte if it is the "break" stop code (RFC 8949 §3.2.1), and returns whether it was.
    private mutating func skipBreak() throws(CBORError) -> Bool {
        guard bytes.peek() == 0xff else { return false }
        let _: UInt8 = try readArgument()
        return true
    }
}
