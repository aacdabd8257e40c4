// These functions process text byte by byte, because a delimiter and a combining mark after it form a single Character.

extension String {
    package func removing(prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    func removing(suffix: String) -> String? {
        guard utf8.count >= suffix.utf8.count, utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else {
            return nil
        }
        return String(decoding: utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }

    package var lowercasedASCII: [UInt8] { utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }

    /// Whether the text consists only of ASCII digits, without a sign.
    var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Returns all parts, including empty parts. The delimiter must be ASCII.
    func parts(between delimiter: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: delimiter), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
