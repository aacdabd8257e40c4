import Foundation
import PureBytes
import Testing

@Suite("PEM")
struct PEMTests {
    static let bytes = (0..<100).map { UInt8($0) }
    static let lines = [
        "-----BEGIN CERTIFICATE-----",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v",
        "MDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5f",
        "YGFiYw==",
        "-----END CERTIFICATE-----",
    ]
    static let text = lines.joined(separator: "\n") + "\n"

    private static func decode(_ text: String) throws(PEMError) -> [UInt8] {
        try PEM.decode(text.utf8, label: .certificate)
    }

    /// RFC 7468 §2: each line except the last has 64 characters, for data of any length.
    @Test func writesTheStrictForm() throws {
        #expect(pemEncodedString(Self.bytes, label: .certificate) == Self.text)
        for count in 1...200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 83 &+ count) }
            let base64 = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            let text = "-----BEGIN PUBLIC KEY-----\n\(base64)\n-----END PUBLIC KEY-----\n"
            #expect(pemEncodedString(bytes, label: .publicKey) == text)
            #expect(try PEM.decode(text.utf8, label: .publicKey) == bytes)
        }
    }

    /// RFC 7468 §3: a line may end with `*WSP` before its `eol`, and the last `eol` may be missing.
    @Test(arguments: ["\n", "\r\n", "\r", " \n", "\t \r\n", " \r"])
    func lineEnds(end: String) throws {
        for last in [end, "", "\n\n\n"] {
            #expect(try Self.decode(Self.lines.joined(separator: end) + last) == Self.bytes)
        }
    }

    /// RFC 7468 §5.2: text in any encoding may precede, separate and follow blocks.
    @Test func textAroundBlocks() throws {
        let noise: [UInt8] =
            Array("subject=CN = \u{e9}\n--- BEGIN: -------- END ----BEGIN\n".utf8) + [0xE9, 0xFF, 0x00, 0x0A]
        let key = pemEncodedString([1, 2, 3], label: .publicKey)
        let file = noise + Self.text.utf8 + noise + key.utf8 + Self.text.utf8 + noise
        let blocks = try PEM.decodeAll(file)
        #expect(blocks.map(\.label) == [.certificate, .publicKey, .certificate])
        #expect(blocks.map(\.bytes) == [Self.bytes, [1, 2, 3], Self.bytes])
        #expect(throws: PEMError.severalBlocks) { try PEM.decode(file, label: .certificate) }
        #expect(throws: PEMError.unexpectedLabel) { try PEM.decodeAll(file, label: .certificate) }
        #expect(try PEM.decodeAll((Self.text + Self.text).utf8, label: .certificate).count == 2)
        #expect(try PEM.decode(noise + Self.text.utf8 + noise, label: .certificate) == Self.bytes)
    }

    @Test func noBlock() {
        for text in ["", "\n", "MIIB", "-----", "certificate", "---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n"] {
            #expect(throws: PEMError.noBlock) { try Self.decode(text) }
            #expect(throws: PEMError.noBlock) { try PEM.decodeAll(text.utf8) }
        }
        #expect(throws: PEMError.unexpectedLabel) { try PEM.decode(Self.text.utf8, label: .publicKey) }
    }

    /// RFC 7468 §2 and §3: a boundary is five dashes, one space and the label, without other text on its line. The
    /// decoder rejects a line that is nearly a boundary, instead of skipping this line as explanatory text.
    @Test(arguments: [
        "----- BEGIN CERTIFICATE-----", "------BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE----",
        "-----BEGIN CERTIFICATE------", " -----BEGIN CERTIFICATE-----", "-----BEGIN  CERTIFICATE-----",
        "-----BEGIN CERTIFICATE -----", "-----BEGINCERTIFICATE-----", "-----BEGIN-----", "-----BEGIN ----",
        "-----BEGIN CERTIFICATE----- x", "x -----BEGIN CERTIFICATE-----", "\u{feff}-----BEGIN CERTIFICATE-----",
        "-----BEGIN A--B-----", "-----BEGIN A  B-----", "-----BEGIN \u{e9}-----", "-----BEGIN A\tB-----",
        "-----END CERTIFICATE-----", "-----END", "-----BEGIN",
    ])
    func boundaries(line: String) {
        let isText = line.hasPrefix("----- ")
        for head in ["", "text\n"] {
            let broken = head + ([line] + Self.lines.dropFirst()).joined(separator: "\n")
            let number = head.isEmpty ? 1 : 2
            // If the BEGIN line counts as explanatory text, the error is at the END line, which then has no BEGIN line.
            #expect(throws: PEMError.invalidBoundary(line: isText ? number + 4 : number)) { try Self.decode(broken) }
        }
    }

    @Test func ends() {
        func text(_ end: String) -> String { (Self.lines.dropLast() + [end]).joined(separator: "\n") }
        for end in ["-----END PUBLIC KEY-----", "-----END certificate-----", "-----END -----"] {
            #expect(throws: PEMError.labelMismatch(line: 5)) { try Self.decode(text(end)) }
        }
        for end in [Self.lines[0], "-----END CERTIFICATE----", " " + Self.lines[4], "-----END CERTIFICATE-----;"] {
            #expect(throws: PEMError.invalidBoundary(line: 5)) { try Self.decode(text(end)) }
        }
        for count in 1..<5 {
            #expect(throws: PEMError.missingEnd(line: 1)) {
                try Self.decode(Self.lines.prefix(count).joined(separator: "\n"))
            }
        }
        // A boundary in the middle of a Base64 line does not end the block.
        #expect(throws: PEMError.invalidBoundary(line: 4)) {
            try Self.decode((Self.lines.prefix(3) + ["YGFiYw==" + Self.lines[4]]).joined(separator: "\n"))
        }
    }

    /// RFC 7468 §3, `strictbase64text`: each line has 64 characters, the last line at most 64. There are no headers or
    /// empty lines (§2). Each byte string has exactly one accepted text.
    @Test func contents() {
        let (full, last) = (Self.lines[1], Self.lines[3])
        for (contents, line): ([String], Int) in [
            ([], 2), ([""], 2), (["", last], 2), ([last, ""], 3), ([full, "", last], 3), ([last, full], 3),
            ([last, last], 3),
            ([full + "AAAA"], 2), ([String(full.dropLast(4)), full], 3), ([full, "YGFiYw="], 3), ([full, "YGFiYw"], 3),
            ([full, "YGFiYx=="], 3), ([full, " YGFiYw=="], 3), ([full, "YGFi Yw=="], 3), ([full, "YG-_Yw=="], 3),
            (["Proc-Type: 4,ENCRYPTED", "", full], 2), ([String(full.dropLast(4)) + "YQ==", last], 3), (["===="], 2),
            ([full, "YGFiYw==\u{0b}"], 3), ([full, "YGFiYw==\u{a0}"], 3),
        ] {
            let text = ([Self.lines[0]] + contents + [Self.lines[4]]).joined(separator: "\n")
            #expect(throws: PEMError.invalidLine(line: line), "\(contents)") { try Self.decode(text) }
        }
        #expect(throws: Never.self) { try Self.decode([Self.lines[0], full, Self.lines[4]].joined(separator: "\n")) }
    }

    /// Changes each byte of a file to up to seven other values. A changed Base64 letter yields different bytes or is
    /// rejected. A space in place of the last line end yields the same bytes. The decoder rejects all other changes.
    @Test func everyByteChanged() {
        let text = Array(Self.text.utf8)
        for position in text.indices {
            for value in [0x00, 0x0A, 0x20, 0x2D, 0x3D, 0x41, 0xFF] as [UInt8] where value != text[position] {
                var changed = text
                changed[position] = value
                guard let bytes = try? PEM.decode(changed, label: .certificate) else { continue }
                let isLineEnd = text[position] == 0x0A
                #expect(isLineEnd || (28..<166).contains(position), "\(value) at \(position)")
                #expect((bytes == Self.bytes) == isLineEnd, "\(value) at \(position)")
            }
        }
        for count in text.indices where count < text.count - 1 {
            #expect(throws: PEMError.self) { try PEM.decode(text.prefix(count), label: .certificate) }
        }
    }

    /// RFC 7468 §3, `label`.
    @Test func labels() {
        for text in ["", "A", "A B", "A-B", "EC PRIVATE KEY", "x509 crl", "A/B", "A-B C"] {
            #expect(PEM.Label(text)?.description == text)
        }
        for text in [" ", "-", " A", "A ", "A  B", "A- B", "-A", "A-", "\n", "A\nB", "\u{e9}", "A\u{7f}"] {
            #expect(PEM.Label(text) == nil, "\(text)")
        }
        for (label, text): (PEM.Label, String) in [
            (.certificate, "CERTIFICATE"), (.publicKey, "PUBLIC KEY"), (.cms, "CMS"), (.revocationList, "X509 CRL"),
        ] {
            #expect(label == PEM.Label(text))
        }
        #expect(throws: PEMError.unexpectedLabel) { try Self.decode("-----BEGIN -----\nAAAA\n-----END -----") }
    }
}
