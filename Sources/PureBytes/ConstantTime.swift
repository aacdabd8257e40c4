/// Returns whether two byte sequences are equal, in time that depends only on their lengths.
///
/// Use it to compare a secret, such as a message authentication code, with received bytes. `==` stops at the first
/// difference, so its time reveals how many leading bytes were right.
///
/// *Time:* constant for given lengths, provided that reading an element of `a` and `b` is. The lengths are public.
/// Every difference is ORed into one accumulator. No branch and no address depends on a byte, and nothing tests the
/// accumulator before the loop ends. The language does not promise that an optimiser preserves this. To stop early,
/// though, an optimiser would have to add a test to each step, only to skip reads that cost less than the test. LLVM
/// has no such pass: its loop transformations only reorder and vectorise the OR. A function that is not inlined tests
/// the result, so the loop is compiled without knowing that only "zero or not" matters.
///
/// - Returns: `false` also if the lengths differ; two empty sequences are equal.
@inlinable
public func constantTimeEquals(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for (x, y) in zip(a, b) { difference |= x ^ y }
    return isZero(difference)
}

/// Turns the accumulated difference into a Boolean; nothing else does.
@usableFromInline
@inline(never)
func isZero(_ difference: UInt8) -> Bool { difference == 0 }
