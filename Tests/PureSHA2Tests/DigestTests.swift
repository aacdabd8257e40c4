import PureSHA2
import Testing

@Suite("Digests")
struct DigestTests {
    @Test func bytesAreTheWordsInOrder() {
        let sha256 = SHA256Digest(words: [
            0x0001_0203, 0x0405_0607, 0x0809_0A0B, 0x0C0D_0E0F, 0x1011_1213, 0x1415_1617, 0x1819_1A1B, 0x1C1D_1E1F,
        ])
        #expect(Array(sha256) == Array(0..<32))
        let words: [UInt64] = (0..<8).map { 0x0001_0203_0405_0607 &+ 0x0808_0808_0808_0808 &* $0 }
        #expect(Array(SHA384Digest(words: InlineArray { words[$0] })) == Array(0..<48))
        #expect(Array(SHA512Digest(words: InlineArray { words[$0] })) == Array(0..<64))
    }

    @Test func lengths() {
        check(SHA256.self, byteCount: 32, blockByteCount: 64)
        check(SHA384.self, byteCount: 48, blockByteCount: 128)
        check(SHA512.self, byteCount: 64, blockByteCount: 128)
    }

    private func check<H: HashFunction>(_: H.Type, byteCount: Int, blockByteCount: Int) {
        #expect(H.blockByteCount == blockByteCount)
        #expect(H.Digest.byteCount == byteCount)
        let digest = H.hash(data: [1])
        #expect(digest.indices == 0..<byteCount)
        #expect(digest.count == byteCount)
        #expect(Array(digest.reversed()) == Array(digest).reversed())
        #expect(Array(digest[3..<7]) == Array(Array(digest)[3..<7]))
    }

    @Test func equalityNeedsEveryBit() {
        let words: InlineArray<8, UInt32> = [1, 2, 3, 4, 5, 6, 7, 8]
        let digest = SHA256Digest(words: words)
        #expect(digest == SHA256Digest(words: words))
        #expect(digest.hashValue == SHA256Digest(words: words).hashValue)
        for bit in 0..<256 {
            var changed = words
            changed[bit / 32] ^= 1 << (bit % 32)
            #expect(digest != SHA256Digest(words: changed), "bit \(bit)")
        }
        #expect(SHA512.hash(data: [1]) != SHA512.hash(data: [2]))
        #expect(SHA384.hash(data: [1]) == SHA384.hash(data: [1]))
        #expect(Set([SHA384.hash(data: [1]), SHA384.hash(data: [1]), SHA384.hash(data: [2])]).count == 2)
    }

    @Test func comparesElementsWithASlice() {
        let digest = SHA256.hash(data: [1, 2, 3])
        let bytes = [UInt8](digest)
        #expect(digest.elementsEqual(bytes[...]))
        #expect(digest.elementsEqual(([7] + bytes)[1...]))
        for bit in 0..<256 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!digest.elementsEqual(changed[...]), "bit \(bit)")
        }
        for other in [[], bytes.dropLast(), bytes + [0], bytes + bytes] {
            #expect(!digest.elementsEqual(other[...]), "\(other.count) bytes")
        }
    }
}
