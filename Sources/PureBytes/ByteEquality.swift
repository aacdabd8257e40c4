/// Whether two sequences have the same bytes. Time: depends on the lengths alone.
///
/// For long sequences, such as whole certificates: the loop has no exit, so that it is compiled to vectors, where `==` of slices looks
/// at one byte after the other.
package func areEqual(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
    let a = a.span, b = b.span
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for i in a.indices { difference |= a[i] ^ b[i] }
    return difference == 0
}
