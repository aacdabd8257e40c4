/// A policy for the counter values of assertions (Apple, assertion step 5).
public enum CounterPolicy: Hashable, Sendable {
    /// Each value must be greater than all earlier values.
    case strict
    /// Each value up to 63 below the greatest value so far is accepted once, for clients with parallel requests.
    case slidingWindow
}

/// The counter values that a key has used: the greatest, and a bit for each of the 63 below it.
///
/// The window follows RFC 4303 §3.4.3 (IPsec's anti-replay service), whose preferred size is 64.
struct CounterState: Hashable, Sendable {
    let greatest: UInt32
    /// Bit i: `greatest − i` was used. The attestation uses value 0. Bit 0 is always set.
    let used: UInt64

    /// Creates a state in which every value up to `greatest` is used, for a key without a record of its used values.
    init(greatest: UInt32) {
        self.greatest = greatest
        used = greatest < 63 ? (2 << UInt64(greatest)) - 1 : .max
    }

    /// Restores a stored state. Returns `nil` if no sequence of ``accepting(_:policy:)`` leads to it.
    init?(greatest: UInt32, used: UInt64) {
        // Bits for values below 0 are clear. If the window reaches value 0, the bit of value 0 is set.
        guard used & 1 == 1, greatest > 63 || used >> UInt64(greatest) == 1 else { return nil }
        self.greatest = greatest
        self.used = used
    }

    private init(unchecked greatest: UInt32, _ used: UInt64) {
        self.greatest = greatest
        self.used = used
    }

    /// Returns the state after `value` is used.
    ///
    /// - Throws: ``PureAttestError/counterNotIncreased(previous:received:)`` or, under the window,
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

extension AgePolicy {
    /// Rule A10: checks that the counter does not jump too far.
    func checkCounter(_ value: UInt32, of key: AttestedKey) throws(PureAttestError) {
        guard let maximumCounterStep, value > key.counter else { return }
        guard value - key.counter <= maximumCounterStep else {
            throw .counterStepTooLarge(previous: key.counter, received: value)
        }
    }
}
