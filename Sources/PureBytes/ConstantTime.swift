/// Whether two byte sequences are equal, in a time that depends on their lengths alone.
///
/// For comparing a secret with what a stranger sent (a message authentication code, a challenge): `==` stops at the first
/// difference, and the time it takes tells how many leading bytes were right.
///
/// *Time:* constant for given lengths, as long as reading an element of `a` and of `b` is. The lengths are public.
/// Every byte pair is read and every difference is OR-ed into one accumulator that no instruction tests before the loop ends: no
/// branch and no address depends on a byte. The language can't promise that an optimiser keeps it so, but stopping early
/// would take a test per step that the source doesn't have, to skip reads that cost less than the test; LLVM has no such pass
/// (its loop transformations only reorder and vectorise the OR). The single test of the result stands in a function that isn't
/// inlined, so that the loop is compiled without knowing that only "zero or not" will be asked of it.
///
/// - Returns: `false` also when the lengths differ; two empty sequences are equal.
@inlinable
public func constantTimeEquals(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for (x, y) in zip(a, b) { difference |= x ^ y }
    return isZero(difference)
}

/// The one place where the accumulated difference becomes a branchable value.
@usableFromInline
@inline(never)
func isZero(_ difference: UInt8) -> Bool { difference == 0 }
