/// INTEGER, BOOLEAN, NULL and OCTET STRING. For an `IMPLICIT` type, pass its tag.
extension DERReader {
    /// Reads an INTEGER and returns its contents: big-endian two's complement in the shortest form (X.690 §8.3).
    public mutating func readInteger(_ tag: DERTag = .integer) throws(DERError) -> ArraySlice<UInt8> {
        let contents = try read(tag)
        guard let first = contents.first else { throw .emptyInteger }
        if contents.count > 1 {
            // §8.3.2: the first nine bits must be neither all 0 nor all 1.
            let second = contents[contents.startIndex + 1]
            let isRedundant = first == 0x00 && second < 0x80 || first == 0xFF && second >= 0x80
            guard !isRedundant else { throw .nonMinimalInteger }
        }
        return contents
    }

    /// Reads a non-negative INTEGER and returns its magnitude, big-endian, without the leading zero octet of the sign.
    /// The magnitude of 0 is one octet 00. No other magnitude starts with 00.
    public mutating func readUnsignedInteger(_ tag: DERTag = .integer) throws(DERError) -> ArraySlice<UInt8> {
        let contents = try readInteger(tag)
        guard let first = contents.first, first < 0x80 else { throw .negativeInteger }
        return first == 0 && contents.count > 1 ? contents.dropFirst() : contents
    }

    /// Reads an INTEGER from −2⁶³ to 2⁶³ − 1.
    public mutating func readInt64(_ tag: DERTag = .integer) throws(DERError) -> Int64 {
        let contents = try readInteger(tag)
        // The encoding is minimal, so a number of more than eight octets is out of range.
        guard contents.count <= 8, let first = contents.first else { throw .integerOutOfRange }
        var value: Int64 = first < 0x80 ? 0 : -1
        for octet in contents { value = value << 8 | Int64(octet) }
        return value
    }

    /// Reads a BOOLEAN (X.690 §8.2, §11.1: true is FF).
    public mutating func readBoolean(_ tag: DERTag = .boolean) throws(DERError) -> Bool {
        let contents = try read(tag)
        guard contents.count == 1, let octet = contents.first, octet == 0x00 || octet == 0xFF else {
            throw .invalidBoolean
        }
        return octet == 0xFF
    }

    /// Reads a NULL (X.690 §8.8).
    public mutating func readNull(_ tag: DERTag = .null) throws(DERError) {
        guard try read(tag).isEmpty else { throw .invalidNull }
    }

    /// Reads a primitive OCTET STRING (X.690 §8.7, §10.2) and returns its contents.
    public mutating func readOctetString(_ tag: DERTag = .octetString) throws(DERError) -> ArraySlice<UInt8> {
        try read(tag)
    }
}
