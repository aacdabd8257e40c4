/// Returns whether `bytes` is valid UTF-8 (RFC 3629 §4): complete, not overlong, without surrogates, at most U+10FFFF.
package func isValidUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    do {
        _ = try UTF8Span(validating: bytes.span)
        return true
    } catch {
        return false
    }
}
