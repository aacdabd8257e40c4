import PureBytes

// Encodes CBOR (RFC 8949 §3) as devices do: definite lengths, shortest heads, map entries in the given order. The
// functions validate nothing, so that they can encode faults.

/// An entry of a map, whose key and value are already encoded.
struct CBOREntry {
    var key: [UInt8]
    var value: [UInt8]

    init(_ key: String, _ value: [UInt8]) {
        self.init(cbor(text: key), value)
    }

    init(_ key: [UInt8], _ value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

/// Encodes the head of an item with a major type from 0 to 7. The argument is in the shortest form.
func cborHead(_ majorType: UInt8, _ argument: UInt64) -> [UInt8] {
    let type = majorType << 5
    return switch argument {
    case 0..<24: [type | UInt8(argument)]
    case 24...0xFF: [type | 24, UInt8(argument)]
    case 0x100...0xFFFF: [type | 25] + bigEndian(UInt16(argument))
    case 0x1_0000...0xFFFF_FFFF: [type | 26] + bigEndian(UInt32(argument))
    default: [type | 27] + bigEndian(argument)
    }
}

func cbor(_ number: Int) -> [UInt8] {
    number >= 0 ? cborHead(0, UInt64(number)) : cborHead(1, UInt64(-1 - number))
}

func cbor(bytes: [UInt8]) -> [UInt8] { cborHead(2, UInt64(bytes.count)) + bytes }

func cbor(text: String) -> [UInt8] { cborHead(3, UInt64(text.utf8.count)) + Array(text.utf8) }

func cbor(array items: [[UInt8]]) -> [UInt8] { cborHead(4, UInt64(items.count)) + items.flatMap { $0 } }

func cbor(map entries: [CBOREntry]) -> [UInt8] {
    cborHead(5, UInt64(entries.count)) + entries.flatMap { $0.key + $0.value }
}
