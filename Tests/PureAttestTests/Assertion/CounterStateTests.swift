import Testing

@testable import PureAttest

/// Compares the sliding window with a set that contains all values so far.
@Suite struct CounterStateTests {
    @Test func strict() throws {
        let state = CounterState(greatest: 7)
        for value in [0, 1, 6, 7] as [UInt32] {
            #expect(throws: PureAttestError.counterNotIncreased(previous: 7, received: value)) {
                try state.accepting(value, policy: .strict)
            }
        }
        #expect(try state.accepting(8, policy: .strict).greatest == 8)
        #expect(try state.accepting(.max, policy: .strict).greatest == .max)
        #expect(throws: PureAttestError.counterNotIncreased(previous: .max, received: .max)) {
            try CounterState(greatest: .max).accepting(.max, policy: .strict)
        }
        #expect(throws: PureAttestError.counterNotIncreased(previous: 0, received: 0)) {
            try CounterState(greatest: 0).accepting(0, policy: .strict)
        }
    }

    /// While the greatest value is at most 63, the window includes the value 0, which counts as used.
    @Test(arguments: [0, 1, 61, 62, 63, 64, 65, .max] as [UInt32])
    func storedWindow(_ greatest: UInt32) {
        let zero: UInt64 = greatest > 63 ? 0 : 1 << UInt64(greatest)
        #expect(CounterState(greatest: greatest, used: zero | 1)?.greatest == greatest)
        #expect((CounterState(greatest: greatest, used: 1) == nil) == (1...63).contains(greatest))
        #expect((CounterState(greatest: greatest, used: .max) == nil) == (greatest < 63))
        #expect(CounterState(greatest: greatest, used: zero & ~1) == nil)
    }

    /// The window never accepts a value that is at most the first stored value. It accepts each later value once.
    @Test func window() throws {
        for start in [0, 1, 5, 62, 63, 64, 65, 100, .max - 200] as [UInt32] {
            var state = CounterState(greatest: start)
            var seen: Set<UInt32> = []
            var random = SystemRandomNumberGenerator()
            for _ in 0..<300 {
                let near = Int64(state.greatest) + Int64.random(in: -70...3, using: &random)
                guard let value = UInt32(exactly: near) else { continue }
                let isFresh = value > start && !seen.contains(value) && Int64(value) > Int64(state.greatest) - 64
                do {
                    state = try state.accepting(value, policy: .slidingWindow)
                    #expect(isFresh)
                    seen.insert(value)
                } catch { #expect(!isFresh) }
                #expect(CounterState(greatest: state.greatest, used: state.used) == state)
            }
        }
    }

    @Test func windowErrors() throws {
        let state = try CounterState(greatest: 0).accepting(100, policy: .slidingWindow)
        #expect(throws: PureAttestError.counterReplayed(100)) { try state.accepting(100, policy: .slidingWindow) }
        #expect(throws: PureAttestError.counterNotIncreased(previous: 100, received: 36)) {
            try state.accepting(36, policy: .slidingWindow)
        }
        #expect(try state.accepting(37, policy: .slidingWindow).greatest == 100)
    }

    /// The storable states must be exactly the states that sequences of small values reach.
    @Test func storableStates() throws {
        var reachable: Set<CounterState> = []
        var frontier: Set = [CounterState(greatest: 0)]
        while let state = frontier.popFirst() {
            guard reachable.insert(state).inserted else { continue }
            for value in 1...6 as ClosedRange<UInt32> {
                if let next = try? state.accepting(value, policy: .slidingWindow) { frontier.insert(next) }
            }
        }
        for greatest in 0...6 as ClosedRange<UInt32> {
            for used in 0..<256 as Range<UInt64> {
                let state = CounterState(greatest: greatest, used: used)
                #expect((state != nil) == reachable.contains { $0.greatest == greatest && $0.used == used })
            }
        }
    }
}
