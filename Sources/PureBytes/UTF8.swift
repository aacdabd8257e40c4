/// Returns whether `bytes` is valid UTF-8 (RFC 3629 §4). Truncated sequences, overlong forms, surrogates, and code
/// points above U+10FFFF are invalid.
package func isValidUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    do {
        _ = try UTF8Span(validating: bytes.span)
        return true
    } catch {
        return false
    }
}
