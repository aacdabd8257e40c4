/// All cases in an optimised build; in a debug build, which is fifty times as slow, every `stride`-th, and a line that says so.
func debugSample<Case>(_ cases: [Case], every stride: Int, of name: String) -> [Case] {
    #if DEBUG
        let sample = cases.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
        print("debug build: \(sample.count) of \(cases.count) \(name); all of them run with -c release")
        return sample
    #else
        return cases
    #endif
}
