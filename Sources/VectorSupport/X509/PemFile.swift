/// The blocks of a suite's PEM file, parsed leniently. BoringSSL's files are written by hand: they contain lines of 75
/// characters, and PEM boundaries inside comments. The library's own parser, `PEM` in PureBytes, rejects both.
package struct PemFile: Sendable {
    /// A PEM block: the label, and the bytes between the two boundary lines.
    package struct Block: Sendable {
        /// For example "CERTIFICATE".
        package let label: String
        fileprivate let text: ArraySlice<UInt8>

        /// The bytes; `nil` if the text is not base64. White space is skipped.
        package var bytes: ArraySlice<UInt8>? {
            Data(base64Encoded: Data(text.filter { $0 != 0x20 && !(0x09...0x0d).contains($0) })).map {
                ArraySlice([UInt8]($0))
            }
        }
    }

    /// The blocks, in the order of the file.
    package let blocks: [Block]

    /// Finds the blocks of `text`.
    package init(_ text: String) {
        var blocks: [Block] = []
        var rest = Array(text.utf8)[...]
        while let begin = rest.firstRange(of: "-----BEGIN ".utf8),
            let dashes = rest[begin.upperBound...].firstRange(of: "-----".utf8)
        {
            let label = String(decoding: rest[begin.upperBound..<dashes.lowerBound], as: UTF8.self)
            guard let end = rest[dashes.upperBound...].firstRange(of: "-----END \(label)-----".utf8) else { break }
            blocks.append(Block(label: label, text: rest[dashes.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        self.blocks = blocks
    }

    /// Returns the bytes of the first block with `label`; `nil` if there is none.
    package subscript(label: String) -> ArraySlice<UInt8>? {
        blocks.first { $0.label == label }?.bytes
    }
}
