/// Returns all cases. In a debug build, prints the counts and returns only every `stride`-th case, starting at index
/// `first`.
///
/// Debug builds run the arithmetic fifty times slower. Sampling should let a first test run finish within a minute.
/// `.ci/run` tests both builds; of the optimised build, it tests only the verifier's modules. The tier `full` tests all
/// modules. `-Xswiftc -DALL_CASES` disables sampling.
public func debugSample<Case>(_ cases: [Case], every stride: Int, from first: Int = 0, of name: String) -> [Case] {
    guard takesSamples else { return cases }
    let sample = cases.enumerated().filter { $0.offset % stride == first % stride }.map(\.element)
    print("debug build: a sample of \(sample.count) of \(cases.count) \(name); -c release runs all")
    return sample
}

/// Whether `debugSample` returns samples. Tests ask this module, because a build of mutants defines ALL_CASES in this
/// target but not in test targets.
public var takesSamples: Bool {
    #if DEBUG && !ALL_CASES
        true
    #else
        false
    #endif
}
