import PureBytes
import PureAttest

/// A budget, and the key, account or purchase whose requests it counts.
public struct BudgetAllowance: Hashable, Sendable {
    /// The budget.
    public let budget: Budget
    /// The first byte of the row's holder. It distinguishes a key, an account and a purchase with the same bytes.
    private let kind: UInt8
    /// The bytes of the key identifier, the account or the purchase.
    package let name: [UInt8]

    /// The budget of a key, or of its account if ``Budget/holder`` is `.account`.
    init(_ budget: Budget, keyID: [UInt8], account: AccountID?) {
        self.budget = budget
        (kind, name) = if budget.holder == .account, let account { (2, account.bytes) } else { (1, keyID) }
    }

    /// The budget that the keys of a purchase share. `PureAttestPurchases` creates it for a purchase that the App Store
    /// signed, regardless of ``Budget/holder``.
    package init(_ budget: Budget, purchase name: [UInt8]) {
        self.budget = budget
        (kind, self.name) = (3, name)
    }

    func row(environment: Environment, at time: UnixTime) -> BudgetPeriod {
        // The conversion is lossless, because `days` is at most 3,660.
        let length = bigEndian(UInt16(truncatingIfNeeded: budget.days))
        return BudgetPeriod(
            holder: [kind, environment.rawValue] + length + name, end: budget.periodEnd(at: time))
    }
}
