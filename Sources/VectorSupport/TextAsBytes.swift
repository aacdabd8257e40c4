// These functions process text byte by byte, because a Character can hide a delimiter. A combining mark after a
// delimiter forms a single Character with the delimiter.

extension String {
    /// Returns the text after `prefix`; `nil` if the text does not begin with `prefix`.
    func removing(prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Returns the text before `suffix`; `nil` if the text does not end with `suffix`.
    func removing(suffix: String) -> String? {
        guard utf8.count >= suffix.utf8.count, utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else {
            return nil
        }
        return String(decoding: utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }

    /// Whether the text consists only of ASCII digits, without a sign.
    var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Splits the text at an ASCII delimiter, and returns all parts, including empty ones.
    func parts(between delimiter: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: delimiter), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
