import PureCBOR
import PureDER
import PureX509
import Testing
import VectorSupport

/// Tests operations that trap only in Swift, in addition to the corpus objects for these known failures.
struct SwiftTrapTests {
    /// Two texts that `String` compares as equal are different map keys and different names.
    @Test func canonicallyEquivalentTextsDiffer() throws {
        let composed: [UInt8] = [0xc3, 0xa9]
        let decomposed: [UInt8] = [0x65, 0xcc, 0x81]
        #expect(String(decoding: composed, as: UTF8.self) == String(decoding: decomposed, as: UTF8.self))
        let map = try CBORValue(decoding: [0xa1, 0x62] + composed + [0x01]).map
        #expect(map?[.textString(composed[...])] != nil)
        #expect(map?[.textString(decomposed[...])] == nil)
        #expect(map?[text: "\u{e9}"] != nil)
        #expect(map?[text: "e\u{301}"] == nil)
        func name(_ text: [UInt8]) throws -> DistinguishedName {
            let attribute: [UInt8] = [6, 3, 0x55, 4, 3, 12, UInt8(text.count)] + text
            let count = UInt8(attribute.count)
            return try DistinguishedName(
                derEncoded: ([0x30, count + 4, 0x31, count + 2, 0x30, count] + attribute)[...])
        }
        #expect(try name(composed) == name(composed))
        #expect(try name(composed) != name(decomposed))
    }

    /// Converting a number at either end of its type returns `nil` or an error, and does not trap.
    @Test func numbersAtTheEndsOfTheirTypes() throws {
        let largest: [UInt8] = [0x1b] + [UInt8](repeating: 0xff, count: 8)
        let value = try CBORValue(decoding: largest)
        #expect(value.unsignedInteger == .max)
        #expect(value.integer == nil)
        let smallest = try CBORValue(decoding: [0x3b] + largest.dropFirst())
        #expect(smallest.integer == nil)
        #expect(smallest.diagnosticNotation == "-18446744073709551616")
        #expect(try CBORValue(decoding: [0x3b, 0x7f] + largest.dropFirst(2)).integer == .min)
        var reader = DERReader([2, 8, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 0])
        #expect(try reader.readInt64() == .min)
        #expect(throws: DERError.integerOutOfRange) { try reader.readInt64() }
    }

    /// A value of the greatest depth can be copied, compared, described and released on a small stack. The case
    /// `adv::cbor-nested-tag-5000` shows that the decoder rejects deeper values.
    @Test func theDeepestValueIsReleasedOnASmallStack() throws {
        let depth = CBORLimits.deepestSupported
        let isEqual = SmallStack.run {
            let bytes = [UInt8](repeating: 0xc1, count: depth) + [0x00]
            let limits = CBORLimits(maximumDepth: .max, maximumItems: .max, maximumSize: .max)
            guard let value = try? CBORValue(decoding: bytes, limits: limits) else { return false }
            let copy = value
            return copy == value && copy.diagnosticNotation.utf8.count == 3 * depth + 1
        }
        #expect(isEqual == true)
    }

    @Test func theWatchdogWatches() {
        #expect(SmallStack.run { 7 } == 7)
        let slow = SmallStack.run(timeLimit: 0.001) {
            (0..<500_000).reduce(0 as UInt32) { ($0 ^ UInt32($1)) &* 2_654_435_761 }
        }
        #expect(slow == nil)
    }
}
