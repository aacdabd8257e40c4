/// Returns the bytes of a literal. Unlike `String.utf8`, links nothing of `String` in Embedded Swift.
package func ascii(_ text: StaticString) -> [UInt8] {
    // The pointer of a literal is valid for as long as the program runs.
    text.withUTF8Buffer { unsafe [UInt8]($0) }
}
