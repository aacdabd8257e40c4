/// A policy for the counter values of assertions (Apple, assertion step 5).
public enum CounterPolicy: Hashable, Sendable {
    /// Each value must be greater than all earlier values.
    case strict
    /// Each value must be greater than all earlier values, or an unused value at most 63 below the greatest value so
    /// far. Use this policy for clients that send requests in parallel.
    case slidingWindow
}

/// The counter values that a key has used: the greatest value, and one bit for each of the 63 values below it. The
/// window follows RFC 4303 §3.4.3 (IPsec's anti-replay service), whose preferred size is 64.
struct CounterState: Hashable, Sendable {
    let greatest: UInt32
    /// Bit i: `greatest − i` was used. The attestation uses value 0. Bit 0 is always set.
    let used: UInt64

    /// Marks every value up to `greatest` as used. Suits keys whose used values were not recorded.
    init(greatest: UInt32) {
        self.greatest = greatest
        used = greatest < 63 ? (2 << UInt64(greatest)) - 1 : .max
    }

    /// Restores a stored state. Returns `nil` if no sequence of calls of ``accepting(_:policy:)`` can produce the
    /// state.
    init?(greatest: UInt32, used: UInt64) {
        // Bits for values below 0 must be clear. If the window includes value 0, the bit for value 0 must be set.
        guard used & 1 == 1, greatest > 63 || used >> UInt64(greatest) == 1 else { return nil }
        self.greatest = greatest
        self.used = used
    }

    private init(unchecked greatest: UInt32, _ used: UInt64) {
        self.greatest = greatest
        self.used = used
    }

    /// Returns the state after the use of `value`.
    ///
    /// - Throws: ``PureAttestError/counterNotIncreased(previous:received:)`` or, under ``CounterPolicy/slidingWindow``,
    ///   ``PureAttestError/counterReplayed(_:)``.
    func accepting(_ value: UInt32, policy: CounterPolicy) throws(PureAttestError) -> CounterState {
        if value > greatest {
            // A shift by 64 or more gives 0 (Swift's smart shift).
            return CounterState(unchecked: value, used << UInt64(value - greatest) | 1)
        }
        let age = UInt64(greatest - value)
        guard policy == .slidingWindow, age < 64 else {
            throw .counterNotIncreased(previous: greatest, received: value)
        }
        guard used >> age & 1 == 0 else { throw .counterReplayed(value) }
        return CounterState(unchecked: greatest, used | 1 << age)
    }
}
