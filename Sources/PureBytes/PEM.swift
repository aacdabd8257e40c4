/// The reason why a text is not valid PEM, or not the PEM that the caller expects. Line numbers start at 1.
@nonexhaustive
public enum PEMError: Error, Hashable, Sendable {
    /// The text has no block.
    case noBlock
    /// The text has several blocks, but the caller expects one.
    case severalBlocks
    /// A block's label differs from the expected one.
    case unexpectedLabel
    /// The line contains `-----BEGIN` or `-----END` but is not a valid boundary.
    ///
    /// The dashes, spaces or label of the line violate RFC 7468 §3, or the line has text before or after the boundary.
    /// This case also covers an `END` without a `BEGIN`, and a `BEGIN` inside a block.
    case invalidBoundary(line: Int)
    /// The label of the `END` line differs from the label of the `BEGIN` line.
    case labelMismatch(line: Int)
    /// A line of a block is not 64 characters of Base64 (1 to 64 on the last line), or the block is empty.
    case invalidLine(line: Int)
    /// The text ends inside a block. `line` is the number of the block's `BEGIN` line.
    case missingEnd(line: Int)
}

/// Converts between bytes and PEM, the ASCII text encoding of DER (RFC 7468). A text can contain several blocks.
///
/// ```
/// -----BEGIN CERTIFICATE-----
/// MIIB…                                 64 characters a line, and fewer in the last
/// -----END CERTIFICATE-----
/// ```
///
/// Decoding accepts the strict form (`stricttextualmsg`, §3), whose lines end with LF, CR LF or CR. It also accepts two
/// variations that common tools produce:
/// - The last line may lack a line ending.
/// - Spaces or tabs may end a line.
///
/// Decoding rejects everything else, including headers (§2), empty lines inside a block, different labels in the
/// `BEGIN` and `END` lines, and non-canonical Base64.
///
/// Decoding skips explanatory text around blocks (§5.2), in any character encoding. However, a line with `-----BEGIN`
/// or `-----END` must be a valid boundary. So a block with a mistyped or indented boundary is never skipped.
///
/// *Time:* variable; not for secrets. Time and memory are linear in the length of the text.
public enum PEM {
    /// Names a block's content, for example "CERTIFICATE" (RFC 7468 §2). Comparison is case-sensitive.
    public struct Label: Hashable, Sendable {
        /// The ASCII characters.
        public let characters: [UInt8]

        /// Creates a label, or returns `nil` if RFC 7468 §3 does not allow the label. A label consists of printable
        /// ASCII characters. A space or hyphen is allowed only between two other characters. The label may be empty.
        @inlinable
        public init?(_ characters: some Collection<UInt8>) {
            self.init(slice: ArraySlice(characters))
        }

        @usableFromInline
        init?(slice characters: ArraySlice<UInt8>) {
            var isAfterCharacter = false
            for character in characters {
                switch character {
                case 0x21...0x2C, 0x2E...0x7E: isAfterCharacter = true
                case UInt8(ascii: " "), UInt8(ascii: "-"):
                    guard isAfterCharacter else { return nil }
                    isAfterCharacter = false
                default: return nil
                }
            }
            guard isAfterCharacter || characters.isEmpty else { return nil }
            self.characters = Array(characters)
        }

        private init(known: String) {
            characters = Array(known.utf8)
        }

        /// `CERTIFICATE`: one X.509 certificate (RFC 7468 §5).
        public static var certificate: Label { Label(known: "CERTIFICATE") }
        /// `X509 CRL`: a `CertificateList` (RFC 7468 §6).
        public static var revocationList: Label { Label(known: "X509 CRL") }
        /// `CMS`: a `ContentInfo` of RFC 5652 (RFC 7468 §9).
        public static var cms: Label { Label(known: "CMS") }
        /// `PUBLIC KEY`: a `SubjectPublicKeyInfo` (RFC 7468 §13).
        public static var publicKey: Label { Label(known: "PUBLIC KEY") }
    }

    /// A label and the bytes between its two boundaries.
    public struct Block: Hashable, Sendable {
        /// The label of both boundaries.
        public let label: Label
        /// The decoded Base64: at least one byte.
        public let bytes: [UInt8]
    }

    /// Decodes the only block of `text`. The block must have the label `label`.
    @inlinable
    public static func decode(_ text: some Collection<UInt8>, label: Label) throws(PEMError) -> [UInt8] {
        try decodeOne(slice: ArraySlice(text), label)
    }

    /// Decodes one or more blocks of `text`. If `label` is given, every block must have it.
    @inlinable
    public static func decodeAll(_ text: some Collection<UInt8>, label: Label? = nil) throws(PEMError) -> [Block] {
        try decodeAll(slice: ArraySlice(text), label)
    }

    /// Encodes `bytes`, at least one byte, as a block with this label, in the strict form with LF line endings.
    @inlinable
    public static func encode(_ bytes: some Collection<UInt8>, label: Label) -> [UInt8] {
        encode(slice: ArraySlice(bytes), label)
    }

    // The generic functions forward to the functions below, for the reason given in Base64.swift.

    @usableFromInline
    static func decodeOne(slice text: ArraySlice<UInt8>, _ label: Label) throws(PEMError) -> [UInt8] {
        let blocks = try decodeAll(slice: text, nil)
        guard blocks.count == 1 else { throw .severalBlocks }
        guard blocks[0].label == label else { throw .unexpectedLabel }
        return blocks[0].bytes
    }

    @usableFromInline
    static func decodeAll(slice text: ArraySlice<UInt8>, _ label: Label?) throws(PEMError) -> [Block] {
        var reader = PEMReader(text)
        var blocks: [Block] = []
        while let block = try reader.readBlock() {
            guard label == nil || block.label == label else { throw .unexpectedLabel }
            blocks.append(block)
        }
        guard !blocks.isEmpty else { throw .noBlock }
        return blocks
    }

    @usableFromInline
    static func encode(slice bytes: ArraySlice<UInt8>, _ label: Label) -> [UInt8] {
        var text = PEMReader.begin + label.characters + PEMReader.dashes + [lineFeed]
        var rest = bytes
        while !rest.isEmpty {
            text += Base64.encode(slice: rest.prefix(lineLength / 4 * 3), as: .standard)
            text.append(lineFeed)
            rest = rest.dropFirst(lineLength / 4 * 3)
        }
        return text + PEMReader.end + label.characters + PEMReader.dashes + [lineFeed]
    }

    /// RFC 7468 §2: every line but the last has exactly 64 characters.
    static let lineLength = 64

    private static let lineFeed = UInt8(ascii: "\n")
}

private struct PEMReader {
    private var rest: ArraySlice<UInt8>
    private var line = 0

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    static var begin: [UInt8] { Array("-----BEGIN ".utf8) }
    static var end: [UInt8] { Array("-----END ".utf8) }
    static var dashes: [UInt8] { Array("-----".utf8) }

    /// Reads the next block, or returns `nil` if only explanatory text follows.
    mutating func readBlock() throws(PEMError) -> PEM.Block? {
        while let text = nextLine() {
            guard Self.holdsBoundary(text) else { continue }
            guard let label = Self.label(of: text, Self.begin) else { throw .invalidBoundary(line: line) }
            return PEM.Block(label: label, bytes: try readContents(label))
        }
        return nil
    }

    /// Reads the lines up to and including the `END` boundary.
    private mutating func readContents(_ label: PEM.Label) throws(PEMError) -> [UInt8] {
        let first = line
        var bytes: [UInt8] = []
        var isComplete = false
        while let text = nextLine() {
            if Self.holdsBoundary(text) {
                guard let endLabel = Self.label(of: text, Self.end) else { throw .invalidBoundary(line: line) }
                guard endLabel == label else { throw .labelMismatch(line: line) }
                guard !bytes.isEmpty else { throw .invalidLine(line: line) }
                return bytes
            }
            guard !isComplete, 1...PEM.lineLength ~= text.count,
                let decoded = try? Base64.decode(slice: text, as: .standard)
            else { throw .invalidLine(line: line) }
            bytes += decoded
            isComplete = text.count < PEM.lineLength || text.last == UInt8(ascii: "=")
        }
        throw .missingEnd(line: first)
    }

    /// Returns the next line without its ending (`eol`: LF, CR LF or CR) or trailing spaces and tabs (`*WSP`).
    private mutating func nextLine() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        line += 1
        var text = rest.prefix { $0 != 0x0A && $0 != 0x0D }
        rest = rest.dropFirst(text.count)
        if rest.popFirst() == 0x0D, rest.first == 0x0A { rest.removeFirst() }
        while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
        return text
    }

    /// Returns whether the line contains `-----BEGIN` or `-----END`.
    private static func holdsBoundary(_ text: ArraySlice<UInt8>) -> Bool {
        var dashCount = 0
        for i in text.indices {
            if text[i] == UInt8(ascii: "-") {
                dashCount += 1
            } else {
                let word = text[i...]
                if dashCount >= 5, word.starts(with: begin[5..<10]) || word.starts(with: end[5..<8]) { return true }
                dashCount = 0
            }
        }
        return false
    }

    /// Returns the label of a boundary line, or `nil` if `text` is not a boundary line that begins with `start`.
    private static func label(of text: ArraySlice<UInt8>, _ start: [UInt8]) -> PEM.Label? {
        guard text.starts(with: start), text.count >= start.count + dashes.count, text.suffix(5).elementsEqual(dashes)
        else { return nil }
        return PEM.Label(slice: text.dropFirst(start.count).dropLast(dashes.count))
    }
}

#if !hasFeature(Embedded)
    extension PEM.Label: CustomStringConvertible {
        /// Creates a label from text; see ``init(_:)-(Collection<UInt8>)``.
        public init?(_ text: String) {
            self.init(text.utf8)
        }

        /// The label itself.
        public var description: String { String(decoding: characters, as: UTF8.self) }
    }

    /// Encodes `bytes`, at least one byte, as a PEM block with the label `label`; see ``PEM``.
    public func pemEncodedString(_ bytes: some Collection<UInt8>, label: PEM.Label) -> String {
        String(decoding: PEM.encode(bytes, label: label), as: UTF8.self)
    }

    /// Returns a PEM block without a final line feed, as CryptoKit's `pemRepresentation` does.
    package func pemRepresentation(of bytes: [UInt8], label: PEM.Label) -> String {
        String(decoding: PEM.encode(bytes, label: label).dropLast(), as: UTF8.self)
    }

    extension PEMError: CustomStringConvertible {
        /// Describes the error in one sentence.
        public var description: String {
            switch self {
            case .noBlock: "the text has no PEM block"
            case .severalBlocks: "the text has several PEM blocks; expected one"
            case .unexpectedLabel: "a PEM block has an unexpected label"
            case .invalidBoundary(let line): "line \(line) is an invalid BEGIN or END line of PEM"
            case .labelMismatch(let line): "the END label at line \(line) differs from its BEGIN label"
            case .invalidLine(let line):
                "line \(line) is not Base64 of 64 characters (1 to 64 on a block's last line)"
            case .missingEnd(let line): "the PEM block that begins at line \(line) has no END line"
            }
        }
    }
#endif
