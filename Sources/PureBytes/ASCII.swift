/// Returns whether `bytes` equal a literal's bytes, without a copy of the literal.
package func isEqual(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
    // Safe, as below: the closure only compares the buffer.
    text.withUTF8Buffer { unsafe bytes.elementsEqual($0) }
}

/// Returns the bytes of a literal. Unlike `String.utf8`, links nothing of `String` in Embedded Swift.
package func ascii(_ text: StaticString) -> [UInt8] {
    // Safe: the pointer of a literal is valid as long as the program runs.
    text.withUTF8Buffer { unsafe [UInt8]($0) }
}
