/// All cases in an optimised build; in a debug build, in which this arithmetic is fifty times as slow, every `stride`-th from the one
/// at `first` on, and a line that says so. `.ci/run` has both builds: the first command of a newcomer should end in a minute.
/// With `-Xswiftc -DALL_CASES` there is no sample.
public func debugSample<Case>(_ cases: [Case], every stride: Int, from first: Int = 0, of name: String) -> [Case] {
    #if DEBUG && !ALL_CASES
        let sample = cases.enumerated().filter { $0.offset % stride == first % stride }.map(\.element)
        print("debug build: \(sample.count) of \(cases.count) \(name); all of them run with -c release")
        return sample
    #else
        return cases
    #endif
}
