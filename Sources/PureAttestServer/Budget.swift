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
    func remaining(after used: BudgetAmount) -> BudgetAmount {
        BudgetAmount(requests: requests - used.requests, units: units - used.units)
    }
}

/// What one key, or one account, may use of something dear over periods of whole days.
///
/// Periods are fixed and counted from 1970-01-01T00:00Z, so that one row and one statement of a store decide. Round a boundary twice the
/// allowance can be spent: once before it, and once after.
///
/// A budget is a key's unless it is said to be an account's. A device that attests a new key has a new budget: how many keys it may make
/// is what ``RelyingPartyConfiguration/Limits/enrolmentsPerAccount`` and ``Enrolment`` say, and an account's budget does not grow with them.
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
    ///   - days: 1 to ``maximumDays``; other values are moved there. Another number of days has rows of its own in the store: after a
    ///     change every holder has its whole allowance again.
    ///   - requests: how many in a period, as ``BudgetAmount`` takes them.
    ///   - units: how many in a period, likewise.
    ///   - holder: whose it is.
    public init(days: Int64, requests: Int64, units: Int64, of holder: Holder = .key) {
        self.days = min(max(days, 1), Self.maximumDays)
        limit = BudgetAmount(requests: requests, units: units)
        self.holder = holder
    }

    /// Returns the first second after the period that contains `time`; the last second there is, if that is earlier.
    func periodEnd(at time: UnixTime) -> UnixTime {
        let length = days * 86_400
        let remainder = time.secondsSince1970 % length
        // Seconds since the period began: 0 to length − 1, before 1970 too.
        let elapsed = remainder < 0 ? remainder + length : remainder
        return time.advanced(by: length - elapsed)
    }

    func balance(of row: BudgetPeriod, used: BudgetAmount) -> BudgetBalance {
        BudgetBalance(remaining: limit.remaining(after: used), resetsAt: row.end)
    }

    /// Returns the row that counts the requests of a key, or of its account, to a relying party of `environment`.
    func row(keyID: [UInt8], account: AccountID?, environment: Environment, at time: UnixTime) -> BudgetPeriod {
        // The first byte keeps a key apart from an account with the same bytes.
        let (kind, name): (UInt8, [UInt8]) =
            if holder == .account, let account { (2, account.bytes) } else { (1, keyID) }
        // `days` is at most 3,660: two bytes.
        let length = [UInt8(truncatingIfNeeded: days >> 8), UInt8(truncatingIfNeeded: days)]
        return BudgetPeriod(holder: [kind, environment.rawValue] + length + name, end: periodEnd(at: time))
    }
}

/// Names a row of a store: the holder of a budget, and the period in which the row counts.
public struct BudgetPeriod: Hashable, Sendable {
    /// The holder, as bytes that a store compares and does not read: 1 for a key or 2 for an account, one byte; the environment of the
    /// relying party as in a key's record, one byte; the period's length in days, two bytes, big endian; the key identifier or account.
    ///
    /// Relying parties of another environment, or with periods of another length, therefore never share a row.
    public let holder: [UInt8]
    /// The first second after the period.
    public let end: UnixTime

    /// Names the row of a holder and a period.
    public init(holder: [UInt8], end: UnixTime) {
        self.holder = holder
        self.end = end
    }
}

/// What is left of a budget.
public struct BudgetBalance: Hashable, Sendable {
    /// How much, in this period.
    public let remaining: BudgetAmount
    /// The first second of the next period, in which all of it is there again.
    public let resetsAt: UnixTime
}
