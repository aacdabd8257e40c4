public import PureAttest

/// Requests, and units that the server counts: what a budget allows, what is used of it or what is left.
public struct BudgetAmount: Hashable, Sendable {
    /// The most of either, 2⁵³ − 1: what JavaScript counts exactly (ECMA-262 `Number.MAX_SAFE_INTEGER`), and so little that no sum of
    /// two leaves 64 bits.
    public static let maximum: Int64 = 9_007_199_254_740_991

    /// How many requests.
    public let requests: Int64
    /// How many units, such as tokens of a language model.
    public let units: Int64

    /// An amount; what is less than 0 counts as 0, and what is more than ``maximum`` as that.
    public init(requests: Int64, units: Int64) {
        self.requests = Self.clamped(requests)
        self.units = Self.clamped(units)
    }

    static func clamped(_ number: Int64) -> Int64 { min(max(number, 0), maximum) }

    /// What of this limit is left where `used` is used, which may be more.
    func left(after used: BudgetAmount) -> BudgetAmount {
        BudgetAmount(requests: requests - used.requests, units: units - used.units)
    }
}

/// What one key, or one account, may use of something dear over periods of whole days.
///
/// Periods are fixed and counted from 1970-01-01T00:00Z, so that one row and one statement of a store decide. Round a boundary twice the
/// allowance can be spent: once before it, and once after.
///
/// A budget is a key's unless it is said to be an account's. A device that attests a new key has a new budget: how many keys it may make
/// is what ``RelyingPartyConfiguration/Limits/registrations`` and ``Enrolment`` say, and an account's budget does not grow with them.
public struct Budget: Hashable, Sendable {
    /// Whose a budget is.
    public enum Holder: Hashable, Sendable, CaseIterable {
        /// Each key's.
        case key
        /// That of all keys of an account together. A key without account has one of its own.
        case account
    }

    /// The longest period, in days: ten years.
    public static let maximumDays: Int64 = 3_660

    /// How many days a period has.
    public let days: Int64
    /// What may be used in a period.
    public let limit: BudgetAmount
    /// Whose it is.
    public let holder: Holder

    /// A budget.
    ///
    /// - Parameters:
    ///   - days: 1 to ``maximumDays``; other values are moved there. Change it seldom: a new number of days begins periods anew.
    ///   - requests: how many in a period, as ``BudgetAmount`` takes them.
    ///   - units: how many in a period, likewise.
    ///   - holder: whose it is.
    public init(days: Int64, requests: Int64, units: Int64, of holder: Holder = .key) {
        self.days = min(max(days, 1), Self.maximumDays)
        limit = BudgetAmount(requests: requests, units: units)
        self.holder = holder
    }

    private var seconds: Int64 { days * 86_400 }

    /// The number of the period that `time` is in: rounded down, before 1970 too.
    func period(at time: UnixTime) -> Int64 {
        let (quotient, remainder) = time.secondsSince1970.quotientAndRemainder(dividingBy: seconds)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The first second after the period.
    func end(of period: Int64) -> UnixTime {
        // Periods are at least a day long, so that the next one's number does not overflow.
        let (end, overflow) = (period + 1).multipliedReportingOverflow(by: seconds)
        return UnixTime(secondsSince1970: overflow ? .max : end)
    }

    func balance(of row: BudgetPeriod, used: BudgetAmount) -> BudgetBalance {
        BudgetBalance(left: limit.left(after: used), resetsAt: end(of: row.number))
    }

    /// The row that counts for a key.
    func row(keyID: [UInt8], account: AccountID?, at time: UnixTime) -> BudgetPeriod {
        // No key is taken for an account with the same bytes.
        let holder: [UInt8] =
            if self.holder == .account, let account { [2] + account.bytes } else { [1] + keyID }
        return BudgetPeriod(holder: holder, number: period(at: time))
    }
}

/// Whose use of a budget a store counts, and in which period.
public struct BudgetPeriod: Hashable, Sendable {
    /// The byte 1 and a key identifier, or the byte 2 and an account.
    public let holder: [UInt8]
    /// The period's number.
    public let number: Int64

    /// What a store keeps one row of.
    public init(holder: [UInt8], number: Int64) {
        self.holder = holder
        self.number = number
    }
}

/// What is left of a budget.
public struct BudgetBalance: Hashable, Sendable {
    /// How much, in this period.
    public let left: BudgetAmount
    /// The first second of the next period, in which all of it is there again.
    public let resetsAt: UnixTime
}
