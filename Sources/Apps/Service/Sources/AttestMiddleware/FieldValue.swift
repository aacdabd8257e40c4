// Compare header field values as bytes. In a comparison by `Character`, a client could hide a delimiter by placing a
// combining scalar next to it.

extension ArraySlice<UInt8> {
    /// Removes optional whitespace (RFC 9110 §5.6.3) from both ends.
    var trimmingWhitespace: Self {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let text = drop(while: isSpace)
        return text[..<(text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? text.startIndex)]
    }

    var lowercasedASCII: [UInt8] { map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 } }
}

/// Returns the media type of a `Content-Type` in lower case, without parameters (RFC 9110 §8.3.1).
package func mediaType(_ contentType: String) -> [UInt8] {
    Array(contentType.utf8).prefix { $0 != UInt8(ascii: ";") }.trimmingWhitespace.lowercasedASCII
}
