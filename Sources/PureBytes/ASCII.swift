/// Returns whether `bytes` equals the bytes of a literal, without copying the literal.
package func isEqual(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
    // The unsafe access is safe because the closure only reads the buffer and does not let the pointer escape.
    text.withUTF8Buffer { literal in
        let bytes = bytes.span
        guard bytes.count == literal.count else { return false }
        for i in bytes.indices where unsafe bytes[i] != literal[i] { return false }
        return true
    }
}

/// Returns the bytes of a literal. Unlike `String.utf8`, this function does not link the implementation of `String` in
/// Embedded Swift.
package func ascii(_ text: StaticString) -> [UInt8] {
    // The unsafe access is safe because the closure copies the bytes, and a literal stays valid while the program runs.
    text.withUTF8Buffer { unsafe [UInt8]($0) }
}
