import Synchronization

/// The proof that a budget had room for a request, whose most it holds: from
/// `RelyingParty.spendBudget(_:by:at:)`, to be handed to ``RelyingParty/settle(_:used:)`` once it is known what the request used.
///
/// One that is dropped stays spent: a request whose end nobody saw counts with all that it may have used.
public final class BudgetReservation: Sendable {
    /// The units that are reserved.
    public let units: Int64
    /// What is left beside them.
    public let balance: BudgetBalance
    let row: BudgetPeriod
    private let settled = Atomic(false)

    init(units: Int64, balance: BudgetBalance, row: BudgetPeriod) {
        self.units = units
        self.balance = balance
        self.row = row
    }

    /// Whether this is the first call.
    func beginSettling() -> Bool { !settled.exchange(true, ordering: .relaxed) }
}
