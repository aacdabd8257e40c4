import PureCBOR

@testable import PureAttestTesting
@testable import PureBytes
@testable import PureDER

/// Reads a tree of DER elements. Encoding the parsed values must give the input. Normalizing must not change DER input.
let derTarget = Target(name: "der", form: .der) { bytes in
    let isDER = (try? walk(DERReader(bytes))) != nil
    var reader = DERReader(bytes)
    let isOneElement = (try? reader.readElement()) != nil && reader.isAtEnd
    if let normal = try? BERNormalizer.normalize(bytes) {
        require(try! BERNormalizer.normalize(normal[...]) == normal, "normalizing a normal form changes it")
        require(!isDER || normal == [UInt8](bytes), "DER is changed")
    } else {
        require(!isDER || !isOneElement, "DER is rejected")
    }
} seeds: {
    [World.authority.attestationRoot, World.authority.receiptRoot]
}

private func walk(_ start: DERReader) throws {
    var reader = start
    while let tag = try reader.peekTag() {
        var copy = reader, outer = reader
        let element = try reader.readElement()
        require(element.tag == tag && element.encoded.suffix(element.content.count) == element.content, "contents")
        // DER has only one encoding of each length, so encoding the header again must give the same octets.
        require(identifier(tag) + derLength(element.content.count) + element.content == element.encoded, "encoding")
        readValue(&copy, tag, element)
        // X.690 §10.2: strings are primitive. The reader leaves this check to the caller, who knows the type.
        if tag.isConstructed, tag.tagClass == .universal, ![8, 11, 16, 17].contains(tag.number) {
            throw DERError.reservedTag
        }
        // `enter(_:)` returns a reader that is one level deeper, so that the depth limit applies.
        if tag.isConstructed { try walk(try outer.enter(tag)) }
    }
    try reader.finish()
}

/// Reads an element as the type of its tag. If the value has only one encoding, encoding the value must give the input.
private func readValue(_ reader: inout DERReader, _ tag: DERTag, _ element: DERElement) {
    switch tag {
    case .boolean:
        if let value = try? reader.readBoolean() {
            require(element.content.elementsEqual([value ? 0xFF : 0]), "BOOLEAN")
        }
    case .integer:
        var copy = reader
        if let value = try? reader.readInt64(), value >= 0, value <= UInt32.max {
            require(der(UInt32(value)).elementsEqual(element.encoded), "INTEGER")
        }
        if let magnitude = try? copy.readUnsignedInteger() {
            require(derInteger(magnitude).elementsEqual(element.encoded), "unsigned INTEGER")
        }
    case .bitString:
        if let bits = try? reader.readBitString() {
            require(([bits.unusedBitCount] + bits.bytes).elementsEqual(element.content), "BIT STRING")
        }
    case .objectIdentifier:
        if let identifier = try? reader.readObjectIdentifier() {
            require(identifier.contents.elementsEqual(element.content), "OBJECT IDENTIFIER")
            require(!identifier.description.isEmpty, "an identifier with an empty description")
        }
    case .utcTime, .generalizedTime:
        if let time = try? reader.readTime(), tag == .utcTime || time.secondsSince1970 >= 2_524_608_000 {
            require(der(time).elementsEqual(element.encoded), "time")
        }
    default: try? reader.readNull()
    }
}

/// Fuzzes CBOR. An accepted item must be the only encoding of its value, and lax decoding must accept the item too.
let cborTarget = Target(name: "cbor", form: .bytes) { bytes in
    let strict = try? CBORValue(decoding: bytes)
    let lax = try? CBORValue(decoding: bytes, options: [.allowIndefiniteLengths, .allowNonMinimalHeads])
    if let strict {
        require(lax.map { $0 == strict } == true, "lax decoding differs")
        var hasFloats = false
        let encoded = encode(strict, &hasFloats)
        require(hasFloats || encoded.elementsEqual(bytes), "two encodings of one value")
    }
    if let lax {
        var hasFloats = false
        let encoded = encode(lax, &hasFloats)
        require((try? CBORValue(decoding: encoded)) == lax, "the encoding decodes to another value")
        require(!lax.diagnosticNotation.isEmpty, "a value with an empty notation")
        require(!(lax < lax), "a value is less than itself")
    }
    // Reads consecutive items, as in authenticator data.
    guard var reader = try? CBORReader(bytes) else { return }
    while (try? reader.readValue()) != nil {}
} seeds: {
    World.attestations + World.assertions
}

/// Encodes by RFC 8949 §4.2.1, except that floating-point numbers have eight octets, and maps keep their order.
func encode(_ value: CBORValue, _ hasFloats: inout Bool) -> [UInt8] {
    switch value {
    case .unsignedInteger(let number): return cborHead(0, number)
    case .negativeInteger(let number): return cborHead(1, number)
    case .byteString(let bytes): return cborHead(2, UInt64(bytes.count)) + bytes
    case .textString(let bytes): return cborHead(3, UInt64(bytes.count)) + bytes
    case .array(let items): return cborHead(4, UInt64(items.count)) + items.flatMap { encode($0, &hasFloats) }
    case .map(let map):
        for entry in map.entries { require(map[entry.key].map { $0 == entry.value } == true, "a member is missing") }
        return cborHead(5, UInt64(map.count))
            + map.entries.flatMap { encode($0.key, &hasFloats) + encode($0.value, &hasFloats) }
    case .tagged(let tag, let content): return cborHead(6, tag) + encode(content, &hasFloats)
    case .simple(let number): return cborHead(7, UInt64(number))
    case .floatingPoint(let bits):
        hasFloats = true
        return [0xFB] + bigEndian(bits)
    }
}

/// Fuzzes hex, Base64 and PEM. Encoding the decoded bytes must give the input text (hex in lowercase). Encoding the
/// decoded PEM blocks must give a text with the same blocks.
let textTarget = Target(name: "text", form: .bytes) { bytes in
    if let decoded = try? Hex.decode(bytes) {
        let lowercase = bytes.map { 0x41...0x46 ~= $0 ? $0 | 0x20 : $0 }
        require(Hex.encode(decoded) == lowercase, "hex")
    }
    for variant in [Base64.Variant.standard, .urlSafeUnpadded] {
        guard let decoded = try? Base64.decode(bytes, as: variant) else { continue }
        require(Base64.encode(decoded, as: variant).elementsEqual(bytes), "Base64")
    }
    let label = PEM.Label(bytes)
    let block = PEM.encode(bytes.isEmpty ? [0] : bytes, label: label ?? .certificate)
    require(try! PEM.decode(block, label: label ?? .certificate).elementsEqual(bytes.isEmpty ? [0] : bytes), "a block")
    guard let blocks = try? PEM.decodeAll(bytes) else { return }
    let written = blocks.flatMap { PEM.encode($0.bytes, label: $0.label) }
    require(!blocks.isEmpty && written.count <= bytes.count + blocks.count, "the written blocks are too long")
    require(try! PEM.decodeAll(written) == blocks, "PEM")
} seeds: {
    let blocks = PEM.encode(0...99, label: .certificate) + Array("text\r\n".utf8) + PEM.encode([1], label: .publicKey)
    return [
        Array("00ffA5".utf8), Array("AAEC".utf8), Array("-_8".utf8), Array("+/8=".utf8), Array("X509 CRL".utf8), blocks,
    ]
}
