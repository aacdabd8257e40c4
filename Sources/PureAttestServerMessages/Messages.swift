import PureBytes

/// A value in a message between the module and its shell. Values have the same types as database parameters and
/// columns.
package enum WireValue {
    case none
    case number(Int64)
    case bytes([UInt8])

    package init(_ text: StaticString) { self = .bytes(ascii(text)) }

    package init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .none }

    package init(_ number: Int64?) { self = number.map { .number($0) } ?? .none }

    package init(_ isTrue: Bool) { self = .number(isTrue ? 1 : 0) }
}

/// The layout of messages. Each value begins with a byte for its kind. Kind 0 is the absent value, and nothing follows.
/// Kind 1 is an 8-byte number. Kind 2 is a 4-byte length, followed by that many bytes. Numbers are little-endian.
extension [WireValue] {
    package var message: [UInt8] {
        var message: [UInt8] = []
        for value in self {
            switch value {
            case .none: message.append(0)
            case .number(let number):
                message.append(1)
                for shift in 0..<8 { message.append(UInt8(truncatingIfNeeded: number >> Int64(8 * shift))) }
            case .bytes(let bytes):
                message.append(2)
                for shift in 0..<4 { message.append(UInt8(truncatingIfNeeded: bytes.count >> (8 * shift))) }
                message += bytes
            }
        }
        return message
    }
}

/// Reads a message's values in order. A malformed message is a defect of the shell or its store.
///
/// The typed reads are not inlined, because messages have many values.
package struct WireReader {
    private var rest: ArraySlice<UInt8>

    package init(_ message: [UInt8]) { rest = message[...] }

    package var isAtEnd: Bool { rest.isEmpty }

    private mutating func next() throws(MessageError) -> WireValue {
        switch rest.popFirst() {
        case 0: return .none
        case 1: return .number(Int64(bitPattern: try littleEndian(8)))
        case 2:
            let count = Int(truncatingIfNeeded: try littleEndian(4))
            guard 0...rest.count ~= count else { throw .malformed }
            defer { rest = rest.dropFirst(count) }
            return .bytes([UInt8](rest.prefix(count)))
        default: throw .malformed
        }
    }

    private mutating func littleEndian(_ count: Int) throws(MessageError) -> UInt64 {
        guard rest.count >= count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        var number: UInt64 = 0
        for byte in rest.prefix(count).reversed() { number = number << 8 | UInt64(byte) }
        return number
    }

    @inline(never)
    package mutating func optionalNumber() throws(MessageError) -> Int64? {
        switch try next() {
        case .none: nil
        case .number(let number): number
        case .bytes: throw .malformed
        }
    }

    @inline(never)
    package mutating func number() throws(MessageError) -> Int64 {
        guard let number = try optionalNumber() else { throw .malformed }
        return number
    }

    @inline(never)
    package mutating func flag() throws(MessageError) -> Bool {
        let number = try number()
        guard 0...1 ~= number else { throw .malformed }
        return number == 1
    }

    @inline(never)
    package mutating func optionalBytes() throws(MessageError) -> [UInt8]? {
        switch try next() {
        case .none: nil
        case .bytes(let bytes): bytes
        case .number: throw .malformed
        }
    }

    @inline(never)
    package mutating func bytes() throws(MessageError) -> [UInt8] {
        guard let bytes = try optionalBytes() else { throw .malformed }
        return bytes
    }
}

/// The reason why the module cannot process a message.
public enum MessageError: Error {
    /// The message lacks the values that its operation or question needs.
    case malformed
}

#if !hasFeature(Embedded)
    extension MessageError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .malformed: "the message does not have the values that its operation or question needs"
            }
        }
    }
#endif
