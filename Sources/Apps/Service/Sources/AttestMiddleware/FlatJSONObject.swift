/// A request body: one JSON object (RFC 8259 §4) whose members are all strings with distinct names.
///
/// If an object contains the same name twice, some parsers use the first value and others the last value or both. This
/// type rejects such an object, so that a proxy and the service never read different values. Names must be ASCII. Swift
/// compares strings by canonical equivalence, so two names that are not ASCII can be equal although their bytes differ.
public struct FlatJSONObject: Sendable {
    /// The members.
    public let members: [String: String]

    /// The maximum number of members, twice as many as the largest message has.
    public static let maximumMemberCount = 16

    /// Parses `bytes`, which must contain nothing after the object.
    ///
    /// - Parameter names: the names of the required members. An object with any other member is rejected.
    /// - Throws: ``RequestFault/malformed(_:)`` with the name of the invalid member, or with `body` if no member in
    ///   `names` is at fault.
    public init(_ bytes: [UInt8], named names: [String]) throws(RequestFault) {
        var reader = Reader(bytes: bytes)
        guard let members = reader.object() else {
            throw .malformed(names.first { $0 == reader.member } ?? "body")
        }
        if let missing = names.first(where: { members[$0] == nil }) { throw .malformed(missing) }
        guard members.count == names.count else { throw .malformed("body") }
        self.members = members
    }
}

private struct Reader {
    let bytes: [UInt8]
    var position = 0
    private(set) var member: String?

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func object() -> [String: String]? {
        var members: [String: String] = [:]
        guard takes("{") else { return nil }
        if !takes("}") {
            repeat {
                skipSpace()
                guard members.count < FlatJSONObject.maximumMemberCount, let name = text(),
                    name.utf8.allSatisfy({ $0 < 0x80 }), takes(":")
                else {
                    return nil
                }
                skipSpace()
                member = name
                guard let value = text(), members.updateValue(value, forKey: name) == nil else { return nil }
                member = nil
            } while takes(",")
            guard takes("}") else { return nil }
        }
        skipSpace()
        return current == nil ? members : nil
    }

    /// Skips white space (RFC 8259 §2).
    private mutating func skipSpace() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads a string (RFC 8259 §7). After its escapes are decoded, the string must be valid UTF-8 (§8.1).
    private mutating func text() -> String? {
        guard current == UInt8(ascii: "\"") else { return nil }
        position += 1
        var result: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                result += UTF8.encode(scalar).map { Array($0) } ?? []
            case 0x00..<0x20: return nil
            default: result.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = current else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return unicodeEscape()
        default: return nil
        }
    }

    /// Reads four digits, or two groups of four for a surrogate pair. Rejects an unpaired surrogate.
    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard let unit = fourDigits() else { return nil }
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(UInt32(unit)) }
        guard bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return nil }
        position += 2
        guard let second = fourDigits(), UTF16.isTrailSurrogate(second) else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(second) & 0x3FF)
    }

    private mutating func fourDigits() -> UInt16? {
        guard bytes.count - position >= 4 else { return nil }
        var value: UInt16 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Self.digit(byte) else { return nil }
            value = value << 4 | digit
        }
        position += 4
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
