import DebugSampling
import Foundation
import PureBytes
import Testing

@Suite("Base64")
struct Base64Tests {
    static let variants: [Base64.Variant] = [.standard, .urlSafe, .urlSafeUnpadded]

    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func rfc4648(text: String, base64: String) throws {
        let bytes = Array(text.utf8)
        let unpadded = base64.replacingOccurrences(of: "=", with: "")
        #expect(base64EncodedString(bytes) == base64)
        #expect(base64EncodedString(bytes, as: .urlSafe) == base64)
        #expect(base64EncodedString(bytes, as: .urlSafeUnpadded) == unpadded)
        #expect(try [UInt8](base64Encoded: base64) == bytes)
        #expect(try [UInt8](base64Encoded: base64, as: .urlSafe) == bytes)
        #expect(try [UInt8](base64Encoded: unpadded, as: .urlSafeUnpadded) == bytes)
    }

    @Test func alphabets() throws {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF]
        #expect(base64EncodedString(bytes) == "++++////")
        #expect(base64EncodedString(bytes, as: .urlSafe) == "----____")
        #expect(throws: Base64Error.invalidCharacter(offset: 0)) { try [UInt8](base64Encoded: "----____") }
        for variant in [Base64.Variant.urlSafe, .urlSafeUnpadded] {
            #expect(throws: Base64Error.invalidCharacter(offset: 0)) {
                try [UInt8](base64Encoded: "++++////", as: variant)
            }
            #expect(throws: Base64Error.invalidCharacter(offset: 4)) {
                try [UInt8](base64Encoded: "----////", as: variant)
            }
        }
    }

    @Test func agreesWithFoundation() throws {
        for count in 0...100 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 83 &+ count) }
            let text = Data(bytes).base64EncodedString()
            #expect(base64EncodedString(bytes) == text)
            #expect(try [UInt8](base64Encoded: text) == bytes)
            for variant in Self.variants {
                #expect(try Base64.decode(Base64.encode(bytes, as: variant), as: variant) == bytes)
            }
        }
    }

    /// Tries every text of up to two characters, and every last group of three characters. Each byte string must have
    /// exactly one accepted text.
    @Test(arguments: debugSample(variants, every: 3, of: "forms of Base64"))
    func everyShortText(variant: Base64.Variant) throws {
        func accepted(_ text: [UInt8]) -> Bool {
            guard let bytes = try? Base64.decode(text, as: variant) else { return false }
            #expect(Base64.encode(bytes, as: variant) == text, "Each byte string must have one encoding.")
            return true
        }
        let padding = Array("==".utf8)
        let isPadded = variant != .urlSafeUnpadded
        let all = UInt8.min...UInt8.max
        #expect(accepted([]))
        #expect(all.filter { accepted([$0]) }.isEmpty)
        var pairs = 0
        for a in all {
            for b in all where accepted([a, b] + (isPadded ? padding : [])) { pairs += 1 }
        }
        #expect(pairs == 256, "Each byte must have one encoding.")
        var triples = 0
        for a in Array("A/_".utf8) {
            for b in all {
                // If c is the padding character, the text encodes only one byte, and the loop above already counts it.
                for c in all where c != padding[0] && accepted([a, b, c] + (isPadded ? padding.prefix(1) : [])) {
                    triples += 1
                }
            }
        }
        // The first character has two allowed values, and the remaining ten bits of the two bytes can have any value.
        #expect(triples == 2 * 1024)
    }

    @Test func lengths() {
        for count in 1...9 where count % 4 != 0 {
            let text = [UInt8](repeating: UInt8(ascii: "A"), count: count)
            #expect(throws: Base64Error.invalidLength) { try Base64.decode(text) }
            #expect(throws: Base64Error.invalidLength) { try Base64.decode(text, as: .urlSafe) }
        }
        for count in [1, 5, 9] {
            let text = [UInt8](repeating: UInt8(ascii: "A"), count: count)
            #expect(throws: Base64Error.invalidLength) { try Base64.decode(text, as: .urlSafeUnpadded) }
        }
    }

    @Test func paddingBits() {
        #expect(throws: Base64Error.nonZeroPaddingBits) { try [UInt8](base64Encoded: "Zh==") }
        #expect(throws: Base64Error.nonZeroPaddingBits) { try [UInt8](base64Encoded: "Zm9=") }
        #expect(throws: Base64Error.nonZeroPaddingBits) { try [UInt8](base64Encoded: "Zh", as: .urlSafeUnpadded) }
    }

    @Test(arguments: [
        ("====", 0), ("A===", 1), ("=AAA", 0), ("A=AA", 1), ("AA=A", 2), ("AA==AAAA", 2), ("AAA=AAAA", 3),
        ("AAAA====", 4),
        ("AAAA=AAA", 4), ("AA A", 2), ("AAA\n", 3), ("\nAAA", 0), ("AA\r\n", 2), ("AAé", 2), ("A\0AA", 1),
    ])
    func misplacedCharacters(text: String, offset: Int) {
        #expect(throws: Base64Error.invalidCharacter(offset: offset)) { try [UInt8](base64Encoded: text) }
    }

    @Test(arguments: [("Zg==", 2), ("Zm8=", 3), ("Zg=A", 2)])
    func rejectsPaddingInTheUnpaddedVariant(text: String, offset: Int) {
        #expect(throws: Base64Error.invalidCharacter(offset: offset)) {
            try [UInt8](base64Encoded: text, as: .urlSafeUnpadded)
        }
    }

    @Test func slices() throws {
        let text = Array("xxZm8=".utf8)
        #expect(try Base64.decode(text[2...]) == Array("fo".utf8))
        #expect(Base64.encode(Array("xfoo".utf8)[1...]) == Array("Zm9v".utf8))
    }
}
