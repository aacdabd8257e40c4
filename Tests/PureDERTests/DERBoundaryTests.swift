import PureDER
import Testing

@Suite struct DERBoundaryTests {
    private func nested(_ count: Int) -> [UInt8] {
        (0..<count).reduce([]) { contents, _ in [0x30, UInt8(contents.count)] + contents }
    }

    @Test func limits() {
        #expect(DERReader.maximumDepth == 32)
        #expect(DERHeader.maximumLength == 0x7FFF_FFFF)
        #expect(DERTag.maximumNumber == 0x7FFF_FFFF)
        #expect(BERNormalizer.maximumInputSize == 1_048_576)
    }

    @Test func normalizerDepth() throws {
        #expect(try BERNormalizer.normalize(nested(32)[...]) == nested(32))
        #expect(throws: DERError.tooDeep) { try BERNormalizer.normalize(nested(33)[...]) }
        // Neither the normalizer nor the DER reader counts primitive elements towards the depth limit.
        let full = (0..<32).reduce([0x05, 0x00]) { contents, _ in [0x30, UInt8(contents.count)] + contents }
        #expect(try BERNormalizer.normalize(full[...]) == full)
        var reader = DERReader(full[...])
        for _ in 0..<32 { reader = try reader.enter(.sequence) }
        try reader.readNull()
        let over = [0x30, UInt8(full.count)] + full
        #expect(throws: DERError.tooDeep) { try BERNormalizer.normalize(over[...]) }
        // The normalizer counts a constructed string, because its parts may be nested.
        let parts = (0..<32).reduce([0x24, 0x00]) { contents, _ in [0x30, UInt8(contents.count)] + contents }
        #expect(throws: DERError.tooDeep) { try BERNormalizer.normalize(parts[...]) }
    }

    /// Normalizes contents at the lengths for which the DER length form changes.
    @Test func normalizerLengths() throws {
        for count in [0, 1, 126, 127, 128, 129, 254, 255, 256, 257, 65_535, 65_536] {
            let contents = [UInt8](repeating: 0xAB, count: count)
            let length: [UInt8] =
                switch count {
                case ..<128: [UInt8(count)]
                case ..<256: [0x81, UInt8(count)]
                case ..<65_536: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
                default: [0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
                }
            let der = [0x04] + length + contents
            #expect(try BERNormalizer.normalize(der[...]) == der)
            // Encodes the same element with a four-octet length, and as a constructed element of indefinite length.
            let long = [0x04, 0x84] + [24, 16, 8, 0].map { UInt8(count >> $0 & 0xFF) } + contents
            #expect(try BERNormalizer.normalize(long[...]) == der)
            #expect(try BERNormalizer.normalize(([0x24, 0x80] + der + [0, 0])[...]) == der)
            var reader = DERReader(der[...])
            #expect(try reader.readOctetString().count == count)
            try reader.finish()
        }
    }

    /// Identifiers of up to 16 octets are stored as numbers. A number by itself would lose leading zeros.
    @Test func objectIdentifiersAreEqualOctetByOctet() throws {
        var all: [[UInt8]] = [[0], [0, 0], [0, 0, 0], [1], [1, 0], [0, 1]]
        for count in [15, 16, 17, 40] {
            let ones = [UInt8](repeating: 1, count: count)
            all += [ones, [2] + ones.dropFirst(), ones.dropLast() + [2], [0] + ones.dropFirst()]
        }
        for (i, left) in all.enumerated() {
            for (j, right) in all.enumerated() {
                let (a, b) = (
                    try ASN1ObjectIdentifier(contents: left[...]), try ASN1ObjectIdentifier(contents: right[...])
                )
                #expect((a == b) == (i == j), "\(left), \(right)")
            }
        }
    }

    @Test func identifierSizes() throws {
        for contents in [
            [0x2A], [0x00], [0x00, 0x01], [UInt8](repeating: 1, count: 16), [UInt8](repeating: 1, count: 17),
        ]
            as [[UInt8]]
        {
            let identifier = try ASN1ObjectIdentifier(contents: contents[...])
            #expect(identifier.contents == contents)
            #expect(try ASN1ObjectIdentifier(contents: ([0xFF] + contents).dropFirst()) == identifier)
        }
        #expect(try ASN1ObjectIdentifier(contents: [0x00, 0x01]) != ASN1ObjectIdentifier(contents: [0x01]))
        #expect(ASN1ObjectIdentifier(encodedAs: 0x2A).contents == [0x2A])
        #expect(ASN1ObjectIdentifier(encodedAs: 0x80_00).contents == [0x80, 0x00])
    }

    @Test(arguments: [16, 17, 18, 32, 33, 40])
    func longIdentifiers(_ count: Int) throws {
        let contents = [UInt8](repeating: 1, count: count)
        let identifier = try ASN1ObjectIdentifier(contents: contents[...])
        for index in contents.indices {
            var other = contents
            other[index] = 2
            #expect(try ASN1ObjectIdentifier(contents: other[...]) != identifier, "\(index)")
        }
        #expect(try ASN1ObjectIdentifier(contents: (contents + [1])[...]) != identifier)
    }

    /// Compares the text with integer arithmetic, for first subidentifiers around 40, 80 and powers of ten.
    @Test func identifierText() throws {
        for number in Array(0...400) + [
            999, 1_000, 1_079, 1_080, 1_180, 10_000, 10_079, 10_080, 16_383, 16_384, 100_000,
        ] {
            var contents = [UInt8(number & 0x7F)]
            var rest = number >> 7
            while rest > 0 {
                contents.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            let first = min(number / 40, 2)
            #expect(
                try ASN1ObjectIdentifier(contents: contents[...]).description == "\(first).\(number - 40 * first)")
            let second = try ASN1ObjectIdentifier(contents: ([0x2A] + contents)[...])
            #expect(second.description == "1.2.\(number)")
        }
    }

    /// RFC 5280 §4.1.2.5: two-digit years mean 1950 to 2049; four-digit years are literal.
    @Test func years() throws {
        for year in 0...99 {
            let text = (year < 10 ? "0" : "") + "\(year)0102030405Z"
            var reader = DERReader(([0x17, 13] + text.utf8)[...])
            let time = try reader.readTime()
            #expect(
                time
                    == UnixTime(
                        year: year < 50 ? 2000 + year : 1900 + year, month: 1, day: 2, hour: 3, minute: 4, second: 5))
        }
        for year in [0, 1, 99, 100, 1949, 1950, 2049, 2050, 9999] {
            let digits = String("000\(year)".suffix(4))
            var reader = DERReader(([0x18, 15] + "\(digits)1231235959Z".utf8)[...])
            let time = try reader.readTime()
            #expect(time == UnixTime(year: year, month: 12, day: 31, hour: 23, minute: 59, second: 59))
        }
        #expect(UnixTime(year: 2001, month: 2, day: 3, hour: 4, minute: 5, second: 6)?.secondsSince1970 == 981_173_106)
        #expect(UnixTime(year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0)?.secondsSince1970 == -62_167_219_200)
    }

    @Test func timeForms() {
        let good = Array("200229235959Z".utf8)
        for index in good.indices {
            for octet in UInt8(0)...255 where !(0x30...0x39).contains(octet) && octet != good[index] {
                var text = good
                text[index] = octet
                var reader = DERReader(([0x17, 13] + text)[...])
                #expect(throws: DERError.invalidTimeForm) { try reader.readUTCTime() }
            }
        }
        for count in 0...20 where count != 13 {
            let text = Array((good + good).prefix(count))
            var reader = DERReader(([0x17, UInt8(count)] + text)[...])
            #expect(throws: DERError.invalidTimeForm) { try reader.readUTCTime() }
        }
        for text in [
            "201301000000Z", "200001000000Z", "200100000000Z", "200132000000Z", "210229000000Z", "200230000000Z",
            "200101240000Z", "200101006000Z", "200101000060Z", "200431000000Z",
        ] {
            var reader = DERReader(([0x17, 13] + text.utf8)[...])
            #expect(throws: DERError.impossibleTime) { try reader.readUTCTime() }
        }
        // RFC 5280 §4.1.2.5.2: a GeneralizedTime includes seconds, has no fraction, and ends with Z.
        for text in [
            "20200229235959.5Z", "20200229235959.Z", "202002292359Z", "2020022923Z", "20200229235959",
            "20200229235959+", "20200229235959+0000", "200229235959Z",
        ] {
            var reader = DERReader(([0x18, UInt8(text.utf8.count)] + text.utf8)[...])
            #expect(throws: DERError.invalidTimeForm, "\(text)") { try reader.readGeneralizedTime() }
        }
    }

    @Test func orderOfTimes() {
        let times = [Int64.min, -1, 0, 1, .max].map(UnixTime.init(secondsSince1970:))
        for (i, left) in times.enumerated() {
            for (j, right) in times.enumerated() { #expect((left < right) == (i < j)) }
        }
    }

    /// Tests the identifier octets of the named tags (X.680, table 1) and of the four classes.
    @Test func tags() throws {
        let octets: [(DERTag, UInt8)] = [
            (.boolean, 0x01), (.integer, 0x02), (.bitString, 0x03), (.octetString, 0x04), (.null, 0x05),
            (.objectIdentifier, 0x06), (.utf8String, 0x0C), (.printableString, 0x13), (.ia5String, 0x16),
            (.utcTime, 0x17), (.enumerated, 0x0A), (.generalizedTime, 0x18), (.sequence, 0x30), (.set, 0x31),
            (.context(3), 0xA3),
            (.contextPrimitive(3), 0x83),
        ]
        for (tag, octet) in octets { #expect(try DERHeader(decoding: [octet, 0x00]).tag == tag) }
        for (octet, tagClass): (UInt8, DERTag.Class) in [
            (0x01, .universal), (0x21, .universal), (0x41, .application), (0x61, .application),
            (0x81, .contextSpecific),
            (0xA1, .contextSpecific), (0xC1, .private), (0xE1, .private),
        ] { #expect(try DERHeader(decoding: [octet, 0x00]).tag.tagClass == tagClass) }
    }

    /// Of all string types, the normalizer accepts the constructed form only for OCTET STRING.
    @Test func constructedTypes() {
        for number: UInt8 in 1...30 {
            let result = Result { try BERNormalizer.normalize([0x20 | number, 0x00]) }
            switch number {
            case 3, 7, 12, 18...28, 30: #expect(throws: DERError.constructedString) { try result.get() }
            default: #expect(throws: Never.self) { try result.get() }
            }
        }
    }

    /// `readElement` rejects the constructed forms of the universal string types (§10.2).
    @Test func stringsInParts() throws {
        for number: UInt8 in 1...30 {
            for (bits, tagClass): (UInt8, DERTag.Class) in [
                (0x00, .universal), (0x20, .universal), (0x60, .application), (0xA0, .contextSpecific),
                (0xE0, .private),
            ] {
                let isString = [3, 4, 7, 12].contains(number) || 18...28 ~= number || number == 30
                let result = Result {
                    var reader = DERReader([bits | number, 0x00])
                    return try reader.readElement().tag
                }
                if bits == 0x20, isString {
                    #expect(throws: DERError.constructedString) { try result.get() }
                } else {
                    #expect(try result.get().tagClass == tagClass)
                }
            }
        }
        // An invalid length in the header is reported before the constructed form.
        var parts = DERReader([0x2C, 0x80])
        #expect(throws: DERError.indefiniteLength) { try parts.readElement() }
    }

    @Test func normalizerSizes() throws {
        let count = BERNormalizer.maximumInputSize - 5
        let largest =
            [0x04, 0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
            + [UInt8](repeating: 0, count: count)
        #expect(try BERNormalizer.normalize(largest[...]).count == 1_048_576)
        #expect(throws: DERError.inputTooLarge) { try BERNormalizer.normalize((largest + [0])[...]) }
        #expect(throws: DERError.unexpectedEnd) { try BERNormalizer.normalize([0x04, 0x84, 0x7F, 0xFF, 0xFF, 0xFF]) }
        #expect(throws: DERError.lengthTooLarge) { try BERNormalizer.normalize([0x04, 0x84, 0x80, 0x00, 0x00, 0x00]) }
    }

    @Test func laterElements() throws {
        for first in [[0x05, 0x00], [0x04, 0x02, 0xAA, 0xBB]] as [[UInt8]] {
            for missing in 1...4 {
                var reader = DERReader(
                    (first + [0x04, UInt8(missing)] + [UInt8](repeating: 0, count: missing - 1))[...])
                _ = try reader.readElement()
                #expect(throws: DERError.unexpectedEnd) { try reader.readElement() }
            }
        }
    }

    /// Tests identifiers of each length that fits into in-place storage.
    @Test func constantIdentifiersOfEveryLength() throws {
        for count in 1...16 {
            for first: UInt8 in [0x01, 0x2A, 0x7F, 0x81] where count > 1 || first < 0x80 {
                let octets = [first] + [UInt8](repeating: 1, count: count - 1)
                let constant = ASN1ObjectIdentifier(encodedAs: octets.reduce(0) { $0 << 8 | UInt128($1) })
                #expect(try constant == ASN1ObjectIdentifier(contents: octets[...]), "\(octets)")
                #expect(constant.contents == octets)
            }
        }
    }
}
