/// Returns whether two sequences have the same bytes, in time that depends only on their lengths. Use this function for
/// long sequences, such as whole certificates. The loop has no early exit, so the compiler vectorises the loop. In
/// contrast, `==` on slices compares one byte at a time.
package func areEqual(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
    let a = a.span, b = b.span
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for i in a.indices { difference |= a[i] ^ b[i] }
    return difference == 0
}
