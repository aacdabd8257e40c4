import PureDER
import Testing

/// Tests each type's accepted encodings, and the error for each encoding that breaks a rule.
@Suite struct DERValueTests {
    private func reader(_ identifier: UInt8, _ contents: [UInt8]) -> DERReader {
        DERReader(([identifier, UInt8(contents.count)] + contents)[...])
    }

    /// §8.3, §8.3.2.
    @Test func integers() throws {
        for (contents, value): ([UInt8], Int64) in [
            ([0], 0), ([0x7F], 127), ([0, 0x80], 128), ([0x80], -128), ([0xFF], -1), ([0xFF, 0x7F], -129),
            ([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .max), ([0x80, 0, 0, 0, 0, 0, 0, 0], .min),
        ] {
            var reader = reader(2, contents)
            #expect(try reader.readInt64() == value)
        }
        for (contents, error): ([UInt8], DERError) in [
            ([], .emptyInteger), ([0, 0x7F], .nonMinimalInteger), ([0xFF, 0x80], .nonMinimalInteger),
            ([0, 0], .nonMinimalInteger), ([0, 0x80, 0, 0, 0, 0, 0, 0, 0], .integerOutOfRange),
            ([1, 0, 0, 0, 0, 0, 0, 0, 0], .integerOutOfRange),
        ] {
            var reader = reader(2, contents)
            #expect(throws: error) { try reader.readInt64() }
        }
        for (contents, magnitude): ([UInt8], [UInt8]) in [
            ([0], [0]), ([5], [5]), ([0, 0x80], [0x80]), ([1, 0], [1, 0]),
        ] {
            var reader = reader(2, contents)
            #expect(try reader.readUnsignedInteger() == magnitude[...])
        }
        for contents: [UInt8] in [[0x80], [0xFF], [0xFF, 0x00]] {
            var reader = reader(2, contents)
            #expect(throws: DERError.negativeInteger) { try reader.readUnsignedInteger() }
        }
        var implicit = reader(0x80, [5])
        #expect(try implicit.readInt64(.contextPrimitive(0)) == 5)
    }

    /// §8.2, §11.1, §8.8.
    @Test func booleansAndNull() throws {
        var yes = reader(1, [0xFF]), no = reader(1, [0]), null = reader(5, [])
        #expect(try yes.readBoolean() && !no.readBoolean())
        try null.readNull()
        for contents: [UInt8] in [[], [1], [0xFE], [0, 0], [0xFF, 0xFF]] {
            var reader = reader(1, contents)
            #expect(throws: DERError.invalidBoolean) { try reader.readBoolean() }
        }
        var long = reader(5, [0])
        #expect(throws: DERError.invalidNull) { try long.readNull() }
    }

    /// §8.6, §11.2.1, §11.2.2.
    @Test func bitStrings() throws {
        for (contents, bytes, unused, isShortest): ([UInt8], [UInt8], UInt8, Bool) in [
            ([0], [], 0, true), ([0, 0], [0], 0, false), ([7, 0x80], [0x80], 7, true), ([6, 0x80], [0x80], 6, false),
            ([0, 1], [1], 0, true), ([4, 0xFF, 0xF0], [0xFF, 0xF0], 4, true),
        ] {
            var reader = reader(3, contents)
            let bits = try reader.readBitString()
            #expect(
                bits.bytes == bytes[...] && bits.unusedBitCount == unused && bits.hasNoTrailingZeroBits == isShortest)
        }
        for (contents, error): ([UInt8], DERError) in [
            ([], .emptyBitString), ([1], .invalidUnusedBitCount), ([8, 0], .invalidUnusedBitCount),
            ([255, 0], .invalidUnusedBitCount), ([1, 1], .nonZeroUnusedBits), ([7, 0xC0], .nonZeroUnusedBits),
        ] {
            #expect(throws: error) { try DERBitString(contents: contents[...]) }
        }
    }

    /// §8.19.
    @Test func objectIdentifiers() throws {
        let long: [UInt8] = [0x2A] + [UInt8](repeating: 0x81, count: 20) + [0x01]
        for contents: [UInt8] in [
            [0], [0, 0], [0x2A], [0x55, 0x1D, 0x0F], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x08, 0x02], long,
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
        ] {
            let identifier = try ASN1ObjectIdentifier(contents: contents[...])
            #expect(identifier.contents == contents)
            #expect(try identifier == ASN1ObjectIdentifier(contents: ([1] + contents)[1...]))
        }
        let identifiers = try [[0], [0, 0], [0, 1], [1], [0, 0, 1]].map { (contents: [UInt8]) in
            try ASN1ObjectIdentifier(contents: contents[...])
        }
        #expect(Set(identifiers).count == 5)
        let constant = ASN1ObjectIdentifier(encodedAs: 0x55_1D_0F)
        #expect(try constant == ASN1ObjectIdentifier(contents: [0x55, 0x1D, 0x0F]))
        for (contents, error): ([UInt8], DERError) in [
            ([], .emptyObjectIdentifier), ([0x80], .nonMinimalObjectIdentifier),
            ([0x2A, 0x80, 0x01], .nonMinimalObjectIdentifier), ([0x2A, 0x81], .truncatedObjectIdentifier),
            ([0x2A] + [UInt8](repeating: 0x81, count: 30), .truncatedObjectIdentifier),
        ] {
            #expect(throws: error) { try ASN1ObjectIdentifier(contents: contents[...]) }
        }
    }

    @Test func objectIdentifierText() throws {
        for (contents, text): ([UInt8], String) in [
            ([0], "0.0"), ([0x27], "0.39"), ([0x28], "1.0"), ([0x4F], "1.39"), ([0x50], "2.0"), ([0x78], "2.40"),
            ([0x88, 0x37], "2.999"), ([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01], "1.2.840.10045.2.1"),
            // Python: 2 ** 64 and 2 ** 128 in base 128.
            ([0x2A, 0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], "1.2.18446744073709551616"),
            (
                [0x2A, 0x84] + [UInt8](repeating: 0x80, count: 17) + [0x00],
                "1.2.340282366920938463463374607431768211456"
            ),
        ] {
            #expect(try ASN1ObjectIdentifier(contents: contents[...]).description == text)
        }
    }

    /// The text of an identifier of up to 40 octets is its dotted form. For a longer identifier, the text contains its
    /// first octets and the number of its octets. The time to create this text is constant.
    @Test func textOfLongObjectIdentifiers() throws {
        let text = { (contents: [UInt8]) in try ASN1ObjectIdentifier(contents: contents[...]).description }
        #expect(try text([0x2A] + [UInt8](repeating: 0x7F, count: 39)).utf8.count == 3 + 39 * 4)
        // Python: 2 ** 266 - 1, in 38 octets of base 128.
        #expect(
            try text([0x2A] + [UInt8](repeating: 0xFF, count: 37) + [0x7F])
                == "1.2.118571099379011784113736688648896417641748464297615937576404566024103044751294463")
        // The arcs 2.25, followed by a UUID of all ones (X.667).
        #expect(
            try text([0x69, 0x83] + [UInt8](repeating: 0xFF, count: 17) + [0x7F])
                == "2.25.340282366920938463463374607431768211455")
        let shown = "0x2a" + String(repeating: "ff", count: 15)
        for count in [41, 42, 1_000, 64_000] {
            let long = [0x2A] + [UInt8](repeating: 0xFF, count: count - 2) + [0x01]
            #expect(try text(long) == "\(shown)... (\(count) octets)")
        }
        #expect(
            try text([0x2A] + [UInt8](repeating: 1, count: 40)) == "0x2a" + String(repeating: "01", count: 15)
                + "... (41 octets)")
    }

    @Test func orderOfObjectIdentifiers() throws {
        let contents: [[UInt8]] = [
            [0], [1], [0x7F], [0x2A, 0], [0x2A, 3], [0x2A, 3, 0], [UInt8](repeating: 1, count: 16),
            [UInt8](repeating: 1, count: 17), [UInt8](repeating: 1, count: 18), [UInt8](repeating: 1, count: 16) + [2],
        ]
        let identifiers = try contents.map { try ASN1ObjectIdentifier(contents: $0[...]) }
        for a in identifiers {
            for b in identifiers {
                let orders = [ASN1ObjectIdentifier.areInOrder(a, b), ASN1ObjectIdentifier.areInOrder(b, a)]
                #expect(orders.count { $0 } == (a == b ? 0 : 1), "\(a) \(b)")
            }
        }
        let sorted = identifiers.sorted(by: ASN1ObjectIdentifier.areInOrder)
        for (index, a) in sorted.enumerated() {
            for b in sorted[(index + 1)...] { #expect(ASN1ObjectIdentifier.areInOrder(a, b)) }
        }
    }

    /// Compares every day of 400 years with a running count of days.
    @Test func calendar() {
        var days: Int64 = -719_528  // 0000-01-01: 719,528 days before 1970 (date -u -d 0000-01-01 +%s, / 86,400)
        for year in 0..<400 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year == 0)
            for (index, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for day in 1...length {
                    let time = UnixTime(year: year, month: index + 1, day: day, hour: 0, minute: 0, second: 0)
                    #expect(time?.secondsSince1970 == days * 86_400)
                    days += 1
                }
                #expect(
                    UnixTime(year: year, month: index + 1, day: length + 1, hour: 0, minute: 0, second: 0) == nil)
            }
        }
        #expect(days == -719_528 + 146_097)
        let last = UnixTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
        #expect(last?.secondsSince1970 == 253_402_300_799)
        for (year, month, day) in [(-1, 1, 1), (10_000, 1, 1), (2000, 0, 1), (2000, 13, 1), (2000, 1, 0)] {
            #expect(UnixTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0) == nil)
        }
        for (hour, minute, second) in [(24, 0, 0), (0, 60, 0), (0, 0, 60), (-1, 0, 0), (0, -1, 0), (0, 0, -1)] {
            #expect(UnixTime(year: 2000, month: 1, day: 1, hour: hour, minute: minute, second: second) == nil)
        }
    }
}
