/// Which counter values an assertion may carry (Apple, assertion step 5).
public enum CounterPolicy: Hashable, Sendable {
    /// Each value is greater than every one before it.
    case strict
    /// Each value is accepted once, also if up to 63 greater ones came before it: for clients that send requests in
    /// parallel, which arrive in any order.
    case slidingWindow
}

/// The counter values that a key has used: the greatest, and which of the 63 below it.
///
/// The window is that of RFC 4303 §3.4.3 (IPsec's anti-replay service), whose preferred size is 64.
struct CounterState: Hashable, Sendable {
    /// The greatest value so far.
    let greatest: UInt32
    /// Bit i: `greatest − i` was used. Value 0 is the attestation's and counts as used, so bit 0 is always set.
    let used: UInt64

    /// Every value up to `greatest` counts as used: nothing is known of them.
    init(greatest: UInt32) {
        self.greatest = greatest
        used = greatest < 63 ? (2 << UInt64(greatest)) - 1 : .max
    }

    /// A stored state; `nil` if no sequence of ``accepting(_:policy:)`` leads to it.
    init?(greatest: UInt32, used: UInt64) {
        // Bits for values below 0 are clear; 0 itself, where the window reaches it, is used.
        guard used & 1 == 1, greatest > 63 || used >> UInt64(greatest) == 1 else { return nil }
        self.greatest = greatest
        self.used = used
    }

    private init(unchecked greatest: UInt32, _ used: UInt64) {
        self.greatest = greatest
        self.used = used
    }

    /// The state after `value`.
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
