/// The blocks of a PEM file of a suite, read laxly: BoringSSL's are written by hand, with lines of 75 characters, and comments in
/// which boundaries stand. `PEM` of PureBytes, which is what the library reads with, refuses both.
public struct PemFile: Sendable {
    /// A block: the label, and the characters between the two lines.
    public struct Block: Sendable {
        /// "CERTIFICATE", say.
        public let label: String
        fileprivate let text: Substring

        /// The bytes; `nil` if the text is not base64. White space is skipped.
        public var bytes: ArraySlice<UInt8>? {
            Data(base64Encoded: text.filter { !$0.isWhitespace }).map { ArraySlice([UInt8]($0)) }
        }
    }

    /// The blocks, in the order of the file.
    public let blocks: [Block]

    /// Finds the blocks of `text`.
    public init(_ text: String) {
        var blocks: [Block] = []
        var rest = text[...]
        while let begin = rest.firstRange(of: "-----BEGIN "),
            let dashes = rest[begin.upperBound...].firstRange(of: "-----")
        {
            let label = String(rest[begin.upperBound..<dashes.lowerBound])
            guard let end = rest[dashes.upperBound...].firstRange(of: "-----END \(label)-----") else { break }
            blocks.append(Block(label: label, text: rest[dashes.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        self.blocks = blocks
    }

    /// The bytes of the first block with `label`; `nil` without one.
    public subscript(label: String) -> ArraySlice<UInt8>? {
        blocks.first { $0.label == label }?.bytes
    }
}
