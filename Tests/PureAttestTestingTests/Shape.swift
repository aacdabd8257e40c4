import PureCBOR

/// Describes the structure of an encoding, with one line per element, indented by depth. Two encodings with the same
/// shape differ only in numbers, texts, keys, times and signatures.
enum Shape {
    /// Returns the shape of BER or DER. The shape contains identifiers, booleans, short bit strings (key usages) and
    /// marks of the indefinite form, but no lengths. In extensions, the shape also describes the contents of the OCTET
    /// STRING that follows the identifier.
    static func ofDER(_ bytes: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        var rest = ArraySlice(bytes)
        appendElements(&rest, depth: 0, isIndefinite: false, to: &lines)
        return lines
    }

    /// Returns the shape of CBOR: the types of all items, and the keys of maps.
    static func ofCBOR(_ value: CBORValue, depth: Int = 0) -> [String] {
        let indent = String(repeating: " ", count: 2 * depth)
        switch value {
        case .map(let map):
            return ["\(indent)map"]
                + map.entries.flatMap {
                    ["\(indent)  \($0.key.string ?? $0.key.integer.map { "\($0)" } ?? "?"):"]
                        + ofCBOR($0.value, depth: depth + 2)
                }
        case .array(let items): return ["\(indent)array"] + items.flatMap { ofCBOR($0, depth: depth + 1) }
        case .byteString: return ["\(indent)bytes"]
        case .textString: return ["\(indent)text"]
        case .unsignedInteger(let number): return ["\(indent)\(number)"]
        case .negativeInteger(let number): return ["\(indent)-\(number + 1)"]
        default: return ["\(indent)other"]
        }
    }

    private static func appendElements(
        _ rest: inout ArraySlice<UInt8>, depth: Int, isIndefinite: Bool, to lines: inout [String]
    ) {
        let indent = String(repeating: " ", count: 2 * depth)
        var followsIdentifier = false
        while let first = rest.popFirst() {
            if first == 0, isIndefinite {
                rest.removeFirst()
                return
            }
            var number = Int(first & 0x1F)
            if number == 0x1F {
                number = 0
                while let digit = rest.popFirst() {
                    number = number << 7 | Int(digit & 0x7F)
                    if digit < 0x80 { break }
                }
            }
            let name = "\(indent)\(["U", "A", "C", "P"][Int(first >> 6)])\(number)"
            var length = Int(rest.removeFirst())
            if length == 0x80 {
                lines.append("\(name) indefinite")
                appendElements(&rest, depth: depth + 1, isIndefinite: true, to: &lines)
                continue
            }
            if length > 0x80 {
                length = (0..<(length & 0x7F)).reduce(0) { sum, _ in sum << 8 | Int(rest.removeFirst()) }
            }
            var content = rest.prefix(length)
            rest = rest.dropFirst(length)
            switch first {
            case _ where first & 0x20 != 0:
                lines.append(name)
                appendElements(&content, depth: depth + 1, isIndefinite: false, to: &lines)
            case 0x01, 0x06: lines.append("\(name) \(Array(content))")
            case 0x03 where length < 4: lines.append("\(name) \(Array(content))")
            case 0x04 where followsIdentifier:
                lines.append(name)
                appendElements(&content, depth: depth + 1, isIndefinite: false, to: &lines)
            default: lines.append(name)
            }
            // In an extension, the field `critical` may stand between the identifier and the value.
            followsIdentifier = first == 0x06 || first == 0x01 && followsIdentifier
        }
    }
}
