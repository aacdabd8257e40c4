/// Returns whether `bytes` are UTF-8 (RFC 3629 §4): no overlong form, no surrogate, nothing above U+10FFFF, nothing
/// truncated.
package func isValidUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    do {
        _ = try UTF8Span(validating: bytes.span)
        return true
    } catch {
        return false
    }
}
