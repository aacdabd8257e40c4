// What the suites do with text, byte by byte: by Character, a mark of another script beside a delimiter hides it.

extension String {
    /// What follows a beginning; `nil` if the text begins otherwise.
    func removing(prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// What stands before an end; `nil` if the text ends otherwise.
    func removing(suffix: String) -> String? {
        guard utf8.count >= suffix.utf8.count, utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else {
            return nil
        }
        return String(decoding: utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }

    /// Whether it is digits of ASCII alone, and no sign.
    var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// The parts between a delimiter of ASCII, empty ones too.
    func parts(between delimiter: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: delimiter), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
