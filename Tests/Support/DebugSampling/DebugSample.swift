/// Returns all cases in an optimised build, and every `stride`-th case from index `first` on in a debug build, which
/// prints the counts.
///
/// Debug builds run this arithmetic fifty times slower, and a newcomer's first test run should end in a minute.
/// `.ci/run` tests both builds. `-Xswiftc -DALL_CASES` disables sampling.
public func debugSample<Case>(_ cases: [Case], every stride: Int, from first: Int = 0, of name: String) -> [Case] {
    #if DEBUG && !ALL_CASES
        let sample = cases.enumerated().filter { $0.offset % stride == first % stride }.map(\.element)
        print("debug build: a sample of \(sample.count) of \(cases.count) \(name); -c release runs all")
        return sample
    #else
        return cases
    #endif
}
