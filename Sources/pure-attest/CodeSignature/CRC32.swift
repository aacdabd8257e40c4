/// The CRC-32 of ZIP archives (PKWARE APPNOTE.TXT §4.4.7), with the bit-reflected polynomial 0x04c11db7.
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xedb8_8320) }
    }

    private var state = UInt32.max

    mutating func update(_ bytes: some Sequence<UInt8>) {
        let table = Self.table
        var state = state
        for byte in bytes { state = state >> 8 ^ table[Int((state ^ UInt32(byte)) & 0xff)] }
        self.state = state
    }

    var value: UInt32 { ~state }
}
