import DebugSampling
import Foundation
import Testing

@testable import pure_attest

/// JSON and plain text never contain unescaped control, reordering or invisible characters.
@Suite("Printable text")
struct PrintableTextTests {
    private static let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)

    /// Implements the escaping rule independently, from Unicode's general categories and default-ignorable ranges.
    private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
            0x200B...0x200F,
            0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFDD0...0xFDEF, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB,
            0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default: scalar.value & 0xFFFE == 0xFFFE || scalar.properties.generalCategory == .format
        }
    }

    @Test func everyScalarThatShowsNothingIsEscaped() {
        #expect(Self.scalars.count == 0x110000 - 0x800)
        // Except for two at the end of each plane, only these planes have scalars that must be escaped.
        let planes: Set<UInt32> = [0, 1, 14]
        let others = Self.scalars.filter { !planes.contains($0.value >> 16) }
        let sample =
            debugSample(
                Self.scalars.filter { planes.contains($0.value >> 16) }, every: 5, of: "scalars of three planes")
            + debugSample(others, every: 251, of: "scalars of other planes")
        let wrong = sample.filter { scalar in
            let text = String(scalar)
            return (text.printable != text) != Self.mustBeEscaped(scalar)
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(20).map { String($0.value, radix: 16) })")
        #expect(Self.scalars.count(where: \.isUnprintable) == 4_339)
        #expect("a\u{202E}b\u{E0041}".printable == #"a\u{202e}b\u{e0041}"#)
    }

    /// Foundation and Python decode the JSON text of each scalar to the same scalar. The JSON text contains no scalar
    /// that must be escaped.
    @Test func everyScalarComesBackFromJSON() throws {
        let strings = stride(from: 0, to: Self.scalars.count, by: 4_096).map { start in
            var text = ""
            for scalar in Self.scalars[start..<min(start + 4_096, Self.scalars.count)] {
                text.unicodeScalars.append(scalar)
            }
            return text
        }
        #expect(strings.count == 272)
        let json = JSON.array(strings.map { .string($0) }).text
        // The only line feeds separate the elements of the JSON array.
        #expect(json.unicodeScalars.allSatisfy { !$0.isUnprintable || $0 == "\n" })
        #expect(json.unicodeScalars.count { $0 == "\n" } == strings.count + 1)
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String])
        // Compares scalars, because `==` on strings tests canonical equivalence.
        #expect(parsed.count == strings.count)
        #expect(zip(parsed, strings).allSatisfy { $0.unicodeScalars.elementsEqual($1.unicodeScalars) })
        #expect(JSON.string("\u{E0041}\u{202E}\u{7F}").text == #""\udb40\udc41\u202e\u007f""#)

        let folder = try TemporaryFolder()
        let file = try folder.write("scalars.json", Data(json.utf8)).path
        let script = """
            import json, sys
            text = "".join(json.load(open(sys.argv[1], encoding="utf-8")))
            sys.exit(text != "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)])))
            """
        #expect(try Tool.run(URL(filePath: "/usr/bin/env"), ["python3", "-c", script, file]).status == 0)
    }
}
