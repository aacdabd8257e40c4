public import PureAttest

/// A number of requests and a number of units. The pair is the limit, the use or the balance of a budget.
public struct BudgetAmount: Hashable, Sendable {
    /// The maximum of either number, 2⁵³ − 1. JavaScript represents this value exactly (ECMA-262
    /// `Number.MAX_SAFE_INTEGER`), and the sum of two such values fits in 64 bits.
    public static let maximum: Int64 = 9_007_199_254_740_991

    /// The number of requests.
    public let requests: Int64
    /// The number of units that the server defines, such as tokens of a language model.
    public let units: Int64

    /// Creates an amount. Both numbers are clamped to 0…``maximum``.
    public init(requests: Int64, units: Int64) {
        self.requests = Self.clamped(requests)
        self.units = Self.clamped(units)
    }

    static func clamped(_ number: Int64) -> Int64 { min(max(number, 0), maximum) }

    /// Returns the balance of this limit after `used`. Each number is at least 0, even if `used` exceeds the limit.
    func remaining(after used: BudgetAmount) -> BudgetAmount {
        BudgetAmount(requests: requests - used.requests, units: units - used.units)
    }
}

/// A budget: what one key or account may use per period of whole days.
///
/// Periods are fixed and start at multiples of their length from 1970-01-01T00:00Z, so a store decides with one row and
/// one statement. Around the boundary of two periods, a holder can use both allowances in a short time. By default each
/// key has its own budget, so a device that attests a new key has a new budget.
/// ``RelyingPartyConfiguration/Limits/enrolmentsPerAccount`` and ``Enrolment`` limit the number of keys. An account's
/// budget does not grow with the number of its keys.
public struct Budget: Hashable, Sendable {
    /// The holder of a budget.
    public enum Holder: Hashable, Sendable, CaseIterable {
        /// Each key has a budget.
        case key
        /// All keys of an account share a budget. A key without an account has its own budget.
        case account
    }

    /// The longest period, in days: ten years.
    public static let maximumDays: Int64 = 3_660

    /// The length of a period in days.
    public let days: Int64
    /// The allowance of a period.
    public let limit: BudgetAmount
    /// The holder of the budget.
    public let holder: Holder

    /// Creates a budget. `days` is clamped to 1…``maximumDays``; `requests` and `units` are the allowance of a period,
    /// clamped like a ``BudgetAmount``. Periods of each length have their own rows in the store, so a change of the
    /// length restores every holder's whole allowance.
    public init(days: Int64, requests: Int64, units: Int64, of holder: Holder = .key) {
        self.days = min(max(days, 1), Self.maximumDays)
        limit = BudgetAmount(requests: requests, units: units)
        self.holder = holder
    }

    /// Returns the first second after the period that contains `time`, clamped to the latest representable time.
    func periodEnd(at time: UnixTime) -> UnixTime {
        // The product cannot overflow, because `days` is at most 3,660.
        let length = days &* 86_400
        let remainder = time.secondsSince1970 % length
        // The seconds since the period began: 0 to length − 1, even for times before 1970.
        let elapsed = remainder < 0 ? remainder + length : remainder
        return time.adding(length - elapsed)
    }

    func balance(of row: BudgetPeriod, used: BudgetAmount) -> BudgetBalance {
        BudgetBalance(remaining: limit.remaining(after: used), resetsAt: row.end)
    }
}

/// The name of a row in the store: the holder and period of a budget.
public struct BudgetPeriod: Hashable, Sendable {
    /// The holder, encoded as bytes that a store compares without interpreting them:
    ///
    /// - 1 byte: 1 for a key, 2 for an account, 3 for a purchase.
    /// - 1 byte: the relying party's environment, encoded as in a key's record.
    /// - 2 bytes: the period's length in days, big-endian.
    /// - The key identifier, account or purchase.
    ///
    /// Relying parties with different environments or period lengths therefore never share a row.
    public let holder: [UInt8]
    /// The first second after the period.
    public let end: UnixTime

    /// Creates the name of the row for a holder and a period.
    public init(holder: [UInt8], end: UnixTime) {
        self.holder = holder
        self.end = end
    }
}

/// The balance of a budget.
public struct BudgetBalance: Hashable, Sendable {
    /// The remaining allowance of this period.
    public let remaining: BudgetAmount
    /// The first second of the next period, which restores the whole allowance.
    public let resetsAt: UnixTime
}
