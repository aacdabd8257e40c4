import PureBytes
import Testing

@Suite("ByteReader")
struct ByteReaderTests {
    /// Returns a reader of bytes 0, 1, 2 … in a slice that does not start at index 0.
    private func reader(_ count: Int) -> ByteReader {
        let bytes = [0xFE, 0xFF] + (0..<count).map { UInt8($0) } + [0xFD]
        return ByteReader(bytes[2..<2 + count])
    }

    @Test func readsInOrder() throws {
        var reader = reader(20)
        #expect(reader.peek() == 0)
        #expect(try reader.readByte() == 0)
        #expect(Array(try reader.readBytes(2)) == [1, 2])
        #expect(try reader.readBigEndian(UInt8.self) == 3)
        #expect(try reader.readBigEndian(UInt16.self) == 0x0405)
        #expect(try reader.readBigEndian() as UInt32 == 0x0607_0809)
        #expect(try reader.readBigEndian(UInt64.self) == 0x0A0B_0C0D_0E0F_1011)
        #expect(!reader.isAtEnd)
        #expect(Array(reader.remaining) == [18, 19])
        #expect(Array(try reader.readBytes(2)) == [18, 19])
        #expect(reader.isAtEnd)
        #expect(reader.peek() == nil)
    }

    @Test func slicesKeepTheirIndices() throws {
        let bytes: [UInt8] = [9, 9, 9, 1, 2, 3]
        var reader = ByteReader(bytes[3...])
        #expect(try reader.readBytes(2).startIndex == 3)
        #expect(reader.remaining.startIndex == 5)
    }

    @Test func emptyReadsSucceedAnywhere() throws {
        var reader = reader(0)
        #expect(reader.isAtEnd)
        #expect(try reader.readBytes(0).isEmpty)
        #expect(throws: ByteReaderError.unexpectedEnd) { try reader.readByte() }
    }

    @Test(arguments: [4, 5, Int.max, Int.max - 1, -1, -4, Int.min])
    func impossibleCounts(count: Int) throws {
        var reader = reader(4)
        _ = try reader.readByte()
        #expect(throws: ByteReaderError.unexpectedEnd) { try reader.readBytes(count) }
        #expect(Array(reader.remaining) == [1, 2, 3], "A failed read must not move the cursor.")
    }

    @Test func truncatedIntegers() throws {
        for available in 0..<8 {
            var reader = reader(available)
            #expect(throws: ByteReaderError.unexpectedEnd) { try reader.readBigEndian(UInt64.self) }
            #expect(reader.remaining.count == available)
            if available < 4 {
                #expect(throws: ByteReaderError.unexpectedEnd) { try reader.readBigEndian(UInt32.self) }
            } else {
                #expect(try reader.readBigEndian(UInt32.self) == 0x0001_0203)
            }
        }
    }

    @Test func integersUseEveryBit() throws {
        var reader = ByteReader([UInt8](repeating: 0xFF, count: 15)[...])
        #expect(try reader.readBigEndian(UInt64.self) == .max)
        #expect(try reader.readBigEndian(UInt32.self) == .max)
        #expect(try reader.readBigEndian(UInt16.self) == .max)
        #expect(try reader.readBigEndian(UInt8.self) == .max)
        #expect(reader.isAtEnd)
    }
}
