/// Rewrites the BER of App Attest's receipts for ``DERReader``: makes lengths definite and OCTET STRINGs primitive.
///
/// The normaliser changes only the encodings of lengths and OCTET STRINGs, so the result is not always DER. For
/// example, a BOOLEAN 01 or an unsorted SET OF stays as it is. Elements that are already DER do not change, so the
/// signatures of embedded certificates remain valid.
public enum BERNormalizer {
    /// The maximum length of the input: 1 MiB, which is sixteen times PureAttest's limit for receipts. Genuine receipts
    /// are shorter than 10,000 bytes.
    public static var maximumInputSize: Int { 1 << 20 }

    /// Rewrites exactly one element, nested at most ``DERReader/maximumDepth`` deep. The result can be a few octets
    /// longer than the input, but only if an indefinite-length element has 65,536 octets of contents or more.
    public static func normalize(_ ber: ArraySlice<UInt8>) throws(DERError) -> [UInt8] {
        guard ber.count <= maximumInputSize else { throw .inputTooLarge }
        var output: [UInt8] = []
        output.reserveCapacity(ber.count)
        var reader = Reader(bytes: ber, position: ber.startIndex)
        let header = try reader.readHeader(end: ber.endIndex)
        try reader.copy(header, end: ber.endIndex, depth: 1, to: &output)
        guard reader.position == ber.endIndex else { throw .trailingBytes }
        return output
    }

    private struct Header {
        let tag: DERTag
        let identifier: ArraySlice<UInt8>
        /// The length, or `nil` for the indefinite form.
        let length: Int?
    }

    private struct Reader {
        let bytes: ArraySlice<UInt8>
        var position: Int

        /// Reads a header. Throws if the header, or an element of definite length, extends beyond `end`.
        mutating func readHeader(end: Int) throws(DERError) -> Header {
            let start = position
            var offset = position - bytes.startIndex
            let tag = try DERHeader.readTag(bytes.span, at: &offset)
            position = bytes.startIndex + offset
            let identifier = bytes[start..<position]
            let length = try readLength()
            guard position <= end, (length ?? 0) <= end - position else { throw .unexpectedEnd }
            // §8.1.3.2: only constructed elements may have an indefinite length.
            guard length != nil || tag.isConstructed else { throw .indefiniteLength }
            return Header(tag: tag, identifier: identifier, length: length)
        }

        /// Reads a length by §8.1.3. Returns `nil` for the indefinite form. Leading zeros are ignored.
        private mutating func readLength() throws(DERError) -> Int? {
            guard position < bytes.endIndex else { throw .unexpectedEnd }
            let first = bytes[position]
            position += 1
            guard first >= 0x80 else { return Int(first) }
            guard first != 0x80 else { return nil }
            var length: UInt32 = 0
            for _ in 0..<(first & 0x7F) {
                guard position < bytes.endIndex else { throw .unexpectedEnd }
                guard length <= DERHeader.maximumLength >> 8 else { throw .lengthTooLarge }
                length = length << 8 | UInt32(bytes[position])
                position += 1
            }
            guard let count = Int(exactly: length) else { throw .lengthTooLarge }
            return count
        }

        /// Reads the rest of the element that starts with `header`, and writes the rewritten element.
        mutating func copy(
            _ header: Header, end: Int, depth: Int, to output: inout [UInt8]
        ) throws(DERError) {
            guard header.tag != DERTag(leadingBits: 0, number: 0) else { throw .reservedTag }
            let start = output.count
            let identifier: [UInt8]
            if header.tag == DERTag(.universal, DERTag.octetString.number, constructed: true) {
                identifier = [0x04]
                try joinParts(header, end: end, depth: depth, to: &output)
            } else {
                guard !header.tag.isStringInParts else { throw .constructedString }
                identifier = [UInt8](header.identifier)
                if header.tag.isConstructed {
                    try copyElements(header, end: end, depth: depth, to: &output)
                } else {
                    copyContents(header, to: &output)
                }
            }
            // Inserting the header moves the contents. Each byte moves at most once per nesting level, and the depth is
            // limited.
            output.insert(contentsOf: identifier + derLength(output.count - start), at: start)
        }

        /// Copies the contents of a constructed element. As in ``DERReader/enter(_:)``, only such elements add depth.
        private mutating func copyElements(
            _ header: Header, end: Int, depth: Int, to output: inout [UInt8]
        ) throws(DERError) {
            guard depth <= DERReader.maximumDepth else { throw .tooDeep }
            let contentsEnd = header.length.map { position + $0 } ?? end
            while try !isAtEnd(header, contentsEnd) {
                let next = try readHeader(end: contentsEnd)
                try copy(next, end: contentsEnd, depth: depth + 1, to: &output)
            }
        }

        /// Joins the parts of a constructed OCTET STRING. Each part may itself be constructed (§8.7.3).
        private mutating func joinParts(
            _ header: Header, end: Int, depth: Int, to output: inout [UInt8]
        ) throws(DERError) {
            guard depth <= DERReader.maximumDepth else { throw .tooDeep }
            let contentsEnd = header.length.map { position + $0 } ?? end
            while try !isAtEnd(header, contentsEnd) {
                let part = try readHeader(end: contentsEnd)
                guard part.tag.tagClass == .universal, part.tag.number == DERTag.octetString.number else {
                    throw .invalidStringPart
                }
                if part.tag.isConstructed {
                    try joinParts(part, end: contentsEnd, depth: depth + 1, to: &output)
                } else {
                    copyContents(part, to: &output)
                }
            }
        }

        private mutating func copyContents(_ header: Header, to output: inout [UInt8]) {
            guard let length = header.length else { return }
            output += bytes[position..<position + length]
            position += length
        }

        /// Whether a constructed element's contents end here. If the length is indefinite, consumes 00 00 (§8.1.5).
        private mutating func isAtEnd(_ header: Header, _ contentsEnd: Int) throws(DERError) -> Bool {
            guard header.length == nil else { return position == contentsEnd }
            guard contentsEnd - position >= 2 else { throw .unexpectedEnd }
            guard bytes[position] == 0, bytes[position + 1] == 0 else { return false }
            position += 2
            return true
        }
    }
}
