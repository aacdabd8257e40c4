import DebugSampling
import Testing

@testable import PureCBOR

/// Decoding arbitrary input never traps, and the decoder's guarantees hold for every mutated input that it accepts.
@Suite struct CBORMutationTests {
    /// A value with the structure of an attestation object and with an item of every major type.
    static let sample: [UInt8] =
        [0xa4, 0x63, 0x66, 0x6d, 0x74, 0x64, 0x61, 0x62, 0x63, 0x64, 0x61, 0x73, 0x82, 0x43, 0x01, 0x02, 0x03]
        + [0x58, 0x18] + [UInt8](repeating: 0x55, count: 24) + [
            0x20, 0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a,
        ]
        + [0xf6, 0xd8, 0x20, 0xa1, 0x18, 0x64, 0x1a, 0x00, 0x0f, 0x42, 0x40]

    @Test func everyTruncationThrows() throws {
        _ = try CBORValue(decoding: Self.sample)
        for count in 0..<Self.sample.count {
            #expect(throws: CBORError.unexpectedEnd) { try CBORValue(decoding: Self.sample.prefix(count)) }
        }
    }

    @Test func everyByteChanged() throws {
        let original = try CBORValue(decoding: Self.sample)
        let lenient: CBORDecodingOptions = [.allowIndefiniteLengths, .allowNonMinimalHeads]
        for index in debugSample(Array(Self.sample.indices), every: 3, of: "bytes of a value") {
            for byte in UInt8.min...UInt8.max where byte != Self.sample[index] {
                var mutated = Self.sample
                mutated[index] = byte
                let strict = try? CBORValue(decoding: mutated)
                // The strict encodings of a value differ only in the order of keys and the width of floats. A change of
                // one byte never converts one such encoding to another, so it causes a different value or an error.
                #expect(strict != original)
                if let strict { #expect(try CBORValue(decoding: mutated, options: lenient) == strict) }
            }
        }
    }

    @Test func randomBytes() {
        var random = SystemRandomNumberGenerator()
        let lenient: CBORDecodingOptions = [.allowIndefiniteLengths, .allowNonMinimalHeads]
        for _ in debugSample(Array(0..<20_000), every: 4, of: "random byte strings") {
            let count = Int.random(in: 0...40, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let strict = try? CBORValue(decoding: bytes)
            let relaxed = try? CBORValue(decoding: bytes, options: lenient)
            #expect(strict == nil || strict == relaxed)
        }
    }

    /// The order of values is total and agrees with the order of deterministic encodings (RFC 8949 §4.2.1).
    @Test func orderAgreesWithTheEncodings() throws {
        let encodings: [[UInt8]] = [
            [0x00], [0x0a], [0x18, 0x64], [0x19, 0x01, 0x00], [0x20], [0x38, 0x20],
            [0x40], [0x41, 0x01], [0x42, 0x00, 0x00], [0x60], [0x61, 0x7a], [0x62, 0x61, 0x61],
            [0x80], [0x81, 0x18, 0x64], [0x82, 0x00, 0x00], [0x82, 0x00, 0x01],
            [0xa0], [0xa1, 0x00, 0x00], [0xa1, 0x00, 0x01], [0xa1, 0x01, 0x00], [0xa2, 0x00, 0x00, 0x01, 0x00],
            [0xc0, 0x00], [0xc0, 0x01], [0xc1, 0x00], [0xe0], [0xf4], [0xf5], [0xf6], [0xf7],
            [0xf8, 0x20], [0xf8, 0xff], [0xf9, 0x00, 0x00], [0xf9, 0x3c, 0x00],
        ]
        for (i, left) in encodings.enumerated() {
            for (j, right) in encodings.enumerated() {
                let (left, right) = (try CBORValue(decoding: left), try CBORValue(decoding: right))
                #expect((left < right) == (i < j) && (left == right) == (i == j))
            }
        }
    }
}
