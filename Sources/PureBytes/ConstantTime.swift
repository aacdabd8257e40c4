/// Returns whether two byte sequences are equal, in time that depends only on their lengths.
///
/// Use it to compare a secret, such as a message authentication code, with received bytes. `==` stops at the first
/// difference, so the time of `==` reveals how many leading bytes match.
///
/// *Time:* constant for given lengths, provided that reading an element of `a` or `b` takes constant time. The lengths
/// are public. Every difference is ORed into one accumulator. No branch and no address depends on a byte, and nothing
/// tests the accumulator before the loop ends. The Swift language does not guarantee that the optimiser preserves this
/// property. To exit the loop early, however, the optimiser would have to add a test to each iteration. This test would
/// cost more than the reads that it could skip. LLVM has no pass that adds such a test: the loop transformations of
/// LLVM only reorder and vectorise the OR operations. Only a separate function, which is never inlined, tests the
/// accumulator. So LLVM compiles the loop without knowing that only zero or non-zero matters.
///
/// - Returns: Whether the sequences have the same length and the same bytes. Two empty sequences are equal.
@inlinable
public func constantTimeEquals(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for (x, y) in zip(a, b) { difference |= x ^ y }
    return isZero(difference)
}

@usableFromInline
@inline(never)
func isZero(_ difference: UInt8) -> Bool { difference == 0 }
